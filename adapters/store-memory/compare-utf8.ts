import { encodeUtf8 } from '../../core/bytes.ts'

/** Compares the UTF-8 bytes of texts, as databases do; JavaScript's own order differs for characters beyond the basic plane. */
export const compareUtf8 = (a: string, b: string): number => {
  const [left, right] = [encodeUtf8(a), encodeUtf8(b)]
  const differing = left.findIndex((byte, i) => byte !== right[i])
  return differing === -1 ? left.length - right.length : (left[differing] ?? 0) - (right[differing] ?? -1)
}
