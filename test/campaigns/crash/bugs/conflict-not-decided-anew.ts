import { nodeDigest } from '../../../../adapters/digest/node-digest.ts'
import { hashOf } from '../../../../core/log/chain.ts'
import { decodeEvent, encodeEvent } from '../../../../core/log/event.ts'
import type { Appended, Commit, EventStore, NewEvent } from '../../../../core/ports/event-store.ts'
import type { Failure } from '../../../../core/failure.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { E } from '../../../../core/prelude.ts'
import { appendAlone, oneByOne } from './one-by-one.ts'

/**
 * Where somebody else has written in between, links the very same commit to the end of the log as it is now, whatever was
 * decided there; and tells nobody.
 */
export const neverDecidingAnew = (storage: Storage): Storage => oneByOne(storage, insist)

const insist = async (store: EventStore, commit: Commit): Promise<E.Either<Failure, Appended>> => {
  for (let next = commit; ;) {
    const appended = await appendAlone(store, next)
    if (E.isLeft(appended)) return appended
    if (appended.right._tag !== 'conflict') return E.right(asExpected(commit, appended.right))
    const relinked = await relink(store, commit)
    if (relinked === undefined) return appended
    next = relinked
  }
}

// The cell believes that its log went on as it had thought.
const asExpected = ({ expected, events }: Commit, answer: Appended): Appended =>
  answer._tag === 'committed' && typeof expected === 'bigint'
    ? { ...answer, sequence: expected + BigInt(events.length) }
    : answer

const relink = async (store: EventStore, commit: Commit): Promise<Commit | undefined> => {
  const head = await store.head(commit.organization)()
  if (E.isLeft(head) || head.right === undefined) return undefined
  let { sequence } = head.right
  let previous = hashOf(nodeDigest(), head.right.line)
  const events: NewEvent[] = []
  for (const record of commit.events) {
    const event = decodeEvent(record.line)
    if (E.isLeft(event)) return undefined
    sequence += 1n
    const line = encodeEvent({ ...event.right, sequence, previous })
    previous = hashOf(nodeDigest(), line)
    events.push({ ...record, line })
  }
  return { ...commit, expected: head.right.sequence, after: undefined, events }
}
