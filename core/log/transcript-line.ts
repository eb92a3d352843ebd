import { decodeCanonicalBase64, decodeUtf8, encodeBase64, encodeUtf8, equal, stands } from '../bytes.ts'
import { parseJson } from '../json/parse-json.ts'
import type { Part } from '../ports/event-store.ts'
import { encodeEvent, eventOf, EVENT_VERSION, withKnownMembers, type Event } from './event.ts'
import { isNamedByUuids } from './event-guards.ts'
import type { FindingCode } from './finding.ts'
import { DEPTH_MAX, isDeeperThan, mayBeDeep } from './nesting.ts'
import { readWritten } from './written-event.ts'
import { readWrittenPart } from './written-part.ts'

/**
 * A transcript is a log as text: a line per event or part, in the order of positions, and a closing line. The first
 * member of a line says what it is: `organization` begins an event, `part` a part, `export` the closing line.
 *
 * Each value has exactly one spelling, so that a line that is read and written again is the same line.
 */
export type TranscriptLine =
  | { readonly _tag: 'event'; readonly bytes: Uint8Array; readonly event: Event }
  /** `of` is the id of the event that it belongs to, and stands behind. */
  | { readonly _tag: 'part'; readonly of: string; readonly part: Part }
  | { readonly _tag: 'unreadable'; readonly code: FindingCode; readonly message: string }

/** What the last line says of all the others. */
export type Closing = {
  readonly events: number
  readonly parts: number
  readonly lines: number
  /** Of all bytes before the closing line, hex. */
  readonly sha256: string
}

/** No line is longer. Stores take less in one commit, and base64 makes a part a third longer. */
export const LINE_BYTES_MAX = 24 * 1024 * 1024

/** A part's line, without its line feed. */
export const encodePartLine = (of: string, part: Part): Uint8Array => encodeUtf8(partText(of, part))

const partText = (of: string, { name, salt, bytes }: Part): string =>
  `{"part":${JSON.stringify(name)},"of":${JSON.stringify(of)},"salt":"${encodeBase64(salt)}","bytes":"${encodeBase64(bytes)}"}`

/** The closing line, without its line feed. */
export const encodeClosing = ({ events, parts, lines, sha256 }: Closing): Uint8Array =>
  encodeUtf8(`{"export":1,"events":${events},"parts":${parts},"lines":${lines},"sha256":"${sha256}"}`)

/** Whether the line claims to be a closing line. */
export const isClosing = (line: Uint8Array): boolean => stands(CLOSING, line)

/** Whether the line claims to be a part. */
export const isPart = (line: Uint8Array): boolean => stands(PART, line)

/** Reads a closing line; `undefined` where it is spelled otherwise than `encodeClosing` does. */
export const decodeClosing = (line: Uint8Array): Closing | undefined => {
  const match = CLOSING_LINE.exec(line.length <= 256 ? (decodeUtf8(line) ?? '') : '')
  if (match === null) return undefined
  const [, events, parts, lines, sha256 = ''] = match
  return { events: Number(events), parts: Number(parts), lines: Number(lines), sha256 }
}

/** Reads a line that is not the closing one, without its line feed. It never throws. */
export const decodeLine = (line: Uint8Array): TranscriptLine => {
  if (isPart(line)) {
    const written = readWrittenPart(line)
    if (written !== undefined) return { _tag: 'part', of: written.of, part: written.part }
  }
  const text = decodeUtf8(line)
  if (text === undefined) return unreadable('expected UTF-8')
  const event = readWritten(text)
  return event === undefined ? decodeAnyLine(line, text) : { _tag: 'event', bytes: line, event }
}

/** As `decodeLine`, for whatever stands in the line. */
export const decodeAnyLine = (line: Uint8Array, text: string): TranscriptLine => {
  const parsed = parse(text)
  if (parsed === undefined) return unreadable('expected a line of JSON')
  if (mayBeDeep(text) && isDeeperThan(DEPTH_MAX, parsed))
    return unreadable(`expected a nesting of at most ${DEPTH_MAX}`)
  return isPart(line) ? partOf(text, parsed) : eventLineOf(line, text, parsed)
}

const partOf = (text: string, parsed: unknown): TranscriptLine => {
  const { part: name, of, salt: saltText, bytes: bytesText } = parsed as { readonly [name: string]: unknown } // begins with {
  if (typeof name !== 'string' || typeof of !== 'string') return notAPart
  if (typeof saltText !== 'string' || typeof bytesText !== 'string') return notAPart
  const salt = decodeCanonicalBase64(saltText)
  const bytes = decodeCanonicalBase64(bytesText)
  if (salt === undefined || bytes === undefined) return notAPart
  const canonical = `{"part":${JSON.stringify(name)},"of":${JSON.stringify(of)},"salt":"${saltText}","bytes":"${bytesText}"}`
  return canonical === text ? { _tag: 'part', of, part: { name, salt, bytes } } : notAPart
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
  // What upcasters brought to the form of today is no longer what the line says: of older versions the JSON is compared.
  const isCanonical =
    event.right.version === EVENT_VERSION
      ? equal(encodeEvent(withKnownMembers(event.right)), bytes)
      : JSON.stringify(parsed) === text
  return isCanonical
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
