/**
 * The rest of what definitions of operations, projections, stores and other adapters are made of, and the types of all that they get. It runs
 * everywhere.
 *
 * @module
 */
export {
  decodes,
  type AdmitContext,
  type DecodedIntent,
  type EvolveContext,
  type ExecuteContext,
  type Identity,
  type InspectContext,
  type Intent,
  type OperationSpec,
  type Perform,
  type PerformContext,
  type Reveal,
  type Steps,
  type Version,
  type VersionSpec,
  type CheckContext,
  type OnceToken,
  type ExecutionContext,
  type TurnContext,
} from './definition/operation.ts'
export { BEGINNING, type Beginning, type BegunBelow, type ToBegin } from './resources/sub-organization/beginning.ts'
export type { KeysBelow, PublicKeysBelow } from './resources/sub-organization/keys-below.ts'
export { DAY_SECRETS, type DaySecrets, type SealedFor } from './resources/deployment-key/day-secrets.ts'
export { IDENTITY_ISSUER, type IdentityIssuer } from './resources/deployment-key/identity-issuer.ts'
export type { Taking } from './resources/deployment-key/takings.ts'
export { VERIFICATION_KEYS, type VerificationKeys } from './definition/verification-keys.ts'
export { DESTROYING, type Destroying } from './resources/wallet/destroying.ts'
export type { Sender } from './organization/ip-allowlists.ts'
export type { Executed, PartContent, WrittenExecution } from './definition/executed.ts'
export type { Find } from './definition/find.ts'
export type { Outcome as WrittenOutcome, PersonalMembers } from './definition/personal-members.ts'
export { catalogue, type Catalogue } from './definition/catalogue.ts'
export { limits, type Limit, type Limits, type LimitSet } from './definition/limits.ts'
export type { Needs, Port, Services } from './definition/port.ts'
export type { QueryContext, QuerySpec, RowsOptions } from './definition/query.ts'
export type { PortsFor } from './definition/resource.ts'
export {
  anyEvent,
  completed,
  events,
  type CompletedContext,
  type EventContext,
  type Parent,
  type ProjectionSpec,
  type RowPerActivity,
  type Source as ProjectionSource,
} from './definition/projection.ts'
export type { AnyState, DeepReadonly, Draft, Given, Organization, Slot, StateSpec } from './organization/state.ts'
export { readPart, type Parts } from './log/parts.ts'
export { causeOf, withCause, type Cause } from './telemetry/cause.ts'
export { failureCodes, type FailureRow } from './failure-codes.ts'
export { failure, Failure, FailureCode, fieldViolations, hostFailure, type FieldViolation } from './failure.ts'
export { decode, isUuid, type JsonObject, type RefinedType } from './codec/codec.ts'
export type { FieldsType, ListType, MembersOf, Rule as MembersRule } from './codec/fields.ts'
export type { Decoder, Mixed, Props, Type as Codec } from 'io-ts'
export { jsonSchemaOf, type AtName, type JsonSchema } from './codec/json-schema.ts'
export { dateTime, millisOf, timestamp, type Timestamp } from './codec/timestamp.ts'
export type { Fact, ResourceFacts } from './policy/fact.ts'
export type { Factor, Factors } from './policy/factors.ts'
export type { FactTypes } from './policy/schema.ts'
export type { Dynamic, Keywords, ListOf, MapOf, Struct, Type } from './policy/value-types.ts'

/** What an engine, its clients and its log give. */
export type { PromisedEngine } from './door/promised-engine.ts'
export type { WebhookKey } from './resources/deployment-key/webhook-keys.ts'
export type { Votable } from './door/client.ts'
export type { Stamp } from './door/transport.ts'
export type { CommandOptions, ImportedEffect, SubmitOptions, Subscription, Tuning } from './engine.ts'
export type { Positioned } from './following/feed.ts'
export type { Parked } from './following/parked-organizations.ts'
export type { FollowOptions } from './following/iterate.ts'
export type { Moment, Replayed, ReplayedRow, ReplayedRows, ReplayOptions } from './projection/replay.ts'
export type { Activity, Vote } from './activity/activity.ts'
export type { Status } from './log/standing.ts'
export type { EventOf, EventType, PartBytes } from './log/event.ts'
export type { Tip } from './log/chain.ts'
export type { Outcome, ReadLimits, Verdict } from './log/decision.ts'

/** Ports, for adapters. */
export type { AuthProxyKeys } from './ports/auth-proxy.ts'
export type { Curve } from './ports/signatures.ts'
export type { TimeZones } from './ports/time-zones.ts'
export type { Attestations, Attested, AttestationFormat, Registration } from './ports/attestations.ts'
export type { Clock } from './ports/clock.ts'
export type { TellNotice } from './ports/notice.ts'
export type { Coming, Encrypted, Going, ImportedFrom, IssuedTo, KeyPath, KeyPlace, Keyring } from './ports/keyring.ts'
export type { Arrival } from './ports/imported-kind.ts'
export type { KeyCurve } from './keys/curve.ts'
export type { MnemonicLanguage } from './keys/mnemonic-parameters.ts'
export type { ProvedAddress } from './view/app-proof.ts'
export type { SignatureParts, SigningScheme } from './keys/signing.ts'
export type { Keystore } from './ports/keystore.ts'
export { boundedPerOrganization } from './ports/at-once.ts'
export type { IdentityTokens } from './ports/identity-tokens.ts'
export type { SigningKey } from './identity/signing-key.ts'
export type { Mail, Mailer, SentMail } from './ports/mailer.ts'
export type { Oauth2, Oauth2Account, Oauth2Code } from './ports/oauth2.ts'
export type { ShortMessage, Sms } from './ports/sms.ts'
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
export type { Batons } from './ports/batons.ts'
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
export type { GonePlace, SealedPlace, SealedRow, SealedRows } from './ports/sealed-rows.ts'
export type { RsaClaim, SignatureClaim, Signatures, SignatureScheme } from './ports/signatures.ts'
export type { BesideLog } from './ports/storage.ts'
export { noTurns, type Turns } from './ports/turns.ts'
