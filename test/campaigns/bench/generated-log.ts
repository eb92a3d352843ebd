/**
 * Logs that no engine has decided on: commits that are told again after one that an engine has made, with other bodies, stamps, ids, times and
 * hashes. An audit finds nothing in them. It takes a fraction of the time of a command.
 */
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { activityIdOf, fingerprintOf, resourceIds } from '../../../core/activity/identity.ts'
import { link, type Tip } from '../../../core/log/chain.ts'
import { decodeEvent, instant, type Event, type EventPayload } from '../../../core/log/event.ts'
import { REQUEST } from '../../../core/log/parts.ts'
import { decodeRequestPart, encodeRequestPart } from '../../../core/log/request-part.ts'
import type { TranscriptEntry } from '../../../core/log/transcript-reader.ts'
import type { Digest } from '../../../core/ports/digest.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import type { Ids } from '../../../core/ports/ids.ts'
import type { Stamped } from './stamped.ts'

export type GeneratorPorts = { readonly digest: Digest; readonly ids: Ids; readonly now: () => number }

/** The events of a commit and their parts as a transcript has them, and the end of the log behind them. */
export type Generated = { readonly entries: readonly TranscriptEntry[]; readonly tip: Tip }

/** Makes the next commit of a log. */
export type Commits = (given: Stamped, tip: Tip) => Generated

/**
 * @param made  the events of a commit of one activity, as an engine has made them
 * @param name  the name that its activity gives
 * @throws an `Error` if the commit is not like this: one request, and all events at one time
 */
export const commitsLike = ({ digest, ids, now }: GeneratorPorts, made: readonly Recorded[], name: string): Commits => {
  const events = made.map(eventIn)
  const [first] = events
  const request = made[0]?.parts.find((part) => part.name === REQUEST)
  if (first === undefined || request === undefined || events.some(({ at }) => at !== first.at))
    throw new Error('expected the events of one request, at one time')
  const { body } = requestIn(request.bytes)
  const known = wordsOf(digest, { organization: first.organization, body, name }, first.at, first.sequence - 1n)
  const texts = events.map(({ data }) => compiled(JSON.stringify(data), known))
  const otherParts = made.map(({ parts }) =>
    parts
      .filter((part) => part.name !== REQUEST)
      .map((part) => [compiled(part.name, known), compiled(textIn(part.bytes), known)] as const),
  )
  return (given, tip) => {
    const at = instant(now())
    const words = wordsOf(digest, given, at, tip.sequence)
    const activity = words.activity()
    const entries: TranscriptEntry[] = []
    let end = tip
    for (const [index, { type, revision }] of events.entries()) {
      const data: unknown = JSON.parse(texts[index]?.(words.all) ?? '')
      const payload = { type, data } as EventPayload // the text of such data, in which words were replaced
      const parts: { [name: string]: Uint8Array } = {}
      if (index === 0) parts[REQUEST] = encodeRequestPart({ header: 'X-Stamp', stamp: given.stamp, body: given.body })
      for (const [partName, text] of otherParts[index] ?? []) parts[partName(words.all)] = encodeUtf8(text(words.all))
      const linked = link({ digest, ids }, end, {
        organization: given.organization,
        activity,
        revision,
        at,
        payload,
        parts,
      })
      end = linked.tip
      entries.push({ line: 0, _tag: 'event', bytes: linked.record.line, event: linked.event })
      for (const part of linked.record.parts) entries.push({ line: 0, _tag: 'part', of: linked.event.id, part })
    }
    return { entries, tip: end }
  }
}

/** The event of a line. */
export const eventIn = ({ line }: Pick<Recorded, 'line'>): Event => {
  const event = decodeEvent(line)
  if (event._tag === 'Left') throw new Error(event.left.message)
  return event.right
}

const textIn = (bytes: Uint8Array): string => {
  const text = decodeUtf8(bytes)
  if (text === undefined) throw new Error('expected parts with text')
  return text
}

const requestIn = (bytes: Uint8Array): { readonly body: Uint8Array } => {
  const request = decodeRequestPart(bytes)
  if (request._tag === 'Left') throw new Error(request.left.message)
  return request.right
}

/** The words of a commit that another one has differently, always in this order. Some are only made if a text has them. */
type Words = readonly (() => string)[]

/** How many things an activity of the bench makes at most. */
const MADE_MAX = 4

const wordsOf = (
  digest: Digest,
  { organization, body, name }: Pick<Stamped, 'organization' | 'body' | 'name'>,
  at: string,
  sequence: bigint,
): { readonly activity: () => string; readonly all: Words } => {
  const fingerprint = fingerprintOf(digest, body)
  const activity = activityIdOf(digest, organization, fingerprint)
  const made: string[] = []
  const next = resourceIds(digest, activity)
  const madeAs = (n: number): string => {
    while (made.length <= n) made.push(next())
    return made[n] ?? ''
  }
  const ofMade = Array.from({ length: MADE_MAX }, (_, n) => () => madeAs(n))
  const all = [
    () => organization,
    () => fingerprint,
    () => at,
    () => `"sequence":"${sequence}"`,
    () => JSON.stringify(name),
    ...ofMade,
  ]
  return { activity: () => activity, all }
}

/** Finds the words in a text once; the function writes the text with other words in their places. */
const compiled = (text: string, { all: known }: { readonly all: Words }): ((words: Words) => string) => {
  const spellings = known.map((word) => word())
  const pieces = text.split(new RegExp(`(${spellings.map(escaped).join('|')})`)).map((piece) => {
    const index = spellings.indexOf(piece)
    return index < 0 ? () => piece : (words: Words) => words[index]?.() ?? ''
  })
  return (words) => pieces.map((piece) => piece(words)).join('')
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
