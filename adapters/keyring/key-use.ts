import { decodeHex } from '../../core/bytes.ts'
import { publicKeyOf } from '../../core/keys/public-key.ts'
import { sign, type SignatureParts, type SigningScheme } from '../../core/keys/signing.ts'
import type { KeyPath } from '../../core/ports/keyring.ts'
import type { SealedRow } from '../../core/ports/sealed-rows.ts'
import type { OpenedKey } from './opened-key.ts'
import type { OpenedKeys } from './opened-keys.ts'

/** What is to be done with a secret, and what that gives, by name. */
export type Uses = {
  readonly publicKeys: { readonly of: readonly KeyPath[] }
  readonly sign: { readonly path: KeyPath; readonly scheme: SigningScheme; readonly messages: readonly string[] }
}
export type UseTag = keyof Uses
export type Use = { [Tag in UseTag]: { readonly _tag: Tag } & Uses[Tag] }[UseTag]
export type Results = { readonly publicKeys: readonly string[]; readonly sign: readonly SignatureParts[] }

/** The row with its data key, and the use. */
export type KeyTask = { readonly dataKey: Uint8Array; readonly row: SealedRow; readonly use: Use }

/** `unreadable`: the row does not open. `unfit`: the secret has no such key, or the key cannot do that. */
export type KeyAnswer =
  { readonly _tag: 'done'; readonly value: Results[UseTag] } | { readonly _tag: 'unreadable' | 'unfit' }

/** Opens the row and does it. What goes wrong is told without any text of an error: a library may quote what it was given. */
export const useKey = (opened: OpenedKeys, { dataKey, row, use }: KeyTask): KeyAnswer => {
  try {
    const key = opened.open(dataKey, row)
    return key === undefined ? { _tag: 'unreadable' } : { _tag: 'done', value: resultOf(key, use) }
  } catch {
    return { _tag: 'unfit' }
  } finally {
    dataKey.fill(0)
  }
}

const resultOf = (key: OpenedKey, use: Use): Results[UseTag] => {
  if (use._tag === 'publicKeys')
    return use.of.map((path) => withKey(key, path, (privateKey) => publicKeyOf(path.curve, privateKey)))
  const { path, scheme, messages } = use
  return withKey(key, path, (privateKey) =>
    messages.map((message) => sign(scheme, path.curve, privateKey, bytesOf(message))),
  )
}

const withKey = <A>(key: OpenedKey, path: KeyPath, f: (privateKey: Uint8Array) => A): A => {
  const privateKey = key.privateKeyAt(path)
  if (privateKey === undefined) throw new Error('expected a path of the secret')
  try {
    return f(privateKey)
  } finally {
    privateKey.fill(0)
  }
}

const bytesOf = (hex: string): Uint8Array => {
  const bytes = decodeHex(hex)
  if (bytes === undefined) throw new Error('expected hex')
  return bytes
}
