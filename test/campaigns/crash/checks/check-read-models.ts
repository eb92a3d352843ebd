import { isDeepStrictEqual } from 'node:util'
import { nodeDigest } from '../../../../adapters/digest/node-digest.ts'
import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import { encodeUtf8 } from '../../../../core/bytes.ts'
import { hashOf } from '../../../../core/log/chain.ts'
import { noParts, partsOf } from '../../../../core/log/parts.ts'
import { foldEvent } from '../../../../core/organization/fold.ts'
import { initial } from '../../../../core/organization/state.ts'
import { encodeStates } from '../../../../core/organization/snapshot.ts'
import type { ReadModels, RowChange, RowSelection, SnapshotPart } from '../../../../core/ports/read-models.ts'
import type { Event } from '../../../../core/log/event.ts'
import type { Recorded } from '../../../../core/ports/event-store.ts'
import { E } from '../../../../core/prelude.ts'
import { compareStandings } from '../../../../core/projection/compare-standings.ts'
import { storedName, type Projection } from '../../../../core/definition/projection.ts'
import { handleOf } from '../../../../core/projection/handle.ts'
import { parentsIn } from '../../../../core/projection/parents.ts'
import { subOrganizations } from '../../../../core/resources/sub-organization/sub-organizations.ts'
import { sentTransfers } from '../../../../examples/wire-transfer/wire-transfer.ts'
import { knownOperations, right, type Found } from '../found.ts'

export const projections: readonly Projection[] = [sentTransfers, subOrganizations]

/**
 * The rows of every projection are those of a rebuild from the first event, the store lists each activity as its events say, and a snapshot is
 * the fold.
 */
export const checkReadModels = async (found: Found): Promise<readonly string[]> => {
  const rebuilt = await rebuild(found)
  const organizations = [...new Set(found.recorded.map(({ organization }) => organization))]
  const violations: string[] = []
  for (const projection of projections) {
    const name = storedName(projection)
    for (const organization of organizations) {
      for (const selection of selections) {
        const [kept, fresh] = [found.storage.readModels, rebuilt].map((models) =>
          rowsOf(models, name, organization, selection),
        )
        if ((await kept) === (await fresh)) continue
        violations.push(`the rows of ${name} are not those of a rebuild (${JSON.stringify(selection.first ?? 'all')})`)
        break
      }
    }
  }
  const wrong = right(await compareStandings(found.storage.store))
  if (wrong === undefined) violations.push('the store has no list of activities')
  for (const { activity } of wrong ?? []) violations.push(`activity ${activity} is listed otherwise than its log says`)
  for (const organization of organizations) violations.push(...(await checkSnapshot(found, organization)))
  return violations
}

const ALL = 1_000_000
const selections: readonly RowSelection[] = [
  { limit: ALL },
  ...['PENDING', 'COMPLETED', 'FAILED', 'REJECTED', 'CONSENSUS_NEEDED'].map((status) => ({
    limit: ALL,
    first: [`ACTIVITY_STATUS_${status}`],
  })),
]

const partsAt = (event: Event, at: Recorded | undefined) => (at === undefined ? noParts : partsOf(event, at.parts))

const rebuild = async ({ storage, recorded, events }: Found): Promise<ReadModels> => {
  const { readModels } = memoryStore()
  const last = recorded.at(-1)?.position ?? 0n
  for (const projection of projections) {
    const changes: RowChange[] = []
    const handle = handleOf(projection, projection.parents === true ? parentsIn(storage.store) : undefined)
    for (const [index, event] of events.entries()) {
      const at = recorded[index]
      const made = handle(event, at?.position ?? 0n, partsAt(event, at))
      changes.push(...(made instanceof Promise ? right(await made) : made))
    }
    right(await readModels.move(storedName(projection), 0n, last, changes)())
  }
  return readModels
}

const rowsOf = async (
  models: ReadModels,
  name: string,
  organization: string,
  selection: RowSelection,
): Promise<string> => {
  const rows = right(await models.rows(name, organization, selection)())
  // In which order a store gives rows of one place is up to it.
  return rows
    .map(({ key, order, value }) => JSON.stringify([String(order), key, value]))
    .toSorted()
    .join()
}

const checkSnapshot = async (
  { storage, recorded, events }: Found,
  organization: string,
): Promise<readonly string[]> => {
  const snapshot = right(await storage.readModels.snapshot(organization)())
  if (snapshot === undefined) return []
  const draft = initial(organization)
  for (const [index, event] of events.entries()) {
    if (event.organization !== organization) continue
    if (E.isLeft(foldEvent(draft, event, knownOperations, partsAt(event, recorded[index]))))
      return [`organization ${organization} cannot be folded`]
    if (event.sequence !== snapshot.sequence) continue
    const isSame = isDeepStrictEqual(plain(encodeStates(draft).parts), plain(snapshot.parts))
    const isAfter = hashOf(nodeDigest(), recorded[index]?.line ?? encodeUtf8('')) === snapshot.hash
    return isSame && isAfter
      ? []
      : [`the snapshot of organization ${organization} at ${snapshot.sequence} is not the fold`]
  }
  return [`the snapshot of organization ${organization} is ahead of its log`]
}

const plain = (parts: readonly SnapshotPart[]) =>
  parts.map(({ name, version, bytes }) => [name, version, Buffer.from(bytes).toString()])
