import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import type { Catalogue } from '../../../core/definition/catalogue.ts'
import { decodeEvent, type Event } from '../../../core/log/event.ts'
import { partsOf, type Parts } from '../../../core/log/parts.ts'
import { foldEvent } from '../../../core/organization/fold.ts'
import { initial, type Organization } from '../../../core/organization/state.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { right } from '../../core/world/world.ts'
import type { Logged } from './history.ts'

/** An event with its parts. */
export type Entry = { readonly event: Event; readonly parts: Parts }

/** The log, read from the store and decoded. */
export const entriesOf = async ({ store }: Storage, organizationId: string): Promise<readonly Entry[]> => {
  const entries: Entry[] = []
  for (let after = 0n; ;) {
    const page = right(await store.readLog(organizationId, after, 1000)())
    for (const { line, sequence, parts } of page) {
      const event = right(decodeEvent(line))
      entries.push({ event, parts: partsOf(event, parts) })
      after = sequence
    }
    if (page.length < 1000) return entries
  }
}

/** The state after each event, told to a listener: one event at a time. */
export const folded = (
  catalogue: Catalogue,
  organizationId: string,
  entries: readonly Entry[],
  each: (event: Event, state: Organization) => void = () => undefined,
): Organization => {
  const state = initial(organizationId)
  for (const { event, parts } of entries) {
    right(foldEvent(state, event, catalogue, parts))
    each(event, state)
  }
  return state
}

/** The log as far as a history is about it. */
export const loggedOf = (
  catalogue: Catalogue,
  organizationId: string,
  entries: readonly Entry[],
): readonly Logged[] => {
  const log: Logged[] = []
  folded(catalogue, organizationId, entries, (event, organization) => {
    log.push({
      sequence: Number(event.sequence),
      activity: event.activity,
      ...kindOf(event),
      shows: [...userTags.of(organization).values()].map(({ tagId, tagName }) => `${tagId} ${tagName}`).join(','),
    })
  })
  return log
}

const kindOf = (event: Event): Pick<Logged, 'event' | 'user'> => {
  switch (event.type) {
    case 'ActivityCreated': {
      const isDenied = event.data.decision.verdict.outcome === 'DENIED'
      return { event: isDenied ? 'denied' : 'created', user: event.data.requester }
    }
    case 'ActivityVoted': {
      const { outcome } = event.data.decision.verdict
      return { event: outcome === 'REJECTED' || outcome === 'DENIED' ? 'rejected' : 'approved', user: event.data.user }
    }
    case 'ActivityStarted':
      return { event: 'started', user: undefined }
    case 'ActivityCompleted':
      return { event: 'completed', user: undefined }
    case 'ActivityFailed':
      return { event: 'failed', user: undefined }
    default:
      return event satisfies never
  }
}
