import { encodeUtf8 } from '../../core/bytes.ts'
import type { SealedRows } from '../../core/ports/sealed-rows.ts'
import { TE } from '../../core/prelude.ts'
import { keystoreOf, newKey, textOfKeys, type KeystoreKey } from '../keyring/keystore-keys.ts'
import { othersNeeded, rotate, type Rotated } from '../keyring/rotation.ts'
import { countOf } from '../inbox/amounts.ts'
import { keysAt, mustBeThere, placeOfServers, sealedOf, type KeystorePlace } from './open-keystore.ts'
import { isVolatile, writing, type BesideFlags } from './open-store.ts'
import { print, printLines, sayNotice } from './print.ts'
import { refusal, resultOf, unusable } from './stop.ts'
import { underLease } from '../credentials/under-lease.ts'
import { writeWhole } from '../files/whole-file.ts'

export type RotateOptions = BesideFlags & {
  readonly store: string
  readonly keystore?: string
  /** Whether the older keys go, where no row needs them any more, in place of a new one that comes. */
  readonly retire?: boolean
  /** Whether to print what was done as JSON. */
  readonly json?: boolean
}

/** Seals all secrets of a store anew, under a new key of the keystore or, after an interruption, the one that was new then. */
export const rotateKeystore = async (options: RotateOptions): Promise<number> => {
  const { store, keystore: named, retire = false, json = false } = options
  if (isVolatile(store)) throw unusable('a store in memory has a keystore in memory, which ends with it')
  const place = placeOfServers(named, store)
  await mustBeThere(store)
  const done = await writing(
    store,
    { onNotice: sayNotice, discard: 'if-empty', beside: options },
    async (storage, keep) => {
      keep()
      const rows = sealedOf(storage)
      // Two at once would each put a key into the file, and the later one would take the other's away.
      return underLease(storage.leases, 'keystore', () => rotated(rows, place, retire), 'rotating the keystore')
    },
  )
  if (json) print(done)
  else printLines(linesOf(done, place))
  return done.unreadable === 0 ? 0 : 1
}

/** `key` is the id of the first key, `retired` are those of the keys that no row needs any more. */
type Done = Rotated & { readonly key: string; readonly retired: readonly string[] }

const rotated = async (rows: SealedRows, place: KeystorePlace, retire: boolean): Promise<Done> => {
  const found = await resultOf(keysAt(place))
  const isUnfinished = (await resultOf(othersNeeded(rows, firstOf(found).id))).size > 0
  const keys = retire || isUnfinished ? found : await withNewKey(place, found)
  const { id } = firstOf(keys)
  const done = await resultOf(rotate({ rows, keystore: keystoreOf(TE.right(keys)), keyId: id }))
  return { ...done, key: id, retired: retire ? await retired(rows, place, keys) : [] }
}

const firstOf = ([first]: readonly KeystoreKey[]): KeystoreKey => {
  if (first === undefined) throw unusable('the keystore has no key') // it could not be read then
  return first
}

const withNewKey = async (place: KeystorePlace, found: readonly KeystoreKey[]): Promise<readonly KeystoreKey[]> => {
  if (place._tag === 'env')
    throw refusal(`all secrets are sealed under the first key of ${place.name}: put a new one in front of it`)
  const keys = [newKey(), ...found]
  await writeKeys(place.path, keys)
  return keys
}

/** Removes all keys but the first one. Those of a variable are for the operator to remove. */
const retired = async (
  rows: SealedRows,
  place: KeystorePlace,
  keys: readonly KeystoreKey[],
): Promise<readonly string[]> => {
  const first = firstOf(keys)
  const needed = await resultOf(othersNeeded(rows, first.id))
  if (needed.size > 0) throw refusal(`secrets of the store need ${[...needed].join(', ')} still: nothing was removed`)
  if (place._tag === 'file' && keys.length > 1) await writeKeys(place.path, [first])
  return keys.slice(1).map(({ id }) => id)
}

const writeKeys = (path: string, keys: readonly KeystoreKey[]): Promise<unknown> =>
  writeWhole(path, [encodeUtf8(textOfKeys(keys))], 'replace')

const linesOf = ({ resealed, unreadable, key, retired: gone }: Done, place: KeystorePlace): readonly string[] => [
  `Sealed ${countOf(resealed, 'secret')} anew, under the key ${key}.`,
  ...(unreadable === 0
    ? []
    : [`${countOf(unreadable, 'secret')} did not open: somebody has changed them in the store.`]),
  ...(gone.length === 0
    ? []
    : [`${place._tag === 'file' ? 'Removed' : `Remove from ${place.name}`}: ${gone.join(', ')}.`]),
]
