import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { valueOf } from '../../definition/refuse.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { AccountParams, checkAccounts, checkNew, keyPathsOf, newAccounts } from './account-params.ts'
import { notTooMany } from './key-codecs.ts'
import { addressesOf, areKeysOf, provedAddresses } from './new-wallet.ts'
import { walletFacts } from './wallet-facts.ts'
import { addAccounts, NewAccount, wallets } from './wallets.ts'

export const createWalletAccounts = operation({
  type: 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
  path: 'create_wallet_accounts',
  summary: 'Adds accounts to a wallet, or only tells their addresses.',
  resource: 'WALLET',
  action: 'CREATE',
  intent: t.fields({ walletId: t.Uuid, accounts: t.some(AccountParams) }, { persist: t.boolean }, ({ accounts }) =>
    notTooMany('accounts', accounts),
  ),
  result: t.fields({ addresses: t.array(t.string) }),
  change: t.fields({ accounts: t.array(NewAccount) }),
  facts: ({ walletId }, organization) => walletFacts(organization, [walletId]),

  check: ({ walletId, accounts }, context) => {
    context.find('wallet', wallets, walletId)
    checkAccounts('accounts', accounts, context)
    const { organizationId } = context.organization
    return { place: { organizationId, keyId: walletId }, paths: keyPathsOf(accounts) }
  },
  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: t.fields({ publicKeys: t.array(t.string) }),
    run: async ({ place, paths }, { ports }) => ({
      publicKeys: valueOf(await ports.keyring.publicKeys(place, paths)()),
    }),
  },
  addresses: ({ walletId, accounts }, { addresses }) => provedAddresses(accounts, walletId, addresses),
  verify: async ({ publicKeys }, _, { paths }) => areKeysOf(publicKeys, paths),

  execute: ({ walletId, accounts, persist = true }, context) => {
    const made = newAccounts(accounts, walletId, context.performed.publicKeys, context)
    if (persist) checkNew(made, context.organization)
    return { result: { addresses: addressesOf(made) }, change: { accounts: persist ? made : [] } }
  },

  evolve: (draft, { accounts }, { atMs }) => addAccounts(draft, accounts, atMs),
})
