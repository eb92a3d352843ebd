/*
 * Bitcoin's integers of one to nine bytes, in the shortest form only.
 */

/** The number at a place, and the place behind it; `undefined` where there is none, or one that has a shorter form or more than 32 bits. */
export const readCompactSize = (
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly next: number } | undefined => {
  const first = bytes[at]
  if (first === undefined || first === 0xff) return undefined // nothing here has 4 GB
  if (first < 0xfd) return { value: first, next: at + 1 }
  const length = first === 0xfd ? 2 : 4
  if (at + 1 + length > bytes.length) return undefined
  let value = 0
  for (let i = length; i > 0; i -= 1) value = value * 256 + (bytes[at + i] ?? 0)
  return value < (length === 2 ? 0xfd : 0x1_0000) ? undefined : { value, next: at + 1 + length }
}

export const compactSize = (value: number): Uint8Array => {
  if (value < 0xfd) return Uint8Array.of(value)
  const bytes = new Uint8Array(value <= 0xffff ? 3 : 5)
  const view = new DataView(bytes.buffer)
  bytes[0] = value <= 0xffff ? 0xfd : 0xfe
  if (value <= 0xffff) view.setUint16(1, value, true)
  else view.setUint32(1, value, true)
  return bytes
}
