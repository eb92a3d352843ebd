/**
 * The core: everything that runs without a platform. Hosts on Node import `countersign`, which adds the clock, the ids, the
 * signatures and the turns of Node. Other runtimes import `countersign/core` and give their own.
 *
 * @module
 */
export { createEngine, type HostEngine } from './door/host-engine.ts'
export { tasksOf, type PromisedEngine } from './door/promised-engine.ts'
export type { Client, ClientOptions, RequestOptions, Submitted, Tried, Votable, WaitOptions } from './door/client.ts'
export type { Stamp, Stamper } from './door/transport.ts'
export { CountersignError, failureOf } from './countersign-error.ts'
export type { CommandOptions, EngineOptions, ImportedEffect, Notice, SubmitOptions, Subscription } from './engine.ts'
export type { Positioned } from './following/feed.ts'
export type { Parked } from './following/parked-organizations.ts'
export type { FollowOptions } from './following/iterate.ts'
export type { Request } from './request.ts'
export { E, flow, O, pipe, TE, type Either, type TaskEither } from './prelude.ts'
/** The codecs of io-ts, for hosts: a package manager need not let a host import the dependencies of this package. */
export * as t from 'io-ts'
export type { Decoder, Mixed, Props, Type as Codec } from 'io-ts'

export { causeOf, withCause, type Cause } from './telemetry/cause.ts'
export { failureCodes, type FailureRow } from './failure-codes.ts'
export {
  failure,
  Failure,
  FailureCode,
  fieldViolations,
  hostFailure,
  type FieldViolation,
  type Json,
} from './failure.ts'
export {
  AnyJson,
  canonical,
  closed,
  decode,
  Integer,
  isUuid,
  JsonObject,
  Label,
  optional,
  refined,
  Uuid,
  type RefinedType,
} from './codec/codec.ts'
export { described, named } from './codec/described.ts'
export { mapOf } from './codec/map-of.ts'
export {
  fields,
  list,
  some,
  SomeUuids,
  Uuids,
  type FieldsType,
  type ListType,
  type MembersOf,
  type Rule as MembersRule,
} from './codec/fields.ts'
export { personal, subject } from './codec/personal.ts'
export { jsonSchemaOf, type AtName, type JsonSchema } from './codec/json-schema.ts'

export {
  decodes,
  operation,
  type AdmitContext,
  type CheckContext,
  type DecodedIntent,
  type EvolveContext,
  type ExecuteContext,
  type ExecutionContext,
  type Identity,
  type InspectContext,
  type Intent,
  type Operation,
  type OperationSpec,
  type Perform,
  type PerformContext,
  type Steps,
  type Version,
  type VersionSpec,
} from './definition/operation.ts'
export { publicApi } from './resources/public-api.ts'
export { erasure, eraseUser, listPersonalPlaces } from './resources/erasure/erasure.ts'
export type { ErasedRequests } from './activity/erasure.ts'
export type { Erased, Erasing, ErasureAsked, PersonalPlace, ToErase } from './resources/erasure/erasing.ts'
export type { Tip } from './log/chain.ts'
export type { Outcome as WrittenOutcome, PersonalMembers } from './definition/personal-members.ts'
export type { PartBytes } from './log/event.ts'
export * from './resources/activity/activity-resource.ts'
export * from './resources/api-key/api-key-resource.ts'
export * from './resources/authenticator/authenticator-resource.ts'
export * from './resources/feature/feature-resource.ts'
export * from './resources/organization/organization-resource.ts'
export * from './resources/policy/policy-resource.ts'
export * from './resources/quorum/quorum-resource.ts'
export * from './resources/user-tag/user-tag-resource.ts'
export * from './resources/user/user-resource.ts'
export { catalogue, type Catalogue } from './definition/catalogue.ts'
export { port, type Needs, type Port, type Services } from './definition/port.ts'
export { find, findAll, missing, notUnique, overQuota, unsupported } from './definition/refusals.ts'
export { limits, type Limit, type Limits, type LimitSet } from './definition/limits.ts'
export type { FactTypes } from './policy/schema.ts'
export type { Dynamic, Keywords, ListOf, MapOf, Struct, Type } from './policy/value-types.ts'
export type { Clause, Compiled, Expression, Language, PlacedProblem, Refusal } from './policy/expression.ts'
export type { PlacedSpan } from './policy/checking.ts'
export type { CronSpan } from './policy/cron-span.ts'
export type { Problem } from './policy/problem.ts'
export type { Evaluator, Run, TimeFacts } from './policy/evaluator.ts'
export type { Instant } from './policy/instant.ts'
export { resource, type PortsFor, type Resource } from './definition/resource.ts'
export { query, type Query, type QueryContext, type QuerySpec } from './definition/query.ts'
export { DateTime, dateTime, millisOf, timestamp, Timestamp } from './codec/timestamp.ts'
export {
  ShownActivity,
  ShownEvaluations,
  ShownVote,
  type ActivityView,
  type SubmittedView,
  type VoteView,
} from './view/activity-view.ts'
export { FailureView } from './view/failure-view.ts'
export { readPart, type Parts } from './log/parts.ts'
export {
  checkPolicies,
  type CheckPoliciesOptions,
  type PolicyToolOptions,
  type MistakenPlace,
  type PolicyMistake,
  type PolicyOfList,
} from './policy-tools/check-policies.ts'
export {
  explainDecision,
  type DecisionExplanation,
  type ExplanationOptions,
  type ExplainOptions,
} from './policy-tools/explain-decision.ts'
export type { ExplainedClause, ExplainedPart, ExplainedPolicy } from './policy-tools/explained-policies.ts'
export type { ExplainedApproval, ExplainedQuorum, NamedUser } from './policy-tools/explained-voters.ts'
export type { ProposedPolicy } from './policy-tools/proposed-policies.ts'
export type { ReadableStore, ReadLogOptions } from './policy-tools/read-log.ts'
export {
  simulatePolicies,
  type DecisionDifference,
  type KindTotals,
  type PolicyDifference,
  type ShortVerdict,
  type SimulateOptions,
  type Simulation,
  type SimulationOptions,
} from './policy-tools/simulate-policies.ts'
export type { WalkPorts } from './policy-tools/walk.ts'
export type { Scratch } from './ports/scratch.ts'
export type { Outcome, Verdict } from './log/decision.ts'
export type { Executed, PartContent } from './definition/executed.ts'
export {
  anyEvent,
  completed,
  events,
  projection,
  type CompletedContext,
  type EventContext,
  type Projection,
  type ProjectionSpec,
  type Source as ProjectionSource,
} from './definition/projection.ts'
export type { Moment, Replayed, ReplayedRow, ReplayedRows, ReplayOptions } from './projection/replay.ts'
export type { Activity, Vote } from './activity/activity.ts'
export type { Status } from './log/standing.ts'
export type { Event, EventOf, EventType } from './log/event.ts'
export type { ReadLimits } from './log/decision.ts'
export {
  state,
  type AnyState,
  type DeepReadonly,
  type Draft,
  type Organization,
  type Slot,
  type State,
  type StateSpec,
} from './organization/state.ts'
export { users, type User } from './organization/users.ts'
export type { ApiKey, Credential, Passkey } from './organization/credential.ts'
export { policies, type Effect, type Policy } from './organization/policies.ts'
export { quorum, type Quorum } from './organization/quorum.ts'
export { features, type FeatureName } from './organization/features.ts'
export { allowedOrigins } from './organization/origins.ts'
export { credentials } from './organization/credentials.ts'
export { userTags, type UserTag } from './resources/user-tag/user-tags.ts'
export type { Curve } from './ports/signatures.ts'

export type { TimeZones } from './ports/time-zones.ts'
export type { Attestations, Attested, AttestationFormat, Registration } from './ports/attestations.ts'
export type { Clock } from './ports/clock.ts'
export type { TellNotice } from './ports/notice.ts'
export type { Digest } from './ports/digest.ts'
export type { Ids } from './ports/ids.ts'
export type {
  ActivitySelection,
  ActivityStanding,
  Appended,
  Check,
  Commit,
  EventStore,
  Head,
  ListedActivity,
  NewEvent,
  Part,
  PartPlace,
  ReadOptions,
  Recorded,
  Standing,
  StoreCapabilities,
} from './ports/event-store.ts'
export type { Lease, Leases } from './ports/leases.ts'
export { selectsPart } from './ports/part-selection.ts'
export type {
  Facets,
  ReadModels,
  Row,
  RowChange,
  RowSelection,
  Snapshot,
  SnapshotPart,
  SnapshotPlace,
} from './ports/read-models.ts'
export type { RsaClaim, SignatureClaim, Signatures, SignatureScheme } from './ports/signatures.ts'
export type { BesideLog, Storage } from './ports/storage.ts'
export { noTurns, type Turns } from './ports/turns.ts'
