import * as t from '../../codec/t.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { valueOf } from '../../definition/refuse.ts'
import { mnemonicLengths } from '../../keys/mnemonic.ts'
import { isPublicKey } from '../../keys/public-key.ts'
import type { Draft } from '../../organization/state.ts'
import type { KeyPath, Keyring } from '../../ports/keyring.ts'
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

export const needsKeyring = { needs: { keyring: port<Keyring>() }, whenMissing: 'unsupported' } as const

/** How work inside is done that only the keyring does: at once, and nothing is stored where it comes to nothing. */
export const insideWork = { outside: false, resumeAfterMs: 0, attemptsMax: 1, whenInterrupted: 'fail' } as const

export const checkWalletName = uniqueName(wallets, ({ walletName }) => walletName)

/** What the keyring needs for a new wallet, if nothing is against it. @param prefix  of the members, such as `wallet.` */
export const walletToMake = (
  { walletName, accounts, mnemonicLength }: WalletParams,
  context: Pick<ExecuteContext<unknown>, 'organization' | 'ids' | 'limits'>,
  prefix = '',
) => {
  const { organization } = context
  checkQuota(wallets.of(organization).size + 1, walletLimits.of(context).wallets, 'wallets')
  checkWalletName(`${prefix}walletName`, walletName, organization)
  checkAccounts(`${prefix}accounts`, accounts, context)
  const { organizationId } = organization
  return { organizationId, keyId: context.ids(), words: mnemonicLength || 12, paths: keyPathsOf(accounts) }
}
export type WalletToMake = ReturnType<typeof walletToMake>

/** Makes the seed. It is durable when this ends, before any event names it. */
export const makeWallet = async (
  keyring: Keyring,
  { organizationId, keyId, words, paths }: WalletToMake,
): Promise<WalletKeys> => {
  const place = { organizationId, keyId }
  valueOf(await keyring.makeSeed(place, words)())
  const [publicKey = '', ...accounts] = valueOf(await keyring.publicKeys(place, [ROOT, ...paths])())
  return { publicKey, accounts }
}

/** The wallet with its addresses. It draws the ids in the order of `walletToMake`. */
export const newWallet = (
  { walletName, accounts }: WalletParams,
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

export const addWallet = (draft: Draft, { accounts, ...wallet }: NewWallet, atMs: number): void => {
  const at = { createdAtMs: atMs, updatedAtMs: atMs }
  wallets.in(draft).set(wallet.walletId, { ...wallet, exported: false, imported: false, ...at })
  addAccounts(draft, accounts, atMs)
}

export const addressesOf = (accounts: readonly NewAccount[]): readonly string[] =>
  accounts.map(({ address }) => address)
