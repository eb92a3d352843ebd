/**
 * The operations and queries of the public API, the states that they keep, and what they show. Clients and policies name them; a host may
 * read the states in operations of its own. It runs everywhere.
 *
 * @module
 */
export { eraseUser, listPersonalPlaces } from './resources/erasure/erasure.ts'
export type { Tag, Tags } from './resources/tag/tags.ts'
export type { Erased, Erasing, ErasureAsked, PersonalPlace, ToErase } from './resources/erasure/erasing.ts'
export * from './resources/api.ts'
export type { ErasedRequests } from './activity/erasure.ts'
export { ShownActivity, ShownEvaluations, ShownVote, type SubmittedView, type VoteView } from './view/activity-view.ts'
export { FailureView } from './view/failure-view.ts'
export { users, type User } from './organization/users.ts'
export type { ApiKey, Credential, Passkey } from './organization/credential.ts'
export type { AuthenticationMethod, AuthenticationStep, MfaPolicy } from './organization/mfa-policies.ts'
export { policies, type Effect, type Policy } from './organization/policies.ts'
export { quorum, type Quorum } from './organization/quorum.ts'
export { features, type FeatureName } from './organization/features.ts'
export { allowedOrigins } from './organization/origins.ts'
export { credentials } from './organization/credentials.ts'
