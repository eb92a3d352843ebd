import { decodeEvent, millis, type Event } from '../../core/log/event.ts'
import { pagesOf } from '../../core/log/transcript.ts'
import type { EventStore } from '../../core/ports/event-store.ts'
import { E } from '../../core/prelude.ts'
import type { Moment, Replayed, ReplayOptions } from '../../core/projection/replay.ts'
import { stopOf } from './stop.ts'

/** The numbers of an organization's activities, by status. */
export type Counts = {
  readonly organizationId: string
  events: number
  created: number
  completed: number
  failed: number
  rejected: number
  /** Activities that have not ended. */
  open: number
}

/**
 * Counts the activities of a store, by organization. An activity ends only once, so counting needs no memory per activity.
 */
export const summarize = async (
  store: EventStore,
  { to, onProgress }: Pick<ReplayOptions, 'to' | 'onProgress'>,
): Promise<Replayed<{ readonly organizations: readonly Counts[] }>> => {
  const organizations = new Map<string, Counts>()
  let position = 0n
  let events = 0
  const summary = (): Replayed<{ readonly organizations: readonly Counts[] }> => ({
    position,
    events,
    state: { organizations: [...organizations.values()] },
  })
  for await (const page of pagesOf(store)) {
    if (E.isLeft(page)) throw stopOf(page.left)
    for (const recorded of page.right) {
      const event = decodeEvent(recorded.line)
      if (E.isLeft(event)) throw stopOf(event.left)
      if (to !== undefined && isBeyond(to, recorded.position, event.right)) return summary()
      count(countsOf(organizations, recorded.organization), event.right)
      position = recorded.position
      events += 1
    }
    onProgress?.(position)
  }
  return summary()
}

const isBeyond = (to: Moment, position: bigint, event: Event): boolean =>
  'position' in to ? position > to.position : millis(event.at) > to.atMs

const countsOf = (organizations: Map<string, Counts>, organizationId: string): Counts => {
  const found = organizations.get(organizationId)
  if (found !== undefined) return found
  const counts = { organizationId, events: 0, created: 0, completed: 0, failed: 0, rejected: 0, open: 0 }
  organizations.set(organizationId, counts)
  return counts
}

const count = (counts: Counts, event: Event): void => {
  counts.events += 1
  if (event.type === 'ActivityCreated') counts.created += 1
  if (event.type === 'ActivityCompleted') counts.completed += 1
  if (event.type === 'ActivityFailed') counts.failed += 1
  if (isRejection(event)) counts.rejected += 1
  counts.open = counts.created - counts.completed - counts.failed - counts.rejected
}

const isRejection = (event: Event): boolean => {
  if (event.type !== 'ActivityCreated' && event.type !== 'ActivityVoted') return false
  const { outcome } = event.data.decision.verdict
  return outcome === 'DENIED' || outcome === 'REJECTED'
}
