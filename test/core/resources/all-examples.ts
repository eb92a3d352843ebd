import { existsSync, readdirSync } from 'node:fs'
import type { Operation } from '../../../core/definition/operation.ts'
import type { Query } from '../../../core/definition/query.ts'
import { eraseUser, listPersonalPlaces } from '../../../core/resources/erasure/erasure.ts'
import {
  resendWebhookDeliveries,
  testWebhookEndpoint,
} from '../../../core/resources/webhook-endpoint/webhook-operations.ts'
import { publicOperations, publicQueries } from '../world/with-host.ts'
import type { OperationExample, QueryExample } from './example.ts'

/** What the file `examples.ts` in the folder of a resource exports. */
type Examples = {
  readonly examples: readonly (OperationExample | QueryExample)[]
  /** The text members that its operations add to changes and results: whether they are personal, and why they are not. */
  readonly texts?: { readonly [member: string]: string }
}

const fileOf = (folder: string): URL => new URL(`./${folder}/examples.ts`, import.meta.url)
const files = await Promise.all(
  readdirSync(new URL('.', import.meta.url))
    .filter((folder) => existsSync(fileOf(folder)))
    .map((folder) => import(fileOf(folder).href) as Promise<Examples>), // the compiler cannot follow a name
)
const all = files.flatMap(({ examples }) => examples)

/** What needs an example: all that has a route, the erasure too. */
export const operations: readonly Operation[] = [
  ...publicOperations,
  eraseUser,
  resendWebhookDeliveries,
  testWebhookEndpoint,
]
export const queries: readonly Query[] = [...publicQueries, listPersonalPlaces]

/** In the order of the public API. What lacks an example is missing here; `examples.test.ts` says so. */
export const everyExample: readonly OperationExample[] = operations.flatMap((operation) =>
  all.filter((one) => 'operation' in one).filter((one) => one.operation === operation),
)

/** Those that can be played one after the other in one organization. */
export const operationExamples: readonly OperationExample[] = everyExample.filter(({ where }) => where === undefined)
export const queryExamples: readonly QueryExample[] = queries.flatMap((query) =>
  all.filter((one) => 'query' in one).filter((one) => one.query === query),
)

export const texts: { readonly [member: string]: string } = Object.fromEntries(
  files.flatMap(({ texts: own = {} }) => Object.entries(own)),
)
