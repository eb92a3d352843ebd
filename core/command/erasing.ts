import { partsToErase, type PersonalRow } from '../activity/erasure.ts'
import { failure, type Failure } from '../failure.ts'
import { decodeEvent } from '../log/event.ts'
import { REQUEST } from '../log/parts.ts'
import { PENDING, type PartPlace } from '../ports/event-store.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { Runner } from '../projection/runner.ts'
import { hashOf } from '../log/chain.ts'
import type { Digest } from '../ports/digest.ts'
import type { Erased, Erasing, Head, PersonalPlace } from '../resources/erasure/erasing.ts'
import { writeSequences } from '../resources/erasure/sequences.ts'
import { withCause } from '../telemetry/cause.ts'
import type { LiveActivities } from '../writing/live-activities.ts'
import type { Organizations } from '../writing/organizations.ts'

export type ErasingPorts = {
  readonly storage: Storage
  readonly digest: Digest
  readonly organizations: Pick<Organizations, 'forget'>
  readonly activities: Pick<LiveActivities, 'forget'>
  /** The projection that says where personal data is. */
  readonly places: () => Runner | undefined
}

const PAGE = 500

/**
 * Erases the data of a person. The order matters: first the parts, then the snapshots, then what is in memory. So nothing that is kept after
 * the end was made from parts that were still there, or from a snapshot that was.
 */
export const erasing = ({ storage, digest, organizations, activities, places }: ErasingPorts): Erasing => {
  const { store, readModels } = storage

  const find: Erasing['find'] = (toErase, signal) => async () => {
    const { organizationId, userId, requests } = toErase
    const name = await caughtUp(organizationId, signal)
    if (E.isLeft(name)) return name
    const found: PersonalPlace[] = []
    for (let after = 0n; ;) {
      const selection = { limit: PAGE, ascending: true, after, first: [userId] }
      const rows = await readModels.rows(name.right, organizationId, selection)()
      if (E.isLeft(rows)) return rows
      for (const { order, value } of rows.right) {
        const row = value as PersonalRow // written by the projection
        found.push(...partsToErase(row, userId, requests).map((part) => placeOf(order, row, part)))
      }
      const last = rows.right.at(-1)
      if (rows.right.length < PAGE || last === undefined) break
      after = last.order
    }
    return E.right(found)
  }

  /** Waits until the projection has taken all events that are durable now; gives its stored name. */
  const caughtUp = async (
    organizationId: string,
    signal: AbortSignal | undefined,
  ): Promise<E.Either<Failure, string>> => {
    const runner = places()
    if (runner === undefined) return E.left(failure('UNAVAILABLE', 'this engine was made without `erasure`'))
    const last = await store.lastPosition()()
    if (E.isLeft(last)) return last
    const passed = await runner.passed(last.right, signal)
    if (E.isLeft(passed)) return passed
    return runner.holds(organizationId) ? E.left(isParked) : E.right(runner.name)
  }

  /** Checks that the log has the head that the request names. */
  const checkHead = async (organizationId: string, { sequence, hash }: Head): Promise<E.Either<Failure, void>> => {
    const at = BigInt(sequence)
    const found = at === 0n ? E.right([]) : await store.readLog(organizationId, at - 1n, 1)()
    if (E.isLeft(found)) return found
    const [recorded] = found.right
    return recorded?.sequence === at && hashOf(digest, recorded.line) === hash ? E.right(undefined) : E.left(noSuchHead)
  }

  /** One of the activities whose effects were started and have not ended: without its request it never could. */
  const unfinishedAmong = async (
    organizationId: string,
    wanted: ReadonlySet<string>,
  ): Promise<E.Either<Failure, string | undefined>> => {
    for (let after = 0n; wanted.size > 0;) {
      const selection = { limit: PAGE, ascending: true, after, statuses: [PENDING] }
      const page = await store.activities(organizationId, selection)()
      if (E.isLeft(page)) return page
      const unfinished = page.right.find(({ activity }) => wanted.has(activity))
      if (unfinished !== undefined) return E.right(unfinished.activity)
      const last = page.right.at(-1)
      if (page.right.length < PAGE || last === undefined) break
      after = last.sequence
    }
    return E.right(undefined)
  }

  /**
   * Checks that what would be believed without these requests stands at or before the head: they themselves, and the completions of their
   * activities, or the starts. Whoever asked for the erasure has stamped all that; an audit wants it.
   */
  const checkBehind = async (
    organizationId: string,
    requests: readonly PersonalPlace[],
    head: bigint,
  ): Promise<E.Either<Failure, void>> => {
    const late = requests.find(({ sequence }) => sequence > head)
    if (late !== undefined) return E.left(isNewer(late.activityId))
    for (const activityId of activitiesOf(requests)) {
      const recorded = await store.readActivity(organizationId, activityId, { parts: false })()
      if (E.isLeft(recorded)) return recorded
      const events = recorded.right.flatMap(({ line }) => {
        const event = decodeEvent(line)
        return E.isRight(event) ? [event.right] : []
      })
      const completed = events.find(({ type }) => type === 'ActivityCompleted')
      const settling = completed && (events.find(({ type }) => type === 'ActivityStarted') ?? completed)
      if (settling !== undefined && settling.sequence > head) return E.left(isNewer(activityId))
    }
    return E.right(undefined)
  }

  return {
    find,
    erase: (toErase, signal) => async () => {
      const { organizationId, head } = toErase
      const checked = await checkHead(organizationId, head)
      if (E.isLeft(checked)) return checked
      const found = await find(toErase, signal)()
      if (E.isLeft(found)) return found
      const requests = found.right.filter(({ part }) => part === REQUEST)
      const unfinished = await unfinishedAmong(organizationId, activitiesOf(requests))
      if (E.isLeft(unfinished)) return unfinished
      if (unfinished.right !== undefined) return E.left(waitsFor(unfinished.right))
      const standsBehind = await checkBehind(organizationId, requests, BigInt(head.sequence))
      if (E.isLeft(standsBehind)) return standsBehind
      const parts = found.right.map(({ sequence, part }): PartPlace => ({ sequence, name: part }))
      const erased = await store.eraseParts(organizationId, parts)()
      if (E.isLeft(erased)) return erased
      const dropped = await readModels.dropSnapshot(organizationId)()
      if (E.isLeft(dropped)) return dropped
      await organizations.forget(organizationId)
      activities.forget(organizationId)
      return E.right({ erased: listOf(parts) })
    },
  }
}

const placeOf = (sequence: bigint, { activity }: PersonalRow, part: string): PersonalPlace => ({
  sequence,
  activityId: activity,
  part,
})

const activitiesOf = (places: readonly PersonalPlace[]): ReadonlySet<string> =>
  new Set(places.map(({ activityId }) => activityId))

/** The parts by name, in the order of the log. */
const listOf = (parts: readonly PartPlace[]): Erased['erased'] => {
  const byName = new Map<string, bigint[]>()
  for (const { sequence, name } of parts) {
    const sequences = byName.get(name) ?? []
    byName.set(name, sequences)
    sequences.push(sequence)
  }
  return [...byName].map(([name, sequences]) => ({ name, sequences: writeSequences(sequences) }))
}

const isNewer = (activity: string): Failure =>
  failure(
    'CONFLICT',
    `the activity ${activity}, whose request would be erased, went on behind the head: ask again with a newer head`,
  )

const noSuchHead = failure('REQUEST_INVALID', 'the head is not in the log of this organization: nothing was erased')

const waitsFor = (activity: string): Failure =>
  withCause(
    failure('UNAVAILABLE', `the erasure waits for the end of activity ${activity}, whose request it erases`),
    () => ({
      waitsFor: activity,
    }),
  )

const isParked = failure(
  'UNAVAILABLE',
  'the index of personal data is parked for this organization: its projection threw',
)
