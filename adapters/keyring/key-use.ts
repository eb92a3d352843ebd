import { decodeHex } from '../../core/bytes.ts'
import { publicKeyOf, uncompressed } from '../../core/keys/public-key.ts'
import { sign, type SignatureParts, type SigningScheme } from '../../core/keys/signing.ts'
import type { Encrypted, Going, KeyPath } from '../../core/ports/keyring.ts'
import type { SealedRow } from '../../core/ports/sealed-rows.ts'
import { openedEnvelope } from './envelope.ts'
import { encryptTo } from './hpke.ts'
import { imported, type Imported, type Importing } from './import-secret.ts'
import type { OpenedKey } from './opened-key.ts'
import type { OpenedKeys } from './opened-keys.ts'

/** What is to be done with a secret, and what that gives, by name. */
export type Uses = {
  readonly encrypt: { readonly going: Going; readonly to: string }
  readonly decrypt: Importing
  readonly openEnvelope: { readonly envelope: Uint8Array }
  readonly publicKeys: { readonly of: readonly KeyPath[] }
  readonly sign: { readonly path: KeyPath; readonly scheme: SigningScheme; readonly messages: readonly string[] }
}
export type UseTag = keyof Uses
export type Use = { [Tag in UseTag]: { readonly _tag: Tag } & Uses[Tag] }[UseTag]
export type Results = {
  readonly encrypt: Encrypted
  readonly decrypt: Imported
  readonly openEnvelope: Uint8Array | undefined
  readonly publicKeys: readonly string[]
  readonly sign: readonly SignatureParts[]
}

/** The row with its data key, and the use. */
export type KeyTask = { readonly dataKey: Uint8Array; readonly row: SealedRow; readonly use: Use }

/** `unreadable`: the row does not open. `unfit`: the secret has no such key, or the key cannot do that. */
export type KeyAnswer =
  { readonly _tag: 'done'; readonly value: Results[UseTag] } | { readonly _tag: 'unreadable' | 'unfit' }

/** Opens the row and does it. What goes wrong is told without any text of an error: a library may quote what it was given. */
export const useKey = async (opened: OpenedKeys, { dataKey, row, use }: KeyTask): Promise<KeyAnswer> => {
  try {
    const key = opened.open(dataKey, row)
    return key === undefined ? { _tag: 'unreadable' } : { _tag: 'done', value: await resultOf(key, use) }
  } catch {
    return { _tag: 'unfit' }
  } finally {
    dataKey.fill(0)
  }
}

const resultOf = (key: OpenedKey, use: Use): Results[UseTag] | Promise<Results[UseTag]> => {
  if (use._tag === 'encrypt') return encrypted(key, use)
  if (use._tag === 'decrypt') return withKey(key, TARGET, (target) => imported(target, use))
  if (use._tag === 'openEnvelope') return withKey(key, TARGET, (own) => openedEnvelope(own, use.envelope))
  if (use._tag === 'publicKeys')
    return Promise.all(use.of.map((path) => withKey(key, path, (privateKey) => publicKeyOf(path.curve, privateKey))))
  const { path, scheme, messages } = use
  return withKey(key, path, (privateKey) =>
    messages.map((message) => sign(scheme, path.curve, privateKey, bytesOf(message))),
  )
}

/** The key of a target, and of what envelopes are encrypted to: that of a private key of P-256. */
const TARGET: KeyPath = { curve: 'CURVE_P256' }

const encrypted = async (key: OpenedKey, { going, to }: Uses['encrypt']): Promise<Encrypted> => {
  const plain = key.going(going)
  if (plain === undefined) throw new Error('expected something of this secret')
  try {
    return await encryptTo(bytesOf(uncompressed('CURVE_P256', to)), plain)
  } finally {
    plain.fill(0)
  }
}

const withKey = async <A>(key: OpenedKey, path: KeyPath, f: (privateKey: Uint8Array) => A | Promise<A>): Promise<A> => {
  const privateKey = key.privateKeyAt(path)
  if (privateKey === undefined) throw new Error('expected a path of the secret')
  try {
    return await f(privateKey)
  } finally {
    privateKey.fill(0)
  }
}

const bytesOf = (hex: string): Uint8Array => {
  const bytes = decodeHex(hex)
  if (bytes === undefined) throw new Error('expected hex')
  return bytes
}
