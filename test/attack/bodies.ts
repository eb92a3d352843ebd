/** Documents of JSON of nearly a mebibyte, each of which costs a reader much. */
import { encode } from '../bench/seed.ts'

/** The largest body that a server takes, with room for the members that a request needs. */
export const BYTES_MAX = 1024 * 1024
const ROOM = 512

/** As many of the parts as there is room for, between two brackets. */
const filled = (open: string, part: (n: number) => string, close: string, bytesMax = BYTES_MAX - ROOM): string => {
  const parts: string[] = []
  let length = open.length + close.length
  for (let n = 0; ; n += 1) {
    const next = part(n)
    length += Buffer.byteLength(next) + 1
    if (length > bytesMax) return `${open}${parts.join(',')}${close}`
    parts.push(next)
  }
}

const NESTING = 30

/** By name: what stands in the member `junk` of a request. */
export const JUNK: Readonly<Record<string, () => string>> = {
  'escaped names': () => filled('{', (n) => `"\\u0061${n.toString(36)}":1`, '}'),
  'objects of two members, no two with the same': () => filled('[', (n) => `{"a${n}":1,"b${n}":2}`, ']'),
  'many members': () => filled('{', (n) => `"${n.toString(36)}":1`, '}'),
  'members with numbers for names': () => filled('{', (n) => `"${(n * 2654435761) % 4294967291}":1`, '}'),
  'arrays, nested 30 deep': () => filled('[', () => '['.repeat(NESTING) + ']'.repeat(NESTING), ']'),
  'objects, nested 30 deep': () => filled('[', () => `${'{"a":'.repeat(NESTING)}1${'}'.repeat(NESTING)}`, ']'),
  'numbers with exponents': () => filled('[', () => '1e308', ']'),
  'numbers of 300 digits': () => filled('[', (n) => `${'9'.repeat(299)}${n % 10}`, ']'),
  'numbers of 700 places': () => filled('[', (n) => `0.${'1234567'.repeat(100)}${n % 10}`, ']'),
  'empty arrays': () => filled('[', () => '[]', ']'),
  'empty texts': () => filled('[', () => '""', ']'),
  'escaped surrogate pairs': () => `"${'\\ud83d\\ude00'.repeat(80_000)}"`,
  'one text': () => `"${'x'.repeat(BYTES_MAX - ROOM)}"`,
  'one text of three bytes a character': () => `"${'€'.repeat(340_000)}"`,
  'white space': () => `1${' \n\t\r'.repeat(260_000)}`,
  'names that differ at their end': () => filled('{', (n) => `"${'x'.repeat(200)}${n}":1`, '}'),
  'the forbidden name at the end': () => filled('{', (n) => `"a${n}":1`, ',"__proto__":1}', BYTES_MAX - 2 * ROOM),
  'a mistake at the end': () => filled('[', (n) => String(n), ',]', BYTES_MAX - 2 * ROOM),
}

/** A request with a heavy member before the one that says whose it is. */
export const withJunk = (organizationId: string, junk: string): Uint8Array =>
  Buffer.from(`{"junk":${junk},"organizationId":${JSON.stringify(organizationId)}}`)

/** A body in chunks of one byte, as HTTP/1.1 sends one whose length is not known. */
export const inChunksOfOne = (bytes: number): Uint8Array =>
  Buffer.concat([Buffer.from('1\r\n \r\n'.repeat(bytes)), Buffer.from('2\r\n{}\r\n0\r\n\r\n')])

/** A request padded with line feeds, which JSON allows between any two tokens, to nearly the largest size. */
export const padded = (json: Readonly<Record<string, unknown>>, bytesMax = BYTES_MAX): Uint8Array => {
  const body = encode(json)
  const padding = Buffer.alloc(Math.max(0, bytesMax - body.length), '\n')
  return Buffer.concat([body.subarray(0, -1), padding, Buffer.from('}')])
}
