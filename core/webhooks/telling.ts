import type { Event } from '../log/event.ts'
import { statusAfter, type Status } from '../log/standing.ts'
import { parseJson } from '../json/parse-json.ts'
import { oncePer } from '../collections/once-per.ts'
import type { Subscription } from '../resources/webhook-endpoint/subscription.ts'
import { EVENT_TYPE, type EndpointRow } from './rows.ts'

/**
 * The status that is told after an event; `undefined` where nothing is. An approval that lets an activity begin is told by what follows it in
 * the same commit, and so is every attempt but the first by its end.
 */
export const toldStatus = (event: Event): Status | undefined => {
  const status = statusAfter(event)
  if (event.type === 'ActivityStarted') return event.data.attempt === 1 ? status : undefined
  return status === 'ACTIVITY_STATUS_PENDING' ? undefined : status
}

/** What filters look at. */
export type Told = { readonly organizationId: string; readonly type: string; readonly status: Status }

/** Whether an active endpoint wants to be told of it. */
export const wants = ({ isActive, isDeleted, subscriptions }: EndpointRow, told: Told): boolean =>
  isActive &&
  isDeleted !== true &&
  subscriptions.some(
    (one) => one.eventType === EVENT_TYPE && one.isActive !== false && filterOf(one).every((passes) => passes(told)),
  )

type Filter = (told: Told) => boolean

/** Each of them has to let it pass. What this version does not know lets everything pass. */
const filterOf = oncePer(({ filtersJson }: Subscription): readonly Filter[] => {
  if (filtersJson === undefined) return []
  const filters = parseJson(filtersJson) as { readonly [name: string]: unknown } // its codec has seen that it is an object
  const listed = (name: string, has: (listed: ReadonlySet<unknown>, told: Told) => boolean): readonly Filter[] => {
    const list = Object.hasOwn(filters, name) ? filters[name] : undefined
    if (!Array.isArray(list)) return []
    const set = new Set<unknown>(list)
    return [(told) => has(set, told)]
  }
  return [
    ...listed('organizationIds', (set, { organizationId }) => set.has(organizationId)),
    ...listed('excludeOrganizationIds', (set, { organizationId }) => !set.has(organizationId)),
    ...listed('activityTypes', (set, { type }) => set.has(type)),
    ...listed('activityStatuses', (set, { status }) => set.has(status)),
  ]
})
