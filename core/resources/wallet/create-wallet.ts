import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import {
  addWallet,
  provedAddresses,
  addressesOf,
  areWalletKeys,
  makeWallet,
  newWallet,
  NewWallet,
  WalletKeys,
  WalletParams,
  walletToMake,
} from './new-wallet.ts'

export const createWallet = operation({
  type: 'ACTIVITY_TYPE_CREATE_WALLET',
  path: 'create_wallet',
  summary: 'Makes a seed, and accounts with addresses.',
  resource: 'WALLET',
  action: 'CREATE',
  intent: WalletParams,
  result: t.fields({ walletId: t.string, addresses: t.array(t.string) }),
  change: NewWallet,

  check: walletToMake,
  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: WalletKeys,
    run: (wallet, { ports }) => makeWallet(ports.keyring, wallet),
  },
  addresses: ({ accounts }, result) => provedAddresses(accounts, result.walletId, result.addresses),
  verify: async (keys, _, { paths }) => areWalletKeys(keys, paths),

  execute: (intent, context) => {
    const wallet = newWallet(intent, context.performed, context)
    return { result: { walletId: wallet.walletId, addresses: addressesOf(wallet.accounts) }, change: wallet }
  },

  evolve: (draft, wallet, { atMs }) => addWallet(draft, wallet, atMs),
})
