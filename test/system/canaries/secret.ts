/** A text that may stand only where it belongs, in all the forms in which it could stand somewhere else. */
export type Secret = { readonly name: string; readonly forms: readonly Form[] }
type Form = { readonly name: string; readonly bytes: Buffer }

/** A secret that is text. */
export const secretText = (name: string, text: string): Secret => ({ name, forms: formsOf(Buffer.from(text)) })

/** A secret that is bytes, and is also written in hex: a private key. */
export const secretBytes = (name: string, hex: string): Secret => ({
  name,
  forms: [
    ...formsOf(Buffer.from(hex, 'hex')),
    ...formsOf(Buffer.from(hex)),
    ...formsOf(Buffer.from(hex.toUpperCase())),
  ],
})

const formsOf = (bytes: Buffer): readonly Form[] => {
  const text = bytes.toString('latin1')
  return [
    { name: 'raw', bytes },
    { name: 'hex', bytes: Buffer.from(bytes.toString('hex')) },
    { name: 'HEX', bytes: Buffer.from(bytes.toString('hex').toUpperCase()) },
    { name: 'UTF-16LE', bytes: Buffer.from(text, 'utf16le') },
    { name: 'UTF-16BE', bytes: Buffer.from(text, 'utf16le').swap16() },
    { name: 'reversed', bytes: Buffer.from(bytes).reverse() },
    { name: 'percent-encoded', bytes: Buffer.from(bytes.toString('hex').replaceAll(/../g, '%$&')) },
    ...[0, 1, 2].flatMap((offset) => [
      { name: 'base64', bytes: insideBase64(bytes, offset, 'base64') },
      { name: 'base64url', bytes: insideBase64(bytes, offset, 'base64url') },
    ]),
  ]
}

/** What every base64 text has in it that encodes these bytes behind others: the letters that depend on nothing else. */
const insideBase64 = (bytes: Buffer, offset: number, alphabet: 'base64' | 'base64url'): Buffer => {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString(alphabet)
    .replaceAll('=', '')
  const from = Math.ceil((offset * 4) / 3)
  const until = Math.floor(((offset + bytes.length) * 4) / 3)
  return Buffer.from(encoded.slice(from, until))
}

/** The secrets that stand in the bytes, with the form in which they do. */
export const sightings = (secrets: readonly Secret[], where: string, bytes: Uint8Array | string): readonly string[] => {
  const haystack = Buffer.from(bytes)
  return secrets.flatMap(({ name, forms }) => {
    const form = forms.find((each) => haystack.includes(each.bytes))
    return form === undefined ? [] : [`${name} stands in ${where}, ${form.name}`]
  })
}
