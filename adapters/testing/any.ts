import { randomBytes, randomUUID } from 'node:crypto'
import type { Appended, Commit, NewEvent, Part } from '../../core/ports/event-store.ts'

const utf8 = new TextEncoder()
let count = 0

/** A new event of a new activity; `given` replaces members. */
export const anyEvent = (given: Partial<NewEvent> = {}): NewEvent => {
  const activity = given.activity ?? randomUUID()
  const revision = given.revision ?? 1n
  const line = utf8.encode(JSON.stringify({ activity, revision: String(revision), number: ++count }))
  return { id: randomUUID(), activity, revision, line, parts: [], ...given }
}

/** Events of one new activity, in order. */
export const anyEvents = (length: number, activity: string = randomUUID()): readonly NewEvent[] =>
  Array.from({ length }, (_, i) => anyEvent({ activity, revision: BigInt(i + 1) }))

export const anyPart = (given: Partial<Part> = {}): Part => ({
  name: 'request',
  salt: randomBytes(32),
  bytes: randomBytes(20),
  ...given,
})

/** A commit of one event to a log of its own; `given` replaces members. */
export const anyCommit = (given: Partial<Commit> = {}): Commit => ({
  organization: randomUUID(),
  expected: 'any',
  events: [anyEvent()],
  checks: [],
  ...given,
})

export const committed = (sequence: bigint, position: bigint): Appended => ({ _tag: 'committed', sequence, position })
export const conflict = (sequence: bigint, position: bigint): Appended => ({ _tag: 'conflict', sequence, position })
export const duplicate = (sequence: bigint, position: bigint): Appended => ({ _tag: 'duplicate', sequence, position })
export const partialDuplicate: Appended = { _tag: 'partial-duplicate' }
