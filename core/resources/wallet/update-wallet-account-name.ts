import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { uniqueName } from '../unique-name.ts'
import { walletFacts } from './wallet-facts.ts'
import { walletAccounts } from './wallets.ts'

const checkAccountName = uniqueName(walletAccounts, ({ account }) => account.name ?? '')

export const updateWalletAccountName = operation({
  type: 'ACTIVITY_TYPE_UPDATE_WALLET_ACCOUNT_NAME',
  path: 'update_wallet_account_name',
  summary: 'Names an account of a wallet.',
  resource: 'WALLET',
  action: 'UPDATE',
  intent: t.fields({ walletAccountId: t.Uuid, name: t.Label }),
  result: t.fields({ walletAccountId: t.string }),
  change: t.fields({ walletAccountId: t.string, name: t.string }),
  facts: ({ walletAccountId }, organization) => {
    const found = walletAccounts.of(organization).get(walletAccountId)
    return found === undefined ? {} : walletFacts(organization, [found.account.walletId])
  },

  execute: ({ walletAccountId, name }, { organization, find }) => {
    find('wallet account', walletAccounts, walletAccountId)
    checkAccountName('name', name, organization, walletAccountId)
    return { result: { walletAccountId }, change: { walletAccountId, name } }
  },

  evolve: (draft, { walletAccountId, name }, { atMs }) => {
    const found = walletAccounts.in(draft).get(walletAccountId)
    if (found === undefined) return
    found.account.name = name
    found.updatedAtMs = atMs
  },
})
