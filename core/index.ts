/**
 * The core: everything that runs without a platform. Hosts on Node import `countersign`, which adds the clock, the ids, the
 * signatures and the turns of Node. Other runtimes import `countersign/core` and give their own; `countersign/define` has the types of
 * ports.
 *
 * @module
 */
export { createEngine, type HostEngine } from './door/host-engine.ts'
export type { Client, ClientOptions, RequestOptions, Tried, WaitOptions } from './door/client.ts'
export type { Submitted } from './door/submitted.ts'
export type { Stamper } from './door/transport.ts'
export { CountersignError, failureOf, type Retry } from './countersign-error.ts'
export type { Failure, FailureCode, Json } from './failure.ts'
export type { EngineOptions, Notice } from './engine.ts'
export type { Request } from './request.ts'
export type { ActivityView } from './view/activity-view.ts'
export type { Event } from './log/event.ts'
export type { Storage } from './ports/storage.ts'

export { publicApi } from './resources/public-api.ts'
export { erasure } from './resources/erasure/erasure.ts'

/** What an author of operations needs: these eight names, and the codecs of `t`. */
export { operation, type Operation } from './definition/operation.ts'
export { query, type Query } from './definition/query.ts'
export { resource, type Resource } from './definition/resource.ts'
export { projection, type Projection } from './definition/projection.ts'
export { state, type Organization, type State } from './organization/state.ts'
export { port } from './definition/port.ts'
export { refuse, type Refusal } from './definition/refuse.ts'
export * as t from './codec/t.ts'
