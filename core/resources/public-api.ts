import type { Operation } from '../definition/operation.ts'
import { resource, type Resource } from '../definition/resource.ts'
import * as api from './api.ts'
import { eraseUser } from './erasure/erase-user.ts'
import { resendWebhookDeliveries } from './webhook-endpoint/resend-webhook-deliveries.ts'
import { testWebhookEndpoint } from './webhook-endpoint/test-webhook-endpoint.ts'

/** Every resource of the public API that this version offers. */
export const publicApi: readonly Resource[] = Object.values(api).filter((one) => 'operations' in one)

/** What only some engines offer, and every log may have. */
const KNOWN: readonly Operation[] = [eraseUser, resendWebhookDeliveries, testWebhookEndpoint]

/** The resources, with what else is needed to read logs: what creates organizations, and what is not offered, but known. */
export const withBeginning = (resources: readonly Resource[]): readonly Resource[] => {
  const begun = resources.includes(api.organizationResource) ? resources : [api.organizationResource, ...resources]
  const offered = new Set(begun.flatMap(({ operations, unrouted }) => [...operations, ...unrouted]))
  const missing = KNOWN.filter((one) => !offered.has(one))
  return missing.length === 0 ? begun : [...begun, resource({ name: 'known-but-not-offered', unrouted: missing })]
}
