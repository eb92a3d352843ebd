import type { Notice } from '../../core/engine.ts'
import type { Keystore } from '../../core/ports/keystore.ts'
import type { SealedRows } from '../../core/ports/sealed-rows.ts'
import { TE } from '../../core/prelude.ts'
import { keysInVariable } from '../keyring/env-keystore.ts'
import { fileKeystore, keysInFile } from '../keyring/file-keystore.ts'
import { keystoreOf, newKey, type KeystoreKeys } from '../keyring/keystore-keys.ts'
import { canBeMade, isVolatile } from './open-store.ts'
import { resultOf, unusable } from './stop.ts'

/** Where a keystore is. */
export type KeystorePlace =
  { readonly _tag: 'file'; readonly path: string } | { readonly _tag: 'env'; readonly name: string }

/** Reads the flag `--keystore`, and does not repeat what is wrong: it may be a key. */
export const placeOf = (text: string): KeystorePlace => {
  const [, kind, rest = ''] = /^(file|env):(.+)$/s.exec(text) ?? []
  if (kind === undefined) throw unusable('--keystore: expected file:PATH or env:NAME')
  return kind === 'file' ? { _tag: 'file', path: rest } : { _tag: 'env', name: rest }
}

/** The keystore of a store if no other one is named: a file beside the file of the store. */
export const defaultPlace = (store: string): KeystorePlace | undefined => {
  const path = /^sqlite:(.+)$/is.exec(store)?.[1]
  return path === undefined ? undefined : { _tag: 'file', path: `${path}.keystore` }
}

/** Where the keystore of the servers on a store is; it has to be named where there is no default. */
export const placeOfServers = (named: string | undefined, store: string): KeystorePlace => {
  const place = named === undefined ? defaultPlace(store) : placeOf(named)
  if (place === undefined) throw unusable('name the keystore of the servers with --keystore')
  return place
}

/** The keys at a place. */
export const keysAt = (place: KeystorePlace): KeystoreKeys =>
  place._tag === 'file' ? keysInFile(place.path) : keysInVariable(place.name)

/**
 * The keystore for a server. One that is named has to be there. The file beside an SQLite store is made when the first secret is sealed; a store in
 * memory has a keystore in memory.
 *
 * @returns undefined if none is named and the store has none by default
 */
export const openKeystore = async (
  named: string | undefined,
  store: string,
  onNotice: (notice: Notice) => void,
): Promise<Keystore | undefined> => {
  if (named !== undefined) {
    const keys = keysAt(placeOf(named))
    await resultOf(keys) // what is wrong with it is said at the start
    return keystoreOf(keys)
  }
  if (isVolatile(store)) return keystoreOf(TE.right([newKey()]))
  const place = defaultPlace(store)
  return place?._tag === 'file' ? fileKeystore({ path: place.path, make: true, onNotice }) : undefined
}

/** Stops the command if there is no such store: it would be made. */
export const mustBeThere = async (store: string): Promise<void> => {
  if (await canBeMade(store)) throw unusable('there is no such store')
}

export const sealedOf = ({ sealed }: { readonly sealed?: SealedRows | undefined }): SealedRows => {
  if (sealed === undefined) throw unusable('this store keeps no sealed keys')
  return sealed
}
