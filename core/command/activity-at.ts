import type { Catalogue } from '../definition/catalogue.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import type { Failure } from '../failure.ts'
import { noParts, type Parts } from '../log/parts.ts'
import type { EventStore } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'
import { foldRecorded } from '../writing/live-activities.ts'
import type { Cell } from '../writing/cell.ts'
import type { Sight } from './home.ts'
import { viewOf, votersOfAnswer } from './view.ts'

export type ActivityAtPorts = {
  readonly storage: { readonly store: Pick<EventStore, 'readActivity'> }
  readonly rules: { readonly catalogue: Catalogue }
  readonly organizations: {
    readonly fresh: (organizationId: string) => Promise<E.Either<Failure, Pick<Cell, 'state'>>>
  }
}

/** An activity, as it stood after one of its events. */
export type ActivityRevision = {
  readonly organizationId: string
  readonly activityId: string
  readonly revision: bigint
  /** The organization whose members are told: that of the activity, or its parent, whose users only its own members are shown. */
  readonly seenFrom: string
}

/**
 * An activity as it stood after an event, as nobody sees it who could vote; `undefined` where the log has it no more. Its users are shown as of
 * now. What its work has brought and the requester alone should have, such as a bundle, is left out.
 */
export const activityAt =
  ({ storage, rules: { catalogue }, organizations }: ActivityAtPorts) =>
  async ({
    organizationId,
    activityId,
    revision,
    seenFrom,
  }: ActivityRevision): Promise<E.Either<Failure, ActivityView | undefined>> => {
    const recorded = await storage.store.readActivity(organizationId, activityId)()
    if (E.isLeft(recorded)) return recorded
    const upTo = recorded.right.filter((one) => one.revision <= revision)
    if (upTo.at(-1)?.revision !== revision) return E.right(undefined)
    const live = foldRecorded(catalogue, upTo)
    if (E.isLeft(live) || live.right === undefined) return E.map(() => undefined)(live)
    const cell = await organizations.fresh(organizationId)
    if (E.isLeft(cell)) return cell
    const home = seenFrom === organizationId ? cell : await organizations.fresh(seenFrom)
    if (E.isLeft(home)) return home
    return E.right(seenByNobody({ organization: cell.right.state, home: home.right.state }, catalogue, live.right))
  }

const seenByNobody = (sight: Sight, catalogue: Catalogue, live: LiveActivity): ActivityView => {
  const { activity } = live
  const voters = { ...votersOfAnswer(sight, catalogue, activity.updatedAtMs), isEligible: () => false }
  const isBrought = catalogue.byType(activity.type)?.operation.personal.isBrought === true
  const shown = isBrought ? { ...live, activity: { ...activity, parts: erasedParts(activity.parts) } } : live
  return viewOf(sight, { catalogue }, shown, '', activity.updatedAtMs, voters)
}

/** Parts that are left out are shown as erased ones: the operation gives what stands in their place. */
const erasedParts = (parts: Parts = noParts): Parts => new Map([...parts.keys()].map((name) => [name, 'erased']))
