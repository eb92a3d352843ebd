/** Documents of JSON, each of which costs a reader much. */
import { settingsOf } from '../../../adapters/http/options.ts'
import { requestJson } from '../../../core/json/strict-json.ts'
import { JSON_DEPTH_MAX } from '../../../core/json/strict-reader.ts'
import { encode } from '../bench/seed.ts'

/** The largest body that a server takes. */
export const BYTES_MAX = settingsOf({}).bodyBytesMax
/** For the members that a request needs. */
const ROOM = 1024
/** A little less than how many values a body may have: a request needs some of them, too. */
export const VALUES_MAX = requestJson.valuesMax - 100

/** How many entries of so many values one body may have. */
export const entriesOf = (valuesEach: number): number => Math.floor(VALUES_MAX / valuesEach)

/** How many ids one body has room for: 36 characters, two quotes and a comma each. */
export const IDS_MAX = Math.floor((BYTES_MAX - ROOM) / 39)

/** Parts of so many values each, as many as there may be and as there is room for, between two brackets. */
const filled = (
  open: string,
  part: (n: number) => string,
  close: string,
  { valuesMax, valuesEach = 1 }: { readonly valuesMax: number; readonly valuesEach?: number },
): string => {
  const parts: string[] = []
  let length = open.length + close.length
  for (let n = 0; (n + 1) * valuesEach <= valuesMax; n += 1) {
    const next = part(n)
    length += Buffer.byteLength(next) + 1
    if (length > BYTES_MAX - ROOM) break
    parts.push(next)
  }
  return `${open}${parts.join(',')}${close}`
}

const NESTING = JSON_DEPTH_MAX - 2 // they stand in a list, in a request

/** By name: what is refused when it has more values than a body may have. */
const MANY: Readonly<Record<string, (valuesMax: number) => string>> = {
  'escaped names': (valuesMax) => filled('{', (n) => `"\\u0061${n.toString(36)}":1`, '}', { valuesMax }),
  'objects of different members': (valuesMax) =>
    filled('[', (n) => `{"a${n}":1,"b${n}":2}`, ']', { valuesMax, valuesEach: 3 }),
  'many members': (valuesMax) => filled('{', (n) => `"${n.toString(36)}":1`, '}', { valuesMax }),
  'members with numbers for names': (valuesMax) =>
    filled('{', (n) => `"${(n * 2654435761) % 4294967291}":1`, '}', { valuesMax }),
  'arrays, nested 30 deep': (valuesMax) =>
    filled('[', () => '['.repeat(NESTING) + ']'.repeat(NESTING), ']', { valuesMax, valuesEach: NESTING }),
  'objects, nested 30 deep': (valuesMax) =>
    filled('[', () => `${'{"a":'.repeat(NESTING)}1${'}'.repeat(NESTING)}`, ']', { valuesMax, valuesEach: NESTING + 1 }),
  'numbers with exponents': (valuesMax) => filled('[', () => '1e308', ']', { valuesMax }),
  'empty arrays': (valuesMax) => filled('[', () => '[]', ']', { valuesMax }),
  'empty texts': (valuesMax) => filled('[', () => '""', ']', { valuesMax }),
  'the forbidden name at the end': (valuesMax) => filled('{', (n) => `"a${n}":1`, ',"__proto__":1}', { valuesMax }),
  'a mistake at the end': (valuesMax) => filled('[', (n) => String(n), ',]', { valuesMax }),
}

/** By name: what takes a mebibyte with fewer values than a body may have. */
const LONG: Readonly<Record<string, () => string>> = {
  'numbers of 300 digits': () => filled('[', (n) => `${'9'.repeat(299)}${n % 10}`, ']', { valuesMax: VALUES_MAX }),
  'numbers of 700 places': () =>
    filled('[', (n) => `0.${'1234567'.repeat(100)}${n % 10}`, ']', { valuesMax: VALUES_MAX }),
  'escaped surrogate pairs': () => `"${'\\ud83d\\ude00'.repeat(80_000)}"`,
  'one text': () => `"${'x'.repeat(BYTES_MAX - ROOM)}"`,
  'one text of three bytes a character': () => `"${'€'.repeat(340_000)}"`,
  'white space': () => `1${' \n\t\r'.repeat(260_000)}`,
  'names that differ at their end': () =>
    filled('{', (n) => `"${'x'.repeat(200)}${n}":1`, '}', { valuesMax: VALUES_MAX }),
}

/**
 * By name: what stands in the member `junk` of a request. What has many values stands here with as many as a body may have, since it
 * is read to its end then, and once more with a mebibyte of them.
 */
export const JUNK: Readonly<Record<string, () => string>> = {
  ...LONG,
  ...Object.fromEntries(
    Object.entries(MANY).flatMap(([what, junk]) => [
      [what, () => junk(VALUES_MAX)],
      [`${what} without bound`, () => junk(Infinity)],
    ]),
  ),
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
