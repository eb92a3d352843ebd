import * as t from '../../codec/t.ts'
import { limits } from '../../definition/limits.ts'
import { state, type Organization } from '../../organization/state.ts'
import { Subscription } from './subscription.ts'

export const webhookLimits = limits({ webhookEndpoints: { default: 50, about: 'Per organization.' } })

const members = { endpointId: t.string, url: t.string, name: t.string, isActive: t.boolean }

/** An endpoint in a change, and as it is kept. Its subscriptions never change. */
export const WebhookEndpoint = t.fields({ ...members, subscriptions: t.array(Subscription) })
export type WebhookEndpoint = t.TypeOf<typeof WebhookEndpoint>

/** The endpoints, by id, in order of creation. */
export const webhookEndpoints = state({
  name: 'webhook-endpoints',
  version: 1,
  codec: t.mapOf(WebhookEndpoint),
  initial: () => new Map<string, WebhookEndpoint>(),
})

/** An endpoint as the wire shows it, in results and in answers. */
export const WebhookEndpointView = t.named(
  'WebhookEndpoint',
  t.fields({ ...members, organizationId: t.Uuid, subscriptions: t.readonlyArray(Subscription) }),
)

export const endpointView =
  ({ organizationId }: Organization) =>
  <A extends object>(endpoint: A) => ({ ...endpoint, organizationId })
