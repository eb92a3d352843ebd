import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { checkExported, destroysKeys } from './destroys.ts'
import { walletFacts } from './wallet-facts.ts'
import { removeAccounts, walletAccounts, wallets } from './wallets.ts'

const Deleted = t.fields({ walletIds: t.array(t.string) })

export const deleteWallets = operation({
  type: 'ACTIVITY_TYPE_DELETE_WALLETS',
  path: 'delete_wallets',
  summary: 'Destroys the seeds of wallets, for good, and deletes their accounts.',
  resource: 'WALLET',
  action: 'DELETE',
  intent: t.fields({ walletIds: t.SomeUuids }, { deleteWithoutExport: t.boolean }),
  result: Deleted,
  change: Deleted,
  facts: ({ walletIds }, organization) => walletFacts(organization, walletIds),

  check: ({ walletIds, deleteWithoutExport }, { organization: { organizationId }, findAll, attempt }) => {
    if (attempt === 1) checkExported(findAll('wallet', wallets, walletIds), deleteWithoutExport, 'wallet')
    return { organizationId, keyIds: walletIds }
  },
  perform: destroysKeys,

  execute: ({ walletIds }) => ({ result: { walletIds }, change: { walletIds } }),

  evolve: (draft, { walletIds }) => {
    const gone = new Set(walletIds)
    for (const walletId of walletIds) wallets.in(draft).delete(walletId)
    const ids = [...walletAccounts.of(draft)].flatMap(([id, { account }]) => (gone.has(account.walletId) ? [id] : []))
    removeAccounts(draft, ids)
  },
})
