/**
 * The core: everything that runs without a platform. Hosts on Node take `countersign`, which adds the clock, the ids and
 * the signatures of Node; other runtimes take `countersign/core` and bring their own.
 *
 * @module
 */
export { createEngine } from './create-engine.ts'
export type { CommandOptions, Engine, EngineOptions, ImportedEffect, Notice, Subscription } from './engine.ts'
export type { Request } from './request.ts'
export { E, flow, O, pipe, TE } from './prelude.ts'

export { failure, Failure, FailureCode, fieldViolations, type FieldViolation, type Json } from './failure.ts'
export { canonical, closed, decode, isUuid, Label, optional, refined, Uuid } from './codec.ts'
export { fields, Ids, list, some, SomeIds } from './operations/fields.ts'
export { jsonSchemaOf, type JsonSchema } from './operations/json-schema.ts'

export {
  decodes,
  operation,
  type EvolveContext,
  type ExecuteContext,
  type Executed,
  type Operation,
  type OperationSpec,
  type Perform,
  type PerformContext,
  type VersionSpec,
} from './operations/operation.ts'
export { publicApi } from './operations/public-api.ts'
export { createOrganization } from './operations/organization/create-organization.ts'
export type { Catalogue } from './operations/catalogue.ts'
export { find, findAll, missing, notUnique, overQuota, unsupported } from './operations/refusals.ts'
export { defaultLimits, type Limits } from './operations/limits.ts'
export { query, type Query, type QueryContext, type QuerySpec, type Timestamps } from './query/query.ts'
export { publicQueries } from './query/public-queries.ts'
export { timestamp } from './query/timestamp.ts'
export { type ActivityView, type VoteView } from './query/activity-view.ts'
export { projection, type Projection } from './projection/projection.ts'
export type { Moment, Replayed, ReplayedRow, ReplayedRows, ReplayOptions } from './projection/replay.ts'
export type { Activity, Status, Vote } from './activity/activity.ts'
export type { Event, EventOf, EventType } from './log/event.ts'
export type {
  ApiKey,
  ApiKeyCurve,
  Draft,
  Organization,
  Policy,
  Quorum,
  Tag,
  User,
} from './organization/organization.ts'

export type { Clock } from './ports/clock.ts'
export type { Digest } from './ports/digest.ts'
export type { Ids as IdSource } from './ports/ids.ts'
export type {
  Appended,
  Commit,
  EventStore,
  Head,
  NewEvent,
  Part,
  Recorded,
  StoreCapabilities,
} from './ports/event-store.ts'
export type { Facets, ReadModels, Row, RowChange, RowSelection, Snapshot } from './ports/read-models.ts'
export type { SignatureClaim, Signatures, SignatureScheme } from './ports/signatures.ts'
export type { Storage } from './ports/storage.ts'
export { noTurns, type Turns } from './ports/turns.ts'
