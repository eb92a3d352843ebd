import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { encodeBase64, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { hashOf, partHash } from '../../../core/log/chain.ts'
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
  /** Parts that the event names, and that are not there. */
  erased?: { [name: string]: string }
}

export const draftsOf = (text: string): Draft[] => {
  const drafts: Draft[] = []
  for (const line of linesOf(text)) {
    const read = JSON.parse(line) as Draft['event'] & { part?: string; bytes?: string; salt?: string } // our own export
    const last = drafts.at(-1)
    if (read.part === undefined) drafts.push({ event: read, request: undefined })
    else if (last !== undefined) last.request = requestOf(read.bytes ?? '', read.salt ?? '')
  }
  for (const draft of drafts)
    if (draft.request === undefined && draft.event.parts.request !== undefined) draft.erased = draft.event.parts
  return drafts
}

const requestOf = (bytes: string, salt: string): Draft['request'] => {
  const part = Buffer.from(bytes, 'base64').toString()
  const end = part.indexOf('\n')
  const head = JSON.parse(part.slice(0, end)) as { header: string; stamp: string } // our own export
  return { head, body: part.slice(end + 1), salt: new Uint8Array(Buffer.from(salt, 'base64')) }
}

/**
 * Writes drafts as a log whose hashes all fit: what a forger does who has the store, but no keys. What was not changed, and
 * has nothing changed before it, stays byte for byte what it was.
 */
export const forged = (drafts: readonly Draft[]): string => {
  const tips = new Map<string, { sequence: bigint; hash: string }>()
  const revisions = new Map<string, bigint>()
  const lines: string[] = []
  for (const { event, request, erased } of drafts) {
    const tip = tips.get(event.organization) ?? { sequence: 0n, hash: '0'.repeat(64) }
    const revision = (revisions.get(event.activity) ?? 0n) + 1n
    revisions.set(event.activity, revision)
    const bytes = request === undefined ? undefined : encodeUtf8(`${JSON.stringify(request.head)}\n${request.body}`)
    const part = bytes === undefined ? undefined : { name: 'request', salt: request?.salt ?? ids.bytes(32), bytes }
    const line = JSON.stringify({
      ...event,
      sequence: String(tip.sequence + 1n),
      revision: String(revision),
      previous: tip.hash,
      parts: { ...(part === undefined ? {} : { request: partHash(digest, part) }), ...erased },
    })
    tips.set(event.organization, { sequence: tip.sequence + 1n, hash: hashOf(digest, encodeUtf8(line)) })
    lines.push(line)
    if (part === undefined) continue
    const [salt, base64] = [encodeBase64(part.salt), encodeBase64(part.bytes)]
    lines.push(`{"part":"request","of":"${event.id}","salt":"${salt}","bytes":"${base64}"}`)
  }
  return closed(lines)
}

/** Another event that says the same: only its id is new. */
export const copied = (draft: Draft): Draft => {
  const copy = structuredClone(draft)
  copy.event.id = ids.eventId()
  return copy
}

/** Lets each decision say that it was made on the state right before it: what a forger does who moves events. */
export const rebased = (drafts: readonly Draft[]): readonly Draft[] => {
  const sequences = new Map<string, number>()
  for (const draft of drafts) {
    const { organization, data } = draft.event
    const before = sequences.get(organization) ?? 0
    sequences.set(organization, before + 1)
    if (data.decision !== undefined) decisionOf(draft).basis.read = [{ organization, sequence: String(before) }]
  }
  return drafts
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
