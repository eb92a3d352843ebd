/**
 * The core: everything that runs without a platform. Hosts on Node take `countersign`, which adds the clock, the ids and
 * the signatures of Node; other runtimes take `countersign/core` and bring their own.
 *
 * @module
 */
export { createEngine } from './create-engine.ts'
export type { Engine, EngineOptions, Notice } from './engine.ts'
export type { Request } from './request.ts'
export { E, O, pipe, TE } from './prelude.ts'

export { failure, Failure, fieldViolations, type FailureCode, type FieldViolation, type Json } from './failure.ts'
export { closed, decode, isUuid, Label, optional, refined, Uuid } from './codec.ts'
export { fields, Ids, some, SomeIds } from './operations/fields.ts'

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
export { defaultLimits, type Limits } from './operations/limits.ts'
export { query, type Query, type QueryContext, type QuerySpec, type Timestamps } from './query/query.ts'
export { publicQueries } from './query/public-queries.ts'
export { timestamp } from './query/timestamp.ts'
export { type ActivityView, type VoteView } from './query/activity-view.ts'
export { projection, type Projection } from './projection/projection.ts'
export type { Event, EventType } from './log/event.ts'
export type { Draft, Organization, Policy, Tag, User } from './organization/organization.ts'

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
export type { ReadModels, Row, RowChange, RowSelection, Snapshot } from './ports/read-models.ts'
export type { SignatureClaim, Signatures, SignatureScheme } from './ports/signatures.ts'
export type { Storage } from './ports/storage.ts'
