import type { LiveActivity } from '../deciding/live-activity.ts'
import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Cell, Change } from '../writing/cell.ts'
import type { LiveActivities } from '../writing/live-activities.ts'
import type { Organizations } from '../writing/organizations.ts'

export type BeginPorts = {
  readonly organizations: Pick<Organizations, 'fresh' | 'begin' | 'genesisHash'>
  readonly activities: Pick<LiveActivities, 'find'>
}

/** A log that has begun, its first activity, and the hash of its second line. The organization may have ended since. */
export type BegunLog = { readonly cell: Cell; readonly live: LiveActivity; readonly genesisHash: string }

const CONFLICTS_MAX = 4

/**
 * Begins the log of an organization with an activity, or finds that it has begun with it already. `CONFLICT` if it has begun with another
 * one.
 *
 * @param beginning  makes the first commit
 */
export const beginLog = async (
  { organizations, activities }: BeginPorts,
  organizationId: string,
  activityId: string,
  beginning: (cell: Cell) => Change,
): Promise<E.Either<Failure, BegunLog>> => {
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
    const loaded = await organizations.fresh(organizationId) // the store may have lost what is in memory
    if (E.isLeft(loaded) && loaded.left.code !== 'ORGANIZATION_NOT_FOUND') return loaded
    const cell = E.isRight(loaded) ? loaded.right : organizations.begin(organizationId)
    if (cell.tip.sequence === 0n) cell.commit(beginning(cell))
    if (await cell.durableTo(cell.tip.sequence)) {
      const found = await activities.find(cell, activityId)
      if (E.isLeft(found)) return found
      const live = found.right
      if (live === undefined) return E.left(hasBegunOtherwise)
      const hash = await organizations.genesisHash(organizationId)
      return E.map((genesisHash: string): BegunLog => ({ cell, live, genesisHash }))(hash)
    }
    const outcome = cell.refused?.outcome
    if (outcome !== undefined && E.isLeft(outcome) && outcome.left.code !== 'CONFLICT') return outcome
  }
  return E.left(failure('UNAVAILABLE', 'the organization could not be stored; try again'))
}

const hasBegunOtherwise = failure('CONFLICT', 'an organization with this id has begun with another request')
