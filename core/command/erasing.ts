import { partsToErase, type PersonalRow } from '../activity/erasure.ts'
import { failure, type Failure } from '../failure.ts'
import type { PartPlace } from '../ports/event-store.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { Runner } from '../projection/runner.ts'
import { hashOf } from '../log/chain.ts'
import type { Digest } from '../ports/digest.ts'
import type { Erased, Erasing, Head, PersonalPlace } from '../resources/erasure/erasing.ts'
import { writeSequences } from '../resources/erasure/sequences.ts'
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

  return {
    find,
    erase: (toErase, signal) => async () => {
      const { organizationId, head } = toErase
      const standing = await checkHead(organizationId, head)
      if (E.isLeft(standing)) return standing
      const found = await find(toErase, signal)()
      if (E.isLeft(found)) return found
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

const noSuchHead = failure('REQUEST_INVALID', 'the head is not in the log of this organization: nothing was erased')

const isParked = failure(
  'UNAVAILABLE',
  'the index of personal data is parked for this organization: its projection threw',
)
