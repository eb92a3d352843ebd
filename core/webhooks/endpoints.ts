import { completed, projection } from '../definition/projection.ts'
import type { Failure } from '../failure.ts'
import type { Event } from '../log/event.ts'
import type { RowChange } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import { removeOrganizationFeature } from '../resources/feature/remove-organization-feature.ts'
import { setOrganizationFeature } from '../resources/feature/set-organization-feature.ts'
import { createWebhookEndpoint } from '../resources/webhook-endpoint/create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from '../resources/webhook-endpoint/delete-webhook-endpoint.ts'
import { updateWebhookEndpoint } from '../resources/webhook-endpoint/update-webhook-endpoint.ts'
import {
  changedEndpoint,
  endpointAfter,
  EVENT_TYPE,
  putEndpoint,
  type Endpoint,
  type EndpointRow,
  type WebhookRows,
} from './rows.ts'

const FEATURE = 'FEATURE_NAME_WEBHOOK'

/** The endpoints as events leave them. One that is deleted stays, as deleted, until nothing waits for it. */
export const endpointsByEvents = projection({
  name: 'webhook-endpoints',
  version: 1,
  on: [
    completed(createWebhookEndpoint, ({ name: _, ...endpoint }, { organization: organizationId, position }) => [
      putEndpoint({ organizationId, ...endpoint, from: String(position) }),
    ]),
    completed(updateWebhookEndpoint, ({ endpointId, url, isActive }, { organization: organizationId }) => [
      changedEndpoint({ organizationId, endpointId }, { url, isActive }),
    ]),
    completed(deleteWebhookEndpoint, ({ endpointId }, { organization: organizationId }) => [
      changedEndpoint({ organizationId, endpointId }, { isDeleted: true }),
    ]),
    completed(setOrganizationFeature, ({ name, value: url }, { organization: organizationId, position }) =>
      name !== FEATURE
        ? []
        : [
            putEndpoint({
              ...{ organizationId, endpointId: organizationId, url, isActive: true, isFeature: true },
              subscriptions: [{ eventType: EVENT_TYPE }],
              from: String(position),
            }),
          ],
    ),
    completed(removeOrganizationFeature, ({ name }, { organization: organizationId }) =>
      name !== FEATURE ? [] : [changedEndpoint({ organizationId, endpointId: organizationId }, { isDeleted: true })],
    ),
  ],
})

export type Endpoints = ReadonlyMap<string, EndpointRow>

/** What a delivery tells of an event. */
export type NamedEvent = {
  readonly event: Pick<Event, 'id' | 'organization' | 'activity' | 'revision'>
  readonly position: bigint
}

/** The endpoints of organizations as they stand at the event that is being handled, and how much waits for each. */
export type EndpointMemory = {
  /** Those of an organization that are in memory. */
  readonly peek: (organizationId: string) => Endpoints | undefined
  readonly of: (organizationId: string) => Promise<E.Either<Failure, Endpoints>>
  /** Makes the changes that `endpointsByEvents` gives for an event, in an organization that is in memory. */
  readonly apply: (changes: readonly RowChange[]) => void
  /** How many deliveries wait for the endpoint; more than `WAITING_MAX` are not counted. */
  readonly waiting: (endpointId: string) => Promise<E.Either<Failure, number>>
  /** That so many more wait, or fewer. */
  readonly counted: (endpointId: string, more: number) => void
  /** What was queued and is not stored yet, by the keys of deliveries. */
  readonly unstored: Map<string, NamedEvent>
  /** What was changed is stored. Gives the endpoints that were changed, or for which something was queued. */
  readonly stored: () => readonly Endpoint[]
  /** The endpoint is among those that `stored` gives. */
  readonly touch: (endpoint: Endpoint) => void
  readonly clear: () => void
}

/** How many deliveries may wait for an endpoint. */
export const WAITING_MAX = 100_000
const ORGANIZATIONS_MAX = 20_000

export const endpointMemory = (rows: WebhookRows): EndpointMemory => {
  const known = new Map<string, Map<string, EndpointRow>>()
  const counts = new Map<string, number>()
  const unstored = new Map<string, NamedEvent>()
  const touched = new Map<string, Endpoint>()
  let clearings = 0
  const clear = (): void => {
    clearings += 1
    known.clear()
    counts.clear()
    unstored.clear()
    touched.clear()
  }
  const touch = ({ organizationId, endpointId }: Endpoint): void =>
    void touched.set(endpointId, { organizationId, endpointId })
  return {
    touch,
    unstored,
    peek: (organizationId) => known.get(organizationId),
    of: async (organizationId) => {
      for (;;) {
        const found = known.get(organizationId)
        if (found !== undefined) return E.right(found)
        const before = clearings
        const read = await rows.endpointsOf(organizationId)
        if (E.isLeft(read)) return read
        // Somebody else may have read them meanwhile, and changed them since; or what was read may be old.
        if (before !== clearings || known.has(organizationId)) continue
        known.set(organizationId, new Map(read.right.map((endpoint) => [endpoint.endpointId, endpoint])))
      }
    },
    apply: (changes) => {
      for (const change of changes) touch(applied(known, change))
    },
    waiting: async (endpointId) => {
      const count = counts.get(endpointId)
      if (count !== undefined) return E.right(count)
      const read = await rows.queue(endpointId, undefined, WAITING_MAX)
      if (E.isLeft(read)) return read
      counts.set(endpointId, read.right.length)
      return E.right(read.right.length)
    },
    counted: (endpointId, more) => {
      const count = counts.get(endpointId)
      if (count !== undefined) counts.set(endpointId, count + more)
    },
    stored: () => {
      const endpoints = [...touched.values()]
      touched.clear()
      unstored.clear()
      if (known.size > ORGANIZATIONS_MAX) clear()
      return endpoints
    },
    clear,
  }
}

/** Folds a change of `endpointsByEvents` into endpoints by organization and id. */
export const applied = (known: Map<string, Map<string, EndpointRow>>, change: RowChange): Endpoint => {
  const [organizationId = '', endpointId = ''] = change.key.split(' ')
  const endpoints = known.get(organizationId) ?? new Map<string, EndpointRow>()
  known.set(organizationId, endpoints)
  const before = endpoints.get(endpointId)
  const after = endpointAfter(before, change)
  if (after !== undefined) endpoints.set(endpointId, after)
  return { organizationId, endpointId }
}
