import type { ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import type { SigningKey } from '../../identity/signing-key.ts'
import type { IdentityTokens } from '../../ports/identity-tokens.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { keysOf } from '../oauth-provider/token-keys.ts'
import type { Begun } from '../organization/create-organization.ts'
import {
  makePrivateKeys,
  newPrivateKeys,
  privateKeysToMake,
  type PrivateKeyParams,
} from '../private-key/new-private-keys.ts'
import { createdOf } from '../private-key/private-keys.ts'
import { addressesOf, makeWallet, newWallet, walletToMake, type WalletParams } from '../wallet/new-wallet.ts'

/** The keys that a request wants for an organization below. */
type Wanted = {
  readonly wallet?: WalletParams | undefined
  readonly privateKeys?: readonly PrivateKeyParams[] | undefined
}

/** The keys with which an organization below another one begins, and the ids that they get: what `check` knows of them. */
export type KeysBelow = {
  readonly wallet?: {
    readonly params: WalletParams
    readonly toMake: ReturnType<typeof walletToMake>
    readonly ids: readonly string[]
  }
  readonly privateKeys?: {
    readonly params: readonly PrivateKeyParams[]
    readonly toMake: ReturnType<typeof privateKeysToMake>
    readonly ids: readonly string[]
  }
}

/** Their public halves, as the keyring gave them, and the keys that have signed the identity tokens, as the providers gave them. */
export type PublicKeysBelow = {
  readonly tokenKeys?: readonly SigningKey[]
  readonly wallet?: { readonly publicKey: string; readonly accounts: readonly string[] }
  readonly privateKeys?: readonly string[]
}

export const areWanted = ({ wallet, privateKeys = [] }: Wanted): boolean =>
  wallet !== undefined || privateKeys.length > 0

/** The keys, if nothing is against them. @param context  that of the organization below, which has nothing yet */
export const keysBelow = (
  { wallet, privateKeys = [] }: Wanted,
  context: Pick<ExecuteContext<unknown>, 'organization' | 'ids' | 'limits' | 'findAll'>,
): KeysBelow => {
  if (privateKeys.some(({ privateKeyTags }) => privateKeyTags.length > 0))
    throw refuse.field('privateKeys', 'private keys without tags: the organization below has none yet')
  const drawn = (count: number): readonly string[] => Array.from({ length: count }, () => context.ids())
  const ids = drawn(wallet === undefined ? 0 : 1 + wallet.accounts.length)
  const keyIds = drawn(privateKeys.length)
  return {
    ...(wallet === undefined
      ? {}
      : { wallet: { params: wallet, toMake: walletToMake(wallet, { ...context, ids: each(ids) }, 'wallet.'), ids } }),
    ...(privateKeys.length === 0
      ? {}
      : {
          privateKeys: {
            params: privateKeys,
            toMake: privateKeysToMake({ privateKeys }, { ...context, ids: each(keyIds) }),
            ids: keyIds,
          },
        }),
  }
}

/** Finds who has signed the identity tokens, and then makes the keys, or finds them made. Those are durable when this ends. */
export const makeKeysBelow = async (
  {
    keys: { wallet, privateKeys },
    tokens,
  }: { readonly keys: KeysBelow; readonly tokens?: readonly string[] | undefined },
  { keyring, ...ports }: { readonly keyring: Keyring; readonly identityTokens?: IdentityTokens | undefined },
  signal: AbortSignal,
): Promise<PublicKeysBelow> => ({
  ...(tokens === undefined ? {} : { tokenKeys: await keysOf(tokens, ports, signal) }),
  ...(wallet === undefined ? {} : { wallet: await makeWallet(keyring, wallet.toMake) }),
  ...(privateKeys === undefined ? {} : { privateKeys: await makePrivateKeys(keyring, privateKeys.toMake) }),
})

type BegunKeys = Pick<Begun, 'wallet' | 'privateKeys' | 'tokenKeys'>

/** The members of the beginning that have the keys. */
export const begunKeys = ({ wallet, privateKeys }: KeysBelow, publicKeys: PublicKeysBelow): BegunKeys => {
  const { accounts = [], publicKey = '' } = publicKeys.wallet ?? {}
  const { tokenKeys } = publicKeys
  const given = { publicKey, accounts: [...accounts] }
  return {
    ...(tokenKeys && { tokenKeys: [...tokenKeys] }),
    ...(wallet && { wallet: newWallet(wallet.params, given, { ids: each(wallet.ids) }) }),
    ...(privateKeys && {
      privateKeys: newPrivateKeys({ privateKeys: privateKeys.params }, publicKeys.privateKeys ?? [], {
        ids: each(privateKeys.ids),
      }),
    }),
  }
}

/** The public halves in a beginning: an audit computes all else of its keys again. */
export const publicKeysIn = ({ wallet, privateKeys, tokenKeys }: BegunKeys): PublicKeysBelow => ({
  ...(tokenKeys && { tokenKeys }),
  ...(wallet && {
    wallet: { publicKey: wallet.publicKey, accounts: wallet.accounts.map(({ publicKey }) => publicKey) },
  }),
  ...(privateKeys && { privateKeys: privateKeys.map(({ publicKey }) => publicKey) }),
})

/** What a beginning says of its keys: the log of the parent repeats it. */
export const saidOfKeys = ({ wallet, privateKeys, tokenKeys }: BegunKeys) => ({
  ...(tokenKeys && { tokenKeys: [...tokenKeys] }),
  ...(wallet && {
    wallet: { walletId: wallet.walletId, addresses: [...addressesOf(wallet.accounts)], publicKey: wallet.publicKey },
  }),
  ...(privateKeys && { privateKeys: privateKeys.map((key) => ({ ...createdOf(key), publicKey: key.publicKey })) }),
})

/** Gives these ids one after another. */
const each = (ids: readonly string[]): (() => string) => {
  let next = 0
  return () => ids[next++] ?? ''
}
