import { decodeCanonicalBase64, decodeUtf8, encodeBase64, encodeUtf8, stands } from '../bytes.ts'
import { parseJson } from '../json/parse-json.ts'
import type { Part } from '../ports/event-store.ts'
import { eventOf, hasKnownMembers, type Event } from './event.ts'
import { isNamedByUuids } from './event-guards.ts'
import type { FindingCode } from './finding.ts'
import { LINE_DEPTH_MAX, isDeeperThan, mayBeDeep } from './nesting.ts'

/**
 * A transcript is a log as text: a line per event or part, in the order of positions, and a closing line. The first member of a line
 * tells its kind: `organization` for an event, `part` for a part, `export` for the closing line.
 *
 * Each value has exactly one spelling, so that a line that is read and written again is the same line.
 */
export type TranscriptLine =
  | { readonly _tag: 'event'; readonly bytes: Uint8Array; readonly event: Event }
  /** `of` is the id of the event that the part belongs to; the part's line follows the event's. */
  | { readonly _tag: 'part'; readonly of: string; readonly part: Part }
  | { readonly _tag: 'unreadable'; readonly code: FindingCode; readonly message: string }

/** The content of the closing line, about all lines before it. */
export type Closing = {
  readonly events: number
  readonly parts: number
  readonly lines: number
  /** The SHA-256 of all bytes before the closing line, in hex. */
  readonly sha256: string
}

/** The longest line, in bytes. Stores take less in one commit, and base64 makes a part longer by a third. */
export const LINE_BYTES_MAX = 24 * 1024 * 1024

/** A part's line, without its line feed. */
export const encodePartLine = (of: string, part: Part): Uint8Array => encodeUtf8(partText(of, part))

const partText = (of: string, { name, salt, bytes }: Part): string =>
  `${partHead(of, name)}${SALT}${encodeBase64(salt)}${BYTES}${encodeBase64(bytes)}"}`

const partHead = (of: string, name: string): string => `{"part":${JSON.stringify(name)},"of":${JSON.stringify(of)}`
const SALT = ',"salt":"'
const BYTES = '","bytes":"'

/** The closing line, without its line feed. */
export const encodeClosing = ({ events, parts, lines, sha256 }: Closing): Uint8Array =>
  encodeUtf8(`{"export":1,"events":${events},"parts":${parts},"lines":${lines},"sha256":"${sha256}"}`)

/** Whether the line claims to be a closing line. */
export const isClosing = (line: Uint8Array): boolean => stands(CLOSING, line)

/** Whether the line claims to be a part. */
export const isPart = (line: Uint8Array): boolean => stands(PART, line)

/** Reads a closing line; `undefined` if it is not exactly as `encodeClosing` writes it. */
export const decodeClosing = (line: Uint8Array): Closing | undefined => {
  const match = CLOSING_LINE.exec(line.length <= 256 ? (decodeUtf8(line) ?? '') : '')
  if (match === null) return undefined
  const [, events, parts, lines, sha256 = ''] = match
  return { events: Number(events), parts: Number(parts), lines: Number(lines), sha256 }
}

/** Reads a line that is not the closing one, without its line feed. It never throws. */
export const decodeLine = (line: Uint8Array): TranscriptLine => {
  const text = decodeUtf8(line)
  if (text === undefined) return unreadable('expected UTF-8')
  if (isPart(line)) return partOf(text)
  const parsed = parse(text)
  if (parsed === undefined) return unreadable('expected a line of JSON')
  if (mayBeDeep(text) && isDeeperThan(LINE_DEPTH_MAX, parsed))
    return unreadable(`expected a nesting of at most ${LINE_DEPTH_MAX}`)
  return eventLineOf(line, text, parsed)
}

/** Salt and bytes have no escapes, so only the members before them are parsed as JSON. */
const partOf = (text: string): TranscriptLine => {
  const saltAt = text.indexOf(SALT)
  const bytesAt = text.indexOf(BYTES, saltAt)
  if (saltAt < 0 || bytesAt < 0 || !text.endsWith('"}')) return notAPart
  const head = text.slice(0, saltAt)
  const { part: name, of } = (parse(`${head}}`) ?? {}) as { readonly [name: string]: unknown } // begins with {
  if (typeof name !== 'string' || typeof of !== 'string' || partHead(of, name) !== head) return notAPart
  const salt = decodeCanonicalBase64(text.slice(saltAt + SALT.length, bytesAt))
  const bytes = decodeCanonicalBase64(text.slice(bytesAt + BYTES.length, -2))
  return salt === undefined || bytes === undefined ? notAPart : { _tag: 'part', of, part: { name, salt, bytes } }
}

const eventLineOf = (bytes: Uint8Array, text: string, parsed: unknown): TranscriptLine => {
  const event = eventOf(parsed)
  if (event._tag === 'Left') {
    return event.left.code === 'ORGANIZATION_CLOSED'
      ? { _tag: 'unreadable', code: 'EVENT_UNKNOWN', message: event.left.message }
      : unreadable('expected an event, a part or the closing line of an export')
  }
  if (!isNamedByUuids(event.right))
    return unreadable('expected organization, activity and id to be UUIDs in lower case')
  return hasKnownMembers(event.right, parsed) && JSON.stringify(parsed) === text
    ? { _tag: 'event', bytes, event: event.right }
    : unreadable('expected an event in its one spelling')
}

const PART = encodeUtf8('{"part":')
const CLOSING = encodeUtf8('{"export":')
const COUNT = '(0|[1-9][0-9]{0,14})'
const CLOSING_LINE = new RegExp(
  `^\\{"export":1,"events":${COUNT},"parts":${COUNT},"lines":${COUNT},"sha256":"([0-9a-f]{64})"\\}$`,
)

const unreadable = (message: string): TranscriptLine => ({ _tag: 'unreadable', code: 'LINE_UNREADABLE', message })
const notAPart = unreadable('expected a part in its one spelling')

const parse = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
