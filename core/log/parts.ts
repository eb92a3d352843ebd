import type * as t from 'io-ts'
import { decodeUtf8 } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import type { Part } from '../ports/event-store.ts'
import type { Event } from './event.ts'

/** The name of the part with the stamped request of an `ActivityCreated` or an `ActivityVoted`. No other part has this name. */
export const REQUEST = 'request'

/** The most parts that one event may have. */
export const PARTS_MAX = 1_000

/**
 * Whether a part may have this name: 1 to 80 lower-case letters, digits, dots, underscores and hyphens, beginning with a letter. Or
 * `personal:` and then 1 to 80 letters of both cases, digits, dots, underscores and hyphens: such names are the engine's own. JSON writes
 * each of these names without escapes, and objects keep its place. JavaScript would move a name of digits alone to the front.
 */
export const isPartName = (name: string): boolean => NAME.test(name)

const NAME = /^(?:[a-z][a-z0-9._-]{0,79}|personal:[A-Za-z0-9._-]{1,80})$/

/** Whether an event may have parts with these names: at most `PARTS_MAX`, each name once, in the order of their text. */
export const arePartNames = (names: readonly string[]): boolean => {
  if (names.length > PARTS_MAX) return false
  let before = ''
  for (const name of names) {
    if (!isPartName(name) || name <= before) return false
    before = name
  }
  return true
}

/**
 * The parts of an event by name, without its request: their bytes, or `'erased'` for an erased part. If a name is missing, the event has
 * no part of that name.
 */
export type Parts = ReadonlyMap<string, Uint8Array | 'erased'>

export const noParts: Parts = new Map()

/** Whether an event names parts that folds and projections read: those of a conclusion. */
export const namesParts = ({ type, parts }: Pick<Event, 'type' | 'parts'>): boolean => {
  if (type !== 'ActivityCompleted') return false // beside a decision stand its request and the address of its caller
  for (const name in parts) if (name !== REQUEST) return true
  return false
}

/**
 * The parts of an event.
 *
 * @param there  the parts that the store has. They are copied, so that the result does not keep the whole page in memory
 */
export const partsOf = (event: Pick<Event, 'type' | 'parts'>, there: readonly Part[]): Parts => {
  if (!namesParts(event)) return noParts
  const parts = new Map<string, Uint8Array | 'erased'>()
  for (const name in event.parts) if (name !== REQUEST) parts.set(name, 'erased')
  for (const { name, bytes } of there) if (parts.has(name)) parts.set(name, new Uint8Array(bytes))
  return parts
}

/** The number of bytes of the parts that are not erased. */
export const partsLength = (parts: Parts): number => {
  let bytes = 0
  for (const part of parts.values()) bytes += part === 'erased' ? 0 : part.length
  return bytes
}

/**
 * Reads a part that `execute` gave as JSON.
 *
 * @returns `undefined` if the part was erased, or if the event has no part of that name
 * @throws TypeError if the codec cannot read the part, which is a bug of the operation. The engine then closes the organization, as
 *   for a change that cannot be read
 */
export const readPart = <A>(parts: Parts, name: string, codec: t.Type<A, unknown, unknown>): A | undefined => {
  const bytes = parts.get(name)
  if (bytes === undefined || bytes === 'erased') return undefined
  const decoded = codec.decode(parsed(bytes))
  if (decoded._tag === 'Right') return decoded.right
  throw new TypeError('a part is not in the form that its codec reads')
}

const parsed = (bytes: Uint8Array): Json | undefined => {
  try {
    return parseJson(decodeUtf8(bytes) ?? '') as Json // a parser made it
  } catch {
    return undefined
  }
}
