import { createHash, randomBytes } from 'node:crypto'
import { failure, type Failure } from '../../core/failure.ts'
import type { Keystore } from '../../core/ports/keystore.ts'
import { E, TE, pipe } from '../../core/prelude.ts'
import { decrypt, encrypt } from './aes-gcm.ts'

/** A key that wraps data keys. The id, 16 hexadecimal digits of its SHA-256, names it without telling anything about it. */
export type KeystoreKey = { readonly id: string; readonly bytes: Uint8Array }

/** The keys of a keystore, read anew at each call: the first one wraps, all of them unwrap. */
export type KeystoreKeys = TE.TaskEither<Failure, readonly KeystoreKey[]>

/**
 * A keystore whose keys are a text. It reads them when it first needs them, and again when it needs one that it does not have: another process may
 * have rotated the keys.
 */
export const keystoreOf = (keys: KeystoreKeys): Keystore => {
  let kept: readonly KeystoreKey[] | undefined
  const read: KeystoreKeys = async () => {
    const found = await keys()
    if (E.isRight(found)) kept = found.right
    return found
  }
  const known: KeystoreKeys = () => (kept === undefined ? read() : Promise.resolve(E.right(kept)))
  return {
    wrap: (dataKey) =>
      pipe(
        known,
        TE.map(([first]) => (first === undefined ? '' : wrapped(first, dataKey))), // there is one at least
      ),
    unwrap: (text) =>
      pipe(
        known,
        TE.flatMap((before) => (hasKeyOf(before, text) ? TE.right(before) : read)),
        TE.flatMap((found) => TE.fromEither(unwrapped(found, text))),
      ),
  }
}

const hasKeyOf = (keys: readonly KeystoreKey[], text: string): boolean => keys.some(({ id }) => id === wrapperOf(text))

/** The id of the key that has wrapped a data key; `undefined` if it was a keystore of another kind. */
export const wrapperOf = (text: string): string | undefined => WRAPPED.exec(text)?.[1]

/** Makes a new key. */
export const newKey = (): KeystoreKey => keyOf(randomBytes(KEY_BYTES))

/** The text of a key, such as `csk1_` and 43 characters of base64url. */
export const keyText = ({ bytes }: KeystoreKey): string => `${PREFIX}${Buffer.from(bytes).toString('base64url')}`

/** The text of a keystore in a file: a key in each line. */
export const textOfKeys = (keys: readonly KeystoreKey[]): string => keys.map((key) => `${keyText(key)}\n`).join('')

/**
 * Reads the text of a keystore: keys, with white space or commas between them.
 *
 * @param where  names the text in messages
 */
export const readKeys = (text: string, where: string): E.Either<Failure, readonly KeystoreKey[]> => {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const keys = words.flatMap((word) =>
    KEY.test(word) ? [keyOf(Buffer.from(word.slice(PREFIX.length), 'base64url'))] : [],
  )
  if (keys.length === 0 || keys.length < words.length || keys.some((key) => !words.includes(keyText(key))))
    return E.left(
      failure(
        'CONFIGURATION_INVALID',
        `${where} is not a keystore: expected keys, each ${PREFIX} and the base64url of ${KEY_BYTES} random bytes, with lines or commas between them`,
      ),
    )
  return E.right(keys)
}

const PREFIX = 'csk1_'
const KEY = /^csk1_[A-Za-z0-9_-]{43}$/
const KEY_BYTES = 32

const keyOf = (bytes: Uint8Array): KeystoreKey => ({
  id: createHash('sha256').update('countersign keystore key').update(bytes).digest('hex').slice(0, 16),
  bytes: Uint8Array.from(bytes),
})

const wrapped = ({ id, bytes }: KeystoreKey, dataKey: Uint8Array): string =>
  `csw1.${id}.${Buffer.from(encrypt(bytes, dataKey, about(id))).toString('base64url')}`

const WRAPPED = /^csw1\.([0-9a-f]{16})\.([A-Za-z0-9_-]+)$/

const unwrapped = (keys: readonly KeystoreKey[], text: string): E.Either<Failure, Uint8Array> => {
  const [, id, encrypted = ''] = WRAPPED.exec(text) ?? []
  if (id === undefined)
    return E.left(
      failure('CONFIGURATION_INVALID', 'a keystore of another kind has wrapped the data keys of this store'),
    )
  const key = keys.find((one) => one.id === id)
  if (key === undefined) return E.left(failure('CONFIGURATION_INVALID', `the keystore has not the key ${id}`))
  const dataKey = decrypt(key.bytes, Buffer.from(encrypted, 'base64url'), about(id))
  return dataKey === undefined
    ? E.left(
        failure(
          'STORE_UNREADABLE',
          'a data key of the store was changed: the keystore has its key, and it does not open',
        ),
      )
    : E.right(dataKey)
}

const about = (id: string): Uint8Array => Buffer.from(`countersign data key ${id}`)
