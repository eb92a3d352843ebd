import { concat, encodeHex, encodeUtf8, stands } from '../bytes.ts'
import { compactSize, readCompactSize } from './compact-size.ts'

/*
 * A PSBT is a list of maps of keys and values (BIP-174). They are read here and not by the library: its reader and writer take seconds for
 * some hundred thousand bytes of keys, it does not keep the order of the keys, and it lets a spare byte at the end pass.
 */

export type PsbtEntry = { readonly key: Uint8Array; readonly value: Uint8Array }
/** In the order of the bytes: writers differ in it, and it is kept. */
export type PsbtMap = readonly PsbtEntry[]

/** All maps, the global one first, up to the end of the bytes; `undefined` for other bytes, or for a map that has a key twice. */
export const readMaps = (bytes: Uint8Array): readonly PsbtMap[] | undefined => {
  if (!stands(MAGIC, bytes)) return undefined
  const maps: PsbtMap[] = []
  let at = MAGIC.length
  while (at < bytes.length) {
    const read = readMap(bytes, at)
    if (read === undefined) return undefined
    maps.push(read.map)
    at = read.next
  }
  return maps
}

export const writeMaps = (maps: readonly PsbtMap[]): Uint8Array =>
  concat([MAGIC, ...maps.flatMap((map) => [...map.flatMap(({ key, value }) => [...field(key), ...field(value)]), END])])

/** The value under a type whose key is the type alone. */
export const valueOf = (map: PsbtMap, type: number): Uint8Array | undefined =>
  map.find(({ key }) => key.length === 1 && key[0] === type)?.value

export const hasType = (map: PsbtMap, type: number): boolean => map.some(({ key }) => key[0] === type)

/** The map with an entry before the first larger key: in a sorted map, at its place. What stood under its key is dropped. */
export const withEntry = (map: PsbtMap, entry: PsbtEntry): PsbtMap => {
  const key = encodeHex(entry.key)
  const others = map.filter((other) => encodeHex(other.key) !== key)
  const at = others.findIndex((other) => encodeHex(other.key) > key)
  return at === -1 ? [...others, entry] : [...others.slice(0, at), entry, ...others.slice(at)]
}

const MAGIC = concat([encodeUtf8('psbt'), Uint8Array.of(0xff)])
const END = Uint8Array.of(0)

const field = (bytes: Uint8Array): readonly Uint8Array[] => [compactSize(bytes.length), bytes]

const readMap = (bytes: Uint8Array, start: number): { readonly map: PsbtMap; readonly next: number } | undefined => {
  const map: PsbtEntry[] = []
  const keys = new Set<string>()
  let at = start
  for (;;) {
    const key = readField(bytes, at)
    if (key === undefined) return undefined
    if (key.field.length === 0) return { map, next: key.next }
    const value = readField(bytes, key.next)
    const name = encodeHex(key.field)
    if (value === undefined || keys.has(name)) return undefined
    keys.add(name)
    map.push({ key: key.field, value: value.field })
    at = value.next
  }
}

const readField = (
  bytes: Uint8Array,
  at: number,
): { readonly field: Uint8Array; readonly next: number } | undefined => {
  const length = readCompactSize(bytes, at)
  if (length === undefined || length.next + length.value > bytes.length) return undefined
  const next = length.next + length.value
  return { field: bytes.subarray(length.next, next), next }
}
