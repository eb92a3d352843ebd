import { mapOf } from '../../../core/codec/map-of.ts'
import type { Limits } from '../../../core/definition/limits.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import type { Projection } from '../../../core/definition/projection.ts'
import type { Query } from '../../../core/definition/query.ts'
import { resource, type Resource } from '../../../core/definition/resource.ts'
import { json } from '../../../core/log/event.ts'
import { credentials } from '../../../core/organization/credentials.ts'
import { policies } from '../../../core/organization/policies.ts'
import { quorum } from '../../../core/organization/quorum.ts'
import { state, type Organization } from '../../../core/organization/state.ts'
import { users } from '../../../core/organization/users.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { publicApi } from '../../../core/resources/public-api.ts'

/** The limits of the public API where an engine is told nothing else; the reference lists them. */
export const defaultLimits = Object.fromEntries(
  publicApi.flatMap(({ limits }) => Object.entries(limits.byName)).map(([name, limit]) => [name, limit.default]),
) as Limits & { readonly [name in SomeLimit]: number } // these are among them

/** Those that tests name. */
type SomeLimit = 'users' | 'userTags' | 'policies' | 'longLivedApiKeys' | 'expiringApiKeys' | 'authenticators'

/** The operations of the public API that have a route. */
export const publicOperations: readonly Operation[] = publicApi.flatMap(({ operations }) => operations)

/** The queries of the public API. */
export const publicQueries: readonly Query[] = publicApi.flatMap(({ queries }) => queries)

/** A state for operations of tests that need any: JSON by name. */
export const hostState = state({ name: 'host', version: 1, codec: mapOf(json), initial: () => new Map() })

/** The public API, and a host with these operations, queries and projections. */
export const withHost = (
  operations: readonly Operation[],
  queries: readonly Query[] = [],
  projections: readonly Projection[] = [],
): readonly Resource[] => [
  ...publicApi,
  resource({ name: 'host', states: [hostState], operations, queries, projections }),
]

/** The states that every organization has, to be looked at. */
export const statesOf = (organization: Organization) => ({
  users: users.of(organization),
  userTags: userTags.of(organization),
  policies: policies.of(organization),
  quorum: quorum.of(organization),
  credentials: credentials.of(organization),
})
