import * as assert from 'uvu/assert'
import { sha256 } from '@noble/hashes/sha2.js'
import { verify, type SignatureParts, type SigningScheme } from '../../../../core/keys/signing.ts'
import type { KeyCurve } from '../../../../core/keys/curve.ts'
import type { Failure, Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import type { ActivityView } from '../../../../core/view/activity-view.ts'
import { right, type Person, type Place, type World } from '../../world/world.ts'
import { fieldsOf } from '../execute.ts'
import { sealedOf } from '../../../sealed-of.ts'

export type Members = { readonly [member: string]: Json }

/** The params of an account: Ethereum, unless they say otherwise. */
export const account = (more: Members = {}): Members => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  ...more,
})

/** The params of an account of ed25519. */
export const onEd25519 = (path = "m/44'/501'/0'/0'", addressFormat = 'ADDRESS_FORMAT_SOLANA'): Members =>
  account({ curve: 'CURVE_ED25519', path, addressFormat })

/** The params of a private key: of secp256k1 with the address of Ethereum, unless they say otherwise. */
export const privateKey = (privateKeyName: string, more: Members = {}): Members => ({
  privateKeyName,
  curve: 'CURVE_SECP256K1',
  privateKeyTags: [],
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  ...more,
})

/** The one result of an activity. */
const resultOf = <A>({ result }: ActivityView): A => Object.values(result)[0] as A // as the operation defines it

type Wallet = { readonly walletId: string; readonly addresses: readonly string[] }

export const makeWallet = async (w: Place, walletName: string, ...accounts: readonly Members[]): Promise<Wallet> =>
  resultOf(await w.done(w.root, 'create_wallet', { walletName, accounts }))

export const addAccounts = async (w: Place, walletId: string, accounts: readonly Members[], more: Members = {}) =>
  resultOf<Wallet>(await w.done(w.root, 'create_wallet_accounts', { walletId, accounts, ...more })).addresses

export type MadeKey = {
  readonly privateKeyId: string
  readonly addresses: readonly { readonly format: string; readonly address: string }[]
}

export const makeKeys = async (w: Place, ...keys: readonly Members[]): Promise<readonly MadeKey[]> =>
  resultOf<{ readonly privateKeys: readonly MadeKey[] }>(
    await w.done(w.root, 'create_private_keys', { privateKeys: keys }),
  ).privateKeys

/** A list that a query answers; of its entries, the members that are texts. */
export const listed = async <A = { readonly [member: string]: string }>(
  w: Place,
  path: string,
  member: string,
  asked: Members = {},
) => (await w.answer(w.root, path, asked))[member] as readonly A[] // as the query defines it

/** The form of a text whose SHA-256 is signed. */
export const TEXT = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }
/** The form of hex that is signed as it is. */
export const PLAIN = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }

export const sign = (w: Place, signWith: string, more: Members = {}, person: Person = w.root) =>
  w.submit(person, 'sign_raw_payload', { signWith, payload: 'aa', ...TEXT, ...more })

export const signature = async (...asked: Parameters<typeof sign>): Promise<SignatureParts> =>
  resultOf(right(await sign(...asked)))

/** Whether the signature is the key's for the payload of `sign`. */
export const isSigned = (
  parts: SignatureParts,
  publicKey: string,
  scheme: SigningScheme = 'ecdsa',
  curve: KeyCurve = 'CURVE_SECP256K1',
): boolean =>
  verify(scheme, curve, publicKey, scheme === 'eddsa' ? Uint8Array.of(0xaa) : sha256(Buffer.from('aa')), parts)

/** What a refusal says: its code, and the members that it names, or else its message. */
export const refused = (asked: E.Either<Failure, unknown>): readonly string[] => {
  if (E.isRight(asked)) return ['no failure']
  const { code, message } = asked.left
  const fields = fieldsOf(asked.left)
  return [code, ...(fields.length > 0 ? fields : [message])]
}

/** Asserts that a request is refused so, and that nothing is stored: no event, no secret. */
export const assertRefused = async (
  w: World,
  asked: () => Promise<E.Either<Failure, unknown>>,
  expected: readonly string[],
): Promise<void> => {
  const before = await stored(w)
  assert.equal(refused(await asked()), expected)
  assert.equal(await stored(w), before, String(expected))
}

/** The end of the log, and the places of all secrets. */
const stored = async ({ storage, organizationId }: World) => [
  right(await storage.store.head(organizationId)())?.sequence,
  (await sealedIn(storage)).length,
]

/** The sealed rows of a store, without those of the keystore. */
export const sealedIn = async (storage: World['storage'], organizationId?: string) => {
  const rows = right(await sealedOf(storage).list(undefined, 10_000)())
  return rows.filter(
    ({ organization }) => organization !== '' && (organizationId === undefined || organization === organizationId),
  )
}
