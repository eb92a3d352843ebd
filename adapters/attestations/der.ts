/** A value of DER, as far as it is read. */
export type DerValue = {
  /** The first byte of the tag: class, whether it is put together, and the number if it is below 31. */
  readonly head: number
  /** The number of the tag. */
  readonly number: number
  readonly content: Uint8Array
}

/**
 * Reads the values that stand one behind the other and fill all the bytes; what is inside them is not read.
 *
 * @returns `undefined` if they are not in this form
 * @see https://www.itu.int/rec/T-REC-X.690
 */
export const readDer = (bytes: Uint8Array): readonly DerValue[] | undefined => {
  const values: DerValue[] = []
  let at = 0
  while (at < bytes.length) {
    const head = bytes[at++] ?? 0
    let number = head & LONG_TAG
    if (number === LONG_TAG) {
      const tag = readTag(bytes, at)
      if (tag === undefined) return undefined
      ;({ number, at } = tag)
    }
    const length = readLength(bytes, at)
    if (length === undefined || length.at + length.value > bytes.length) return undefined
    at = length.at + length.value
    values.push({ head, number, content: bytes.subarray(length.at, at) })
  }
  return values
}

/** The values inside the one value that fills all the bytes, if its tag begins with this byte. */
export const insideDer = (bytes: Uint8Array, head: number): readonly DerValue[] | undefined => {
  const [outer, ...others] = readDer(bytes) ?? []
  return outer?.head === head && others.length === 0 ? readDer(outer.content) : undefined
}

export const [INTEGER, OCTETS, OBJECT_ID, SEQUENCE, SET] = [0x02, 0x04, 0x06, 0x30, 0x31] as const

const LONG_TAG = 0x1f

/** Numbers of up to 14 bits are enough here. */
const readTag = (bytes: Uint8Array, at: number): { readonly number: number; readonly at: number } | undefined => {
  const [first, second] = [bytes[at], bytes[at + 1]]
  if (first === undefined) return undefined
  if (first < 0x80) return { number: first, at: at + 1 }
  return second === undefined || second >= 0x80 ? undefined : { number: (first & 0x7f) * 0x80 + second, at: at + 2 }
}

const readLength = (bytes: Uint8Array, at: number): { readonly value: number; readonly at: number } | undefined => {
  const first = bytes[at]
  if (first === undefined) return undefined
  if (first < 0x80) return { value: first, at: at + 1 }
  const count = first & 0x7f
  if (count === 0 || count > LENGTH_BYTES_MAX || at + count >= bytes.length) return undefined
  let value = 0
  for (let i = 1; i <= count; i += 1) value = value * 0x100 + (bytes[at + i] ?? 0)
  return { value, at: at + 1 + count }
}

const LENGTH_BYTES_MAX = 3
