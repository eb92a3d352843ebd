import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { valueOf } from '../../definition/refuse.ts'
import { mnemonicLengths } from '../../keys/mnemonic-parameters.ts'
import { isPublicKey } from '../../keys/public-key.ts'
import type { Draft } from '../../organization/state.ts'
import type { KeyPath, Keyring } from '../../ports/keyring.ts'
import type { ProvedAddress } from '../../view/app-proof.ts'
import { checkQuota } from '../check-quota.ts'
import { uniqueName } from '../unique-name.ts'
import { AccountParams, checkAccounts, keyPathsOf, newAccounts } from './account-params.ts'
import { notTooMany } from './key-codecs.ts'
import { walletLimits } from './wallet-limits.ts'
import { addAccounts, NewAccount, wallets } from './wallets.ts'

/** Clients write a missing length as 0. */
const MnemonicLength = t.refined(t.Integer, '12, 15, 18, 21 or 24 words', (n) => n === 0 || mnemonicLengths.includes(n))

export const WalletParams = t.fields(
  { walletName: t.Label, accounts: t.list(AccountParams) },
  { mnemonicLength: MnemonicLength },
  ({ accounts }) => notTooMany('accounts', accounts),
)
export type WalletParams = t.TypeOf<typeof WalletParams>

/** A wallet in a change. */
export const NewWallet = t.fields({
  walletId: t.string,
  walletName: t.string,
  publicKey: t.string,
  accounts: t.array(NewAccount),
})
export type NewWallet = t.TypeOf<typeof NewWallet>

/** The public keys that the keyring gives for a new wallet: that of secp256k1 at `m`, and those of its accounts. */
export const WalletKeys = t.fields({ publicKey: t.string, accounts: t.array(t.string) })
type WalletKeys = t.TypeOf<typeof WalletKeys>

const ROOT: KeyPath = { curve: 'CURVE_SECP256K1', path: 'm' }

export const checkWalletName = uniqueName(wallets, ({ walletName }) => walletName)

/** The id and the paths of a new wallet, if nothing is against it. @param prefix  of the members, such as `wallet.` */
export const checkNewWallet = (
  { walletName, accounts }: Pick<WalletParams, 'walletName' | 'accounts'>,
  context: Pick<ExecuteContext<unknown>, 'organization' | 'ids' | 'limits'>,
  prefix = '',
) => {
  const { organization } = context
  checkQuota(wallets.of(organization).size + 1, walletLimits.of(context).wallets, 'wallets')
  checkWalletName(`${prefix}walletName`, walletName, organization)
  checkAccounts(`${prefix}accounts`, accounts, context)
  const { organizationId } = organization
  return { organizationId, keyId: context.ids(), paths: keyPathsOf(accounts) }
}

/** What the keyring needs to make a wallet. */
export const walletToMake = (params: WalletParams, context: Parameters<typeof checkNewWallet>[1], prefix?: string) => ({
  ...checkNewWallet(params, context, prefix),
  words: params.mnemonicLength || 12,
})
export type WalletToMake = ReturnType<typeof walletToMake>

/** Makes the seed. It is durable when this ends, before any event names it. */
export const makeWallet = async (keyring: Keyring, { words, ...made }: WalletToMake): Promise<WalletKeys> => {
  valueOf(await keyring.makeSeed(made, words)())
  return walletKeys(keyring, made)
}

/** The public keys of a wallet whose seed is there. */
export const walletKeys = async (
  keyring: Keyring,
  { organizationId, keyId, paths }: Omit<WalletToMake, 'words'>,
): Promise<WalletKeys> => {
  const place = { organizationId, keyId }
  const [publicKey = '', ...accounts] = valueOf(await keyring.publicKeys(place, [ROOT, ...paths])())
  return { publicKey, accounts }
}

/** The wallet with its addresses. It draws the ids in the order of `walletToMake`. */
export const newWallet = (
  { walletName, accounts }: Pick<WalletParams, 'walletName' | 'accounts'>,
  keys: WalletKeys,
  context: Pick<ExecuteContext<unknown>, 'ids'>,
): NewWallet => {
  const walletId = context.ids()
  return {
    walletId,
    walletName,
    publicKey: keys.publicKey,
    accounts: [...newAccounts(accounts, walletId, keys.accounts, context)],
  }
}

/** Whether these can be the public keys of a wallet with these accounts. */
export const areWalletKeys = ({ publicKey, accounts }: WalletKeys, paths: readonly KeyPath[]): boolean =>
  isPublicKey(ROOT.curve, publicKey) && areKeysOf(accounts, paths)

export const areKeysOf = (publicKeys: readonly string[], paths: readonly Pick<KeyPath, 'curve'>[]): boolean =>
  publicKeys.length === paths.length && paths.every(({ curve }, index) => isPublicKey(curve, publicKeys[index] ?? ''))

export const addWallet = (draft: Draft, { accounts, ...wallet }: NewWallet, atMs: number, imported = false): void => {
  const at = { createdAtMs: atMs, updatedAtMs: atMs }
  wallets.in(draft).set(wallet.walletId, { ...wallet, exported: false, imported, ...at })
  addAccounts(draft, accounts, atMs)
}

/** What app proofs say of the addresses of accounts, in their order. */
export const provedAddresses = (
  accounts: readonly Pick<AccountParams, 'path'>[],
  walletId: string,
  addresses: readonly string[],
): readonly ProvedAddress[] =>
  accounts.map(({ path }, index) => ({ walletId, derivationPath: path, address: addresses[index] ?? '' }))

export const addressesOf = (accounts: readonly NewAccount[]): readonly string[] =>
  accounts.map(({ address }) => address)
