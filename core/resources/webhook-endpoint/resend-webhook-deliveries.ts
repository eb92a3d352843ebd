import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { aboutEndpoint } from './about-endpoint.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

const EVENTS_MAX = 100
const isTime = (text: string): boolean => /^(?:0|[1-9][0-9]{0,14})$/.test(text)
const Millis = t.refined(t.string, 'milliseconds since the epoch, in a string', isTime)

/** What is sent again, and to which endpoint. The follower of the log acts when it meets the change. */
export const Resend = t.fields(
  { endpointId: t.Uuid },
  { eventIds: t.list(t.string), fromMs: Millis, toMs: Millis },
  ({ eventIds, fromMs, toMs }) => {
    if (eventIds !== undefined && (fromMs !== undefined || toMs !== undefined))
      return { member: 'eventIds', expected: 'either eventIds, or fromMs and toMs' }
    if (eventIds !== undefined)
      return eventIds.length === 0 || eventIds.length > EVENTS_MAX
        ? { member: 'eventIds', expected: `from 1 to ${EVENTS_MAX} ids` }
        : undefined
    if (fromMs === undefined) return { member: 'fromMs', expected: 'either eventIds, or fromMs and toMs' }
    if (toMs === undefined || Number(toMs) < Number(fromMs))
      return { member: 'toMs', expected: 'a time not before fromMs' }
    return undefined
  },
)
export type Resend = t.TypeOf<typeof Resend>

/** Ours: the public API has no such operation. */
export const resendWebhookDeliveries = operation({
  type: 'ACTIVITY_TYPE_RESEND_WEBHOOK_DELIVERIES',
  path: 'resend_webhook_deliveries',
  summary: 'Sends events to an endpoint again: those with these ids, or all of a time, at most 10,000.',
  action: 'UPDATE',
  ...aboutEndpoint,
  intent: Resend,
  result: t.fields({ endpointId: t.string }),
  change: Resend,

  execute: (intent, { organization, find }) => {
    const { endpointId } = intent
    if (endpointId !== organization.organizationId) find('webhook endpoint', webhookEndpoints, endpointId)
    return { result: { endpointId }, change: intent }
  },

  evolve: () => undefined,
})
