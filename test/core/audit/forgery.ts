import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { resourceIds } from '../../../core/activity/identity.ts'
import { encodeBase64, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { hashOf, partHash } from '../../../core/log/chain.ts'
import { eventVersions } from '../../../core/log/event.ts'
import { closed, digest, linesOf } from './logs.ts'

const ids = nodeIds()

/** An event of an export, free to be changed, with its request. */
export type Draft = {
  event: {
    organization: string
    sequence: string
    activity: string
    revision: string
    type: string
    version: number
    id: string
    at: string
    previous: string
    data: { [member: string]: Json }
    parts: { [name: string]: string }
  }
  /** What the part `request` holds; undefined where there is none. */
  request: { head: { header: string; stamp: string }; body: string; salt?: Uint8Array } | undefined
  /** The other parts that are there. A part without a salt gets one. */
  others?: Other[]
  /** Parts that the event names, and that are not there. */
  erased?: { [name: string]: string }
}

/** A part that is no request. */
export type Other = { name: string; bytes: Uint8Array; salt?: Uint8Array }

export const draftsOf = (text: string): Draft[] => {
  const drafts: Draft[] = []
  for (const line of linesOf(text)) {
    const read = JSON.parse(line) as Draft['event'] & { part?: string; bytes?: string; salt?: string } // our own export
    const last = drafts.at(-1)
    if (read.part === undefined) drafts.push({ event: read, request: undefined })
    else if (last !== undefined && read.part === 'request') last.request = requestOf(read.bytes ?? '', read.salt ?? '')
    else if (last !== undefined) {
      const [bytes, salt] = [bytesOf(read.bytes ?? ''), bytesOf(read.salt ?? '')]
      last.others = [...(last.others ?? []), { name: read.part, bytes, salt }]
    }
  }
  for (const draft of drafts) {
    const there = [...(draft.others ?? []).map(({ name }) => name), draft.request === undefined ? '' : 'request']
    const gone = Object.entries(draft.event.parts).filter(([name]) => !there.includes(name))
    if (gone.length > 0) draft.erased = Object.fromEntries(gone)
  }
  return drafts
}

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

const requestOf = (bytes: string, salt: string): Draft['request'] => {
  const part = Buffer.from(bytes, 'base64').toString()
  const end = part.indexOf('\n')
  const head = JSON.parse(part.slice(0, end)) as { header: string; stamp: string } // our own export
  return { head, body: part.slice(end + 1), salt: bytesOf(salt) }
}

/**
 * Writes drafts as a log whose hashes all fit: what a forger does who has the store, but no keys. What was not changed, and
 * has nothing changed before it, stays byte for byte what it was.
 */
export const forged = (drafts: readonly Draft[]): string => {
  const tips = new Map<string, { sequence: bigint; hash: string }>()
  const revisions = new Map<string, bigint>()
  const lines: string[] = []
  for (const { event, request, others = [], erased } of drafts) {
    const tip = tips.get(event.organization) ?? { sequence: 0n, hash: '0'.repeat(64) }
    const revision = (revisions.get(event.activity) ?? 0n) + 1n
    revisions.set(event.activity, revision)
    const bytes = request === undefined ? undefined : encodeUtf8(`${JSON.stringify(request.head)}\n${request.body}`)
    const own = bytes === undefined ? [] : [{ name: 'request', salt: request?.salt, bytes }]
    const parts = [...own, ...others]
      .map((part) => ({ ...part, salt: part.salt ?? ids.bytes(32) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const named = [
      ...parts.map((part) => [part.name, partHash(digest, part)] as const),
      ...Object.entries(erased ?? {}),
    ]
    const line = JSON.stringify({
      ...event,
      sequence: String(tip.sequence + 1n),
      revision: String(revision),
      previous: tip.hash,
      parts: Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    })
    tips.set(event.organization, { sequence: tip.sequence + 1n, hash: hashOf(digest, encodeUtf8(line)) })
    lines.push(line)
    for (const { name, salt, bytes: content } of parts)
      lines.push(
        `{"part":"${name}","of":"${event.id}","salt":"${encodeBase64(salt)}","bytes":"${encodeBase64(content)}"}`,
      )
  }
  return closed(lines)
}

/** Another event that says the same: only its id is new. */
export const copied = (draft: Draft): Draft => {
  const copy = structuredClone(draft)
  copy.event.id = ids.eventId()
  return copy
}

/** Lets each event say that it was made on the states right before it: what a forger does who moves events. */
export const rebased = (drafts: readonly Draft[]): readonly Draft[] => {
  const sequences = new Map<string, number>()
  for (const draft of drafts) {
    const { organization, data } = draft.event
    const before = (one: string): Read => ({ organization: one, sequence: String(sequences.get(one) ?? 0) })
    const others = (read: Json | undefined) => ((read ?? []) as readonly Read[]).map((one) => before(one.organization)) // our own log
    if (data.decision !== undefined) {
      const { basis } = decisionOf(draft)
      basis.read = [before(organization), ...others(basis.read).slice(1)]
    } else if (data.read !== undefined) data.read = others(data.read)
    sequences.set(organization, (sequences.get(organization) ?? 0) + 1)
  }
  return drafts
}

type Read = { readonly organization: string; readonly sequence: string }

/** Lets each log name the logs below it as they begin now: what a forger does who has changed their beginnings. */
export const renamed = (drafts: readonly Draft[]): readonly Draft[] => {
  const seconds = new Map<string, string>()
  for (const line of linesOf(forged(drafts))) {
    const { organization = '', sequence } = JSON.parse(line) as Partial<Read> // our own line
    if (sequence === '2') seconds.set(organization, line)
  }
  for (const { event } of drafts) {
    const performed = event.data.performed as { genesisHash?: Json } | undefined // our own log
    const second = performed?.genesisHash === undefined ? undefined : seconds.get(resourceIds(digest, event.activity)())
    if (performed !== undefined && second !== undefined) performed.genesisHash = hashOf(digest, encodeUtf8(second))
  }
  return drafts
}

/** Lets an event say that its activity failed. */
export const fail = ({ event }: Draft, code: string): void => {
  const data = { failure: { code, message: 'no' }, revision: event.data['revision'] ?? 1 }
  Object.assign(event, { type: 'ActivityFailed', version: eventVersions.ActivityFailed, data })
}

/** An id that no event of the log has. */
export const anotherId = (): string => ids.uuid()

export const must = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error('the log is not as the test needs it')
  return value
}

/** The nth event of a type, from 1. */
export const find = (drafts: readonly Draft[], type: string, nth = 1): Draft =>
  must(drafts.filter(({ event }) => event.type === type)[nth - 1])

/** The first vote of a kind. */
export const votes = (drafts: readonly Draft[], selection: string): Draft =>
  must(drafts.find(({ event }) => event.data.selection === selection))

type Decision = { verdict: { [member: string]: Json }; basis: { [member: string]: Json } }
export const decisionOf = ({ event }: Draft): Decision => event.data.decision as Decision // our own log
