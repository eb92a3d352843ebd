import { randomUUID } from 'node:crypto'
import type { ExpectedEnd, FirstEvent, StreamEvent, Trouble } from './log-client.ts'
import { refusalOf, refused } from './worker-refusal.ts'
import type { LeaderClient } from './worker-client.ts'
import type { Answer, Refused } from './worker-messages.ts'

/**
 * The server gets the moment of its deadline, by the clock of this machine. That one may be slow, so the deadline is far away: the server
 * has a limit of its own, and we have ours.
 */
const DEADLINE_MS = 3_600_000

/** Numbers that no position has: where the server did not tell one. */
const isTold = (position: bigint | undefined): position is bigint =>
  position !== undefined && position >= 0n && position < 2n ** 63n

/** Appends the first events of other streams at the same time, and then those of this one, unless one of the first is not acknowledged. */
export const appendBehind = async (
  client: LeaderClient,
  first: readonly FirstEvent[],
  stream: string,
  expected: ExpectedEnd,
  events: readonly StreamEvent[],
): Promise<Answer> => {
  const answers = await Promise.all(first.map((one) => append(client, one.stream, 'none', [one.event])))
  const refusals = answers.filter((answer) => answer._tag === 'refused')
  const [refusal] = refusals
  if (refusal === undefined) return append(client, stream, expected, events)
  return refusals.find(({ trouble }) => !FOR_GOOD.has(trouble._tag)) ?? FIRST_REFUSED
}

/** What somebody who looks at the stream can go on with. */
const FOR_GOOD: ReadonlySet<Trouble['_tag']> = new Set(['wrong-end', 'deleted', 'too-large'])
const FIRST_REFUSED = refused({ _tag: 'first-refused' }, 'an event that goes before the others was refused')

const append = async (
  client: LeaderClient,
  stream: string,
  expected: ExpectedEnd,
  events: readonly StreamEvent[],
): Promise<Answer> => {
  try {
    const { nextExpectedRevision: revision, position } = await client.appendToStream(
      stream,
      events.map(({ id, type, data, metadata }) => ({
        id,
        type,
        contentType: 'application/octet-stream',
        data,
        metadata,
      })),
      { expectedRevision: expected === 'none' ? 'no_stream' : expected, requiresLeader: true, deadline: DEADLINE_MS },
    )
    if (isTold(position?.commit)) return { _tag: 'appended', revision, position: position.commit }
    return await appendedAt(client, stream, revision)
  } catch (error) {
    const refusal = refusalOf(error, true)
    return isContradiction(refusal, expected) ? realEnd(client, stream, refusal) : refusal
  }
}

/** Where the server does not tell the position of a repeated append, the event has it. */
const appendedAt = async (client: LeaderClient, stream: string, revision: bigint): Promise<Answer> => {
  for await (const { event } of lastOf(client, stream, revision)) {
    const position = event?.position?.commit
    if (event?.revision === revision && isTold(position)) return { _tag: 'appended', revision, position }
  }
  return refused({ _tag: 'unknown' }, 'the server did not tell the position of what it appended: try again')
}

/** The server says that the stream ends elsewhere, and names the end that was expected. */
const isContradiction = ({ trouble }: Refused, expected: ExpectedEnd): boolean =>
  trouble._tag === 'wrong-end' && trouble.actual === expected

const realEnd = async (client: LeaderClient, stream: string, refusal: Refused): Promise<Refused> => {
  try {
    for await (const { event } of lastOf(client, stream, 'end'))
      if (event !== undefined) return { ...refusal, trouble: { _tag: 'wrong-end', actual: event.revision } }
    return refusal
  } catch {
    return refusal
  }
}

const lastOf = (client: LeaderClient, stream: string, fromRevision: bigint | 'end') =>
  client.readStream(stream, { fromRevision, direction: 'backwards', maxCount: 1, requiresLeader: true })

export const tombstone = async (client: LeaderClient, stream: string): Promise<Answer> => {
  try {
    await client.tombstoneStream(stream, { expectedRevision: 'any', requiresLeader: true, deadline: DEADLINE_MS })
    return DONE
  } catch (error) {
    const refusal = refusalOf(error, true)
    return refusal.trouble._tag === 'deleted' ? DONE : refusal
  }
}

/** A stream that is gone already has nothing that could be removed. */
export const deleteSoftly = async (client: LeaderClient, stream: string, last: bigint): Promise<Answer> => {
  try {
    await client.deleteStream(stream, { expectedRevision: last, requiresLeader: true, deadline: DEADLINE_MS })
    return DONE
  } catch (error) {
    return refusalOf(error, true)
  }
}

const DONE: Answer = { _tag: 'done' }

/** No stream ends there, so that a leader refuses the append for this reason, and only after all others. Nothing is written. */
const NO_END = 2n ** 62n
const NO_EVENT = { type: 'check', data: new Uint8Array(), metadata: new Uint8Array() }

/** @param stream  one that the user of the store may write to */
export const checkLeader = async (client: LeaderClient, stream: string): Promise<Answer> => {
  try {
    await client.appendToStream(
      stream,
      { ...NO_EVENT, id: randomUUID(), contentType: 'application/octet-stream' },
      { expectedRevision: NO_END, requiresLeader: true, deadline: DEADLINE_MS },
    )
    return DONE
  } catch (error) {
    const refusal = refusalOf(error, false)
    return refusal.trouble._tag === 'wrong-end' || refusal.trouble._tag === 'deleted' ? DONE : refusal
  }
}
