/** The least that a durable submit needs of a store: the rows of a commit, appended in groups, with no engine in between. */
import { nodeIds, systemClock } from 'countersign'
import type { Commit, EventStore, NewEvent } from '../../../core/ports/event-store.ts'
import { isDurable, lane } from '../../../core/writing/lane.ts'

/** @returns a function that appends a commit as large as the last one of the organization, and resolves when it is durable */
export const appending = async (
  made: EventStore,
  organization: string,
  store: EventStore,
): Promise<() => Promise<void>> => {
  const templates = await lastCommitOf(made, organization)
  const writer = lane({ store, clock: systemClock() })
  const ids = nodeIds()
  let sequence = 0n
  const next = (): Commit => {
    const activity = ids.uuid()
    const expected = sequence === 0n ? 'none' : sequence
    sequence += BigInt(templates.length)
    const events = templates.map((template, index) => ({
      ...template,
      id: ids.eventId(),
      activity,
      revision: BigInt(index + 1),
    }))
    return { organization, expected, events, checks: [] }
  }
  return () =>
    new Promise((resolve, reject) => {
      writer.append(next(), (outcome) =>
        outcome._tag === 'Right' && isDurable(outcome.right)
          ? resolve()
          : reject(new Error('the store refused a commit of the bench')),
      )
    })
}

/** As the engine writes it, so that all who append pay for the same index. */
export const STANDING = { type: 'ACTIVITY_TYPE_UPDATE_USER_TAG', status: 'ACTIVITY_STATUS_COMPLETED' }

const lastCommitOf = async (store: EventStore, organization: string): Promise<readonly NewEvent[]> => {
  const read = await store.readLog(organization, 0n, 1_000)()
  if (read._tag === 'Left') throw new Error(read.left.message)
  const activity = read.right.at(-1)?.activity
  return read.right
    .filter((one) => one.activity === activity)
    .map(({ id, revision, line, parts }) => ({ id, activity: '', revision, line, parts, standing: STANDING }))
}
