import type { Resource } from '../definition/resource.ts'
import { erasure } from './erasure/erasure.ts'
import { publicApi } from './public-api.ts'
import { webhookOperations } from './webhook-endpoint/webhook-operations.ts'

/** The built-in resources, with those that only some servers have. A log may have activities of all of them. */
export const everyResource: readonly Resource[] = [...publicApi, ...erasure, ...webhookOperations]
