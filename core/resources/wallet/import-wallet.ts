import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refusal, valueOf } from '../../definition/refuse.ts'
import { failure, type Failure } from '../../failure.ts'
import { EncryptedBundle, encryptedOf } from '../bundle/bundle.ts'
import { endTargets, goodTarget } from '../bundle/import-targets.ts'
import { checkOwn } from '../bundle/check-own.ts'
import { insideWork, needsKeyring } from '../inside-work.ts'
import { AccountParams } from './account-params.ts'
import { notTooMany } from './key-codecs.ts'
import {
  addWallet,
  addressesOf,
  areWalletKeys,
  newWallet,
  provedAddresses,
  NewWallet,
  checkNewWallet,
  WalletKeys,
  walletKeys,
} from './new-wallet.ts'
import { wallets } from './wallets.ts'

export const importWallet = operation({
  type: 'ACTIVITY_TYPE_IMPORT_WALLET',
  path: 'import_wallet',
  summary: 'Keeps the wallet whose mnemonic a client has encrypted, and makes its accounts.',
  resource: 'WALLET',
  action: 'IMPORT',
  intent: t.fields(
    { userId: t.Uuid, walletName: t.Label, encryptedBundle: EncryptedBundle, accounts: t.list(AccountParams) },
    {},
    ({ accounts }) => notTooMany('accounts', accounts),
  ),
  result: t.fields({ walletId: t.string, addresses: t.array(t.string) }),
  change: t.fields({ wallet: NewWallet, userId: t.string, targetId: t.string }),

  check: (intent, context) => {
    checkOwn(intent.userId, context)
    return {
      ...checkNewWallet(intent, context),
      targetId: goodTarget(context, intent.userId, 'wallet').targetId,
      encrypted: encryptedOf(intent.encryptedBundle),
      known: [...wallets.of(context.organization).values()].map(({ publicKey, walletId }) => ({ publicKey, walletId })),
    }
  },
  perform: {
    ...insideWork,
    ...needsKeyring,
    performed: WalletKeys,
    run: async (
      { organizationId, keyId, paths, targetId, encrypted, known },
      { ports: { keyring }, activityId, atMs },
    ) => {
      const place = { organizationId, keyId }
      const from = { encrypted, arrival: { activityId, atMs, targetId } }
      const refusal = (publicKey: string): Failure | undefined => twinOf(publicKey, known)
      valueOf(await keyring.importSecret(place, { _tag: 'mnemonic' }, from, refusal)())
      return walletKeys(keyring, { organizationId, keyId, paths })
    },
  },
  addresses: ({ accounts }, result) => provedAddresses(accounts, result.walletId, result.addresses),
  verify: async (keys, _, { paths }) => areWalletKeys(keys, paths),

  execute: (intent, context) => {
    const wallet = newWallet(intent, context.performed, context)
    const twin = twinOf(wallet.publicKey, wallets.of(context.organization).values())
    if (twin !== undefined) throw refusal(twin)
    const { targetId } = goodTarget(context, intent.userId, 'wallet')
    return {
      result: { walletId: wallet.walletId, addresses: addressesOf(wallet.accounts) },
      change: { wallet, userId: intent.userId, targetId },
    }
  },

  evolve: (draft, { wallet, userId, targetId }, { atMs }) => {
    addWallet(draft, wallet, atMs, true)
    endTargets(draft, userId, 'wallet', [targetId])
  },
})

/** Why a seed is not kept that is there already. */
const twinOf = (
  publicKey: string,
  known: Iterable<{ readonly publicKey: string; readonly walletId: string }>,
): Failure | undefined => {
  for (const one of known)
    if (one.publicKey === publicKey)
      return failure('ALREADY_EXISTS', `seed for wallet ${one.walletId} already imported in this organization`)
  return undefined
}
