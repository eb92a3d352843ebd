import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { checkExported } from './destroys.ts'
import { walletFacts } from './wallet-facts.ts'
import { removeAccounts, walletAccounts } from './wallets.ts'

const Deleted = t.fields({ walletAccountIds: t.array(t.string) })

/** It destroys nothing: the wallet can derive the account again. */
export const deleteWalletAccounts = operation({
  type: 'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS',
  path: 'delete_wallet_accounts',
  summary: 'Deletes accounts of wallets, which stay and can make them again.',
  resource: 'WALLET',
  action: 'DELETE',
  intent: t.fields({ walletAccountIds: t.SomeUuids }, { deleteWithoutExport: t.boolean }),
  result: Deleted,
  change: Deleted,
  facts: ({ walletAccountIds }, organization) => {
    const found = walletAccountIds.flatMap((id) => walletAccounts.of(organization).get(id)?.account.walletId ?? [])
    return walletFacts(organization, [...new Set(found)])
  },

  execute: ({ walletAccountIds, deleteWithoutExport }, { findAll }) => {
    checkExported(findAll('wallet account', walletAccounts, walletAccountIds), deleteWithoutExport, 'wallet account')
    return { result: { walletAccountIds }, change: { walletAccountIds } }
  },

  evolve: (draft, { walletAccountIds }) => removeAccounts(draft, walletAccountIds),
})
