/** The indexes of a path, from the root on, each without its hardened bit, and which of them are hardened. */
export type KeyPathIndexes = { readonly indexes: readonly number[]; readonly hardened: readonly boolean[] }

/** The most levels below the root: a serialized key of BIP-32 has one byte for its depth. */
export const PATH_LEVELS_MAX = 255

const INDEX = /^(0|[1-9]\d{0,9})('?)$/
const INDEX_MAX = 0x7fff_ffff

/**
 * Reads a path of BIP-32, such as `m/44'/60'/0'/0/0`: `m`, then indexes from 0 to 2^31 - 1 in decimal, without zeros before them. `'` marks a
 * hardened one, and nothing else does, so that a path has one spelling.
 *
 * @returns the indexes, `undefined` for any other text
 */
export const parsePath = (text: string): KeyPathIndexes | undefined => {
  const [root, ...levels] = text.split('/', PATH_LEVELS_MAX + 2)
  if (root !== 'm' || levels.length > PATH_LEVELS_MAX) return undefined
  const indexes: number[] = []
  const hardened: boolean[] = []
  for (const level of levels) {
    const [, digits, mark] = INDEX.exec(level) ?? []
    const index = Number(digits)
    if (digits === undefined || index > INDEX_MAX) return undefined
    indexes.push(index)
    hardened.push(mark === "'")
  }
  return { indexes, hardened }
}
