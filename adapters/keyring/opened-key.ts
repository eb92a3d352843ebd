import { encodeUtf8 } from '../../core/bytes.ts'
import { boundedMap } from '../../core/collections/bounded-map.ts'
import { deriveAt, rootOf, type ExtendedKey } from '../../core/keys/derive.ts'
import { mnemonicOf, type Mnemonic } from '../../core/keys/mnemonic.ts'
import { parsePath, type KeyPathIndexes } from '../../core/keys/path.ts'
import type { KeyCurve } from '../../core/keys/curve.ts'
import { readKind } from '../../core/ports/imported-kind.ts'
import type { Going, KeyPath } from '../../core/ports/keyring.ts'
import type { SealedRow } from '../../core/ports/sealed-rows.ts'
import { unsealed } from './sealing.ts'
import { seedOf } from './seed.ts'
import { IMPORT_TARGET, PRIVATE_KEY, readPrivateKey, readUserSecret, readWallet, SECRET, WALLET } from './secrets.ts'

/** A secret that was opened. */
export type OpenedKey = {
  /** A copy of a private key, to be overwritten after use; `undefined` if the secret has none of this curve at this path. */
  readonly privateKeyAt: (path: KeyPath) => Uint8Array | undefined
  /** What goes out, to be overwritten after use; `undefined` if the secret has no such thing. */
  readonly going: (what: Going) => Uint8Array | undefined
  /** Overwrites all that is secret. It is not used afterwards. */
  readonly wipe: () => void
}

/** Opens a row; `undefined` if it does not open. */
export const openKey = (dataKey: Uint8Array, row: SealedRow): OpenedKey | undefined => {
  const secret = unsealed(dataKey, row)
  if (secret === undefined) return undefined
  try {
    const { what } = readKind(row.kind)
    if (what === WALLET) return openWallet(secret)
    if (what === SECRET) return openUserSecret(secret)
    return what === PRIVATE_KEY || what === IMPORT_TARGET ? openPrivateKey(secret) : undefined
  } finally {
    secret.fill(0)
  }
}

const openPrivateKey = (secret: Uint8Array): OpenedKey | undefined => {
  const read = readPrivateKey(secret)
  if (read === undefined) return undefined
  const own = read.privateKey.slice()
  const privateKeyAt: OpenedKey['privateKeyAt'] = ({ curve, path }) =>
    path === undefined && curve === read.curve ? own.slice() : undefined
  return { privateKeyAt, going: keysOnly(privateKeyAt), wipe: () => void own.fill(0) }
}

const keysOnly =
  (privateKeyAt: OpenedKey['privateKeyAt']): OpenedKey['going'] =>
  (what) =>
    what._tag === 'private-key' ? privateKeyAt(what.key) : undefined

const openUserSecret = (secret: Uint8Array): OpenedKey | undefined => {
  const own = readUserSecret(secret)?.slice()
  return (
    own && {
      privateKeyAt: () => undefined,
      going: ({ _tag }) => (_tag === 'secret' ? own.slice() : undefined),
      wipe: () => void own.fill(0),
    }
  )
}

const openWallet = (secret: Uint8Array): OpenedKey | undefined => {
  const read = readWallet(secret)
  if (read === undefined) return undefined
  const mnemonic = { ...read, entropy: read.entropy.slice() }
  const seed = seedOf(mnemonic)
  const roots = new Map<KeyCurve, ExtendedKey>()
  // The keys of a wallet's accounts have few parents, and to derive one takes a millisecond.
  const parents = boundedMap<string, ExtendedKey>(PARENTS_MAX, { onForgotten: wipe })

  const rootAt = (curve: KeyCurve): ExtendedKey => {
    const root = roots.get(curve) ?? rootOf(seed, curve)
    roots.set(curve, root)
    return root
  }
  const parentAt = (curve: KeyCurve, path: KeyPathIndexes): ExtendedKey => {
    if (path.indexes.length === 0) return rootAt(curve)
    const name = JSON.stringify([curve, path])
    const known = parents.get(name)
    if (known !== undefined) return known
    const parent = deriveAt(rootAt(curve), path)
    parents.set(name, parent)
    return parent
  }
  const privateKeyAt: OpenedKey['privateKeyAt'] = ({ curve, path }) => {
    const read = path === undefined ? undefined : parsePath(path)
    if (read === undefined) return undefined
    const parent = parentAt(curve, part(read, 0, -1))
    if (read.indexes.length === 0) return parent.privateKey.slice()
    const key = deriveAt(parent, part(read, -1))
    key.chainCode.fill(0)
    return key.privateKey
  }
  return {
    privateKeyAt,
    going: (what) =>
      what._tag === 'mnemonic'
        ? encodeUtf8(plainOf({ ...mnemonic, language: what.language ?? mnemonic.language }))
        : keysOnly(privateKeyAt)(what),
    wipe: () => {
      mnemonic.entropy.fill(0)
      seed.fill(0)
      for (const key of [...roots.values(), ...parents.values()]) wipe(key)
    },
  }
}

/** The words, and behind a line feed the passphrase, if there is one. */
const plainOf = (mnemonic: Mnemonic): string =>
  [mnemonicOf(mnemonic), ...(mnemonic.passphrase === '' ? [] : [mnemonic.passphrase])].join('\n')

const PARENTS_MAX = 64

const part = ({ indexes, hardened }: KeyPathIndexes, from: number, to?: number): KeyPathIndexes => ({
  indexes: indexes.slice(from, to),
  hardened: hardened.slice(from, to),
})

const wipe = ({ privateKey, chainCode }: ExtendedKey): void => {
  privateKey.fill(0)
  chainCode.fill(0)
}
