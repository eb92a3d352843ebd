/** A body of JSON with blanks behind it, so that it has this length. */
export const padded = (body: Uint8Array, length: number): Uint8Array => {
  const longer = new Uint8Array(length).fill(0x20)
  longer.set(body)
  return longer
}
