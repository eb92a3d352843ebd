import { partsToErase, type PersonalRow } from '../activity/erasure.ts'
import { failure, type Failure } from '../failure.ts'
import { decodeEvent } from '../log/event.ts'
import { REQUEST } from '../log/parts.ts'
import { decodeRequestPart } from '../log/request-part.ts'
import { equal } from '../bytes.ts'
import type { PartPlace, Recorded } from '../ports/event-store.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { Runner } from '../projection/runner.ts'
import type { Erased, Erasing, PersonalPlace, ToErase } from '../resources/erasure/erasing.ts'
import { writeSequences } from '../resources/erasure/sequences.ts'
import type { LiveActivities } from '../writing/live-activities.ts'
import type { Organizations } from '../writing/organizations.ts'

export type ErasingPorts = {
  readonly storage: Storage
  readonly organizations: Pick<Organizations, 'forget'>
  readonly activities: Pick<LiveActivities, 'forget'>
  /** The projection that says where personal data is. */
  readonly places: () => Runner | undefined
}

const PAGE = 500

/**
 * Erases the data of a person. The order matters: first the parts, then what was read from them. So nothing that is kept after the end
 * was made from parts that were still there.
 */
export const erasing = ({ storage, organizations, activities, places }: ErasingPorts): Erasing => {
  const { store, readModels } = storage

  const find: Erasing['find'] = (toErase, signal) => async () => {
    const { organizationId, userId, requests } = toErase
    const name = await caughtUp(organizationId, signal)
    if (E.isLeft(name)) return name
    const found: PersonalPlace[] = []
    const older = new Set<string>()
    for (let after = 0n; ;) {
      const selection = { limit: PAGE, ascending: true, after, first: [userId] }
      const rows = await readModels.rows(name.right, organizationId, selection)()
      if (E.isLeft(rows)) return rows
      for (const { order, value } of rows.right) {
        const row = value as PersonalRow // written by the projection
        found.push(...partsToErase(row, userId, requests).map((part) => placeOf(order, row, part)))
        if (row.line !== undefined) found.push(placeOf(order, row, undefined))
        if (row.line === 'MEMBERS' || (row.part === true && row.request === undefined)) older.add(row.activity)
      }
      const last = rows.right.at(-1)
      if (rows.right.length < PAGE || last === undefined) break
      after = last.order
    }
    const more = await olderRequests(toErase, older)
    return E.map((requested: readonly PersonalPlace[]) => inOrder([...found, ...requested]))(more)
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

  /** The requests of activities from before requests said whose data they hold: their conclusions say it, which may be newer. */
  const olderRequests = async (
    { organizationId }: ToErase,
    older: ReadonlySet<string>,
  ): Promise<E.Either<Failure, readonly PersonalPlace[]>> => {
    const more: PersonalPlace[] = []
    for (const activityId of older) {
      const recorded = await store.readActivity(organizationId, activityId, { parts: [REQUEST] })()
      if (E.isLeft(recorded)) return recorded
      for (const sequence of ownRequests(recorded.right)) more.push({ sequence, activityId, part: REQUEST })
    }
    return E.right(more)
  }

  return {
    find,
    erase: (toErase, signal) => async () => {
      const { organizationId } = toErase
      const found = await find(toErase, signal)()
      if (E.isLeft(found)) return found
      const parts = namedParts(found.right)
      const erased = await store.eraseParts(organizationId, parts)()
      if (E.isLeft(erased)) return erased
      await organizations.forget(organizationId)
      activities.forget(organizationId)
      const dropped = await readModels.dropSnapshot(organizationId)()
      return E.isLeft(dropped)
        ? dropped
        : E.right({ erased: listOf(parts), inLines: found.right.length - parts.length })
    },
  }
}

const placeOf = (sequence: bigint, { activity }: PersonalRow, part: string | undefined): PersonalPlace => ({
  sequence,
  activityId: activity,
  part,
})

/** In the order of the log, each place once. */
const inOrder = (places: readonly PersonalPlace[]): readonly PersonalPlace[] => {
  const once = new Map(places.map((place) => [`${place.sequence} ${place.part ?? ''}`, place]))
  return [...once.values()].toSorted((a, b) => (a.sequence < b.sequence ? -1 : a.sequence > b.sequence ? 1 : 0))
}

/** The events of version 1 whose requests have the body of the activity: its own request, and the votes that are copies of it. */
const ownRequests = (recorded: readonly Recorded[]): readonly bigint[] => {
  const body = recorded[0] && bodyOf(recorded[0])
  return recorded.flatMap((one) => {
    const event = decodeEvent(one.line)
    if (E.isLeft(event) || event.right.version > 1 || !Object.hasOwn(event.right.parts, REQUEST)) return []
    const own = bodyOf(one)
    // Of an erased request nobody knows any more what it was: it is named again, which changes nothing.
    return own === undefined || body === undefined || equal(own, body) ? [one.sequence] : []
  })
}

const bodyOf = ({ parts }: Recorded): Uint8Array | undefined => {
  const part = parts.find(({ name }) => name === REQUEST)
  const request = part && decodeRequestPart(part.bytes)
  return request !== undefined && E.isRight(request) ? request.right.body : undefined
}

const namedParts = (places: readonly PersonalPlace[]): readonly PartPlace[] =>
  places.flatMap(({ sequence, part }) => (part === undefined ? [] : [{ sequence, name: part }]))

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

const isParked = failure(
  'UNAVAILABLE',
  'the index of personal data is parked for this organization: its projection threw',
)
