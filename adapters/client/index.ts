/** The client of a server, for browsers and other runtimes without Node: it needs nothing but `fetch`. On Node, `countersign` has it, too. */
import { nobleStamper, type PrivateKey } from './noble-stamper.ts'
import { connectBy } from './connect.ts'
import type { Stamper } from '../../core/door/transport.ts'

/**
 * Makes the client of one user of a server. It connects when it sends its first request.
 *
 * @throws CountersignError with the code `CONFIGURATION_INVALID` if the URL is missing or wrong; TypeError if the key is wrong
 * @example const ada = connect({ url: 'https://countersign.example.com', organizationId, key })
 */
export const connect = connectBy((key: PrivateKey | Stamper): Stamper =>
  typeof key === 'function' ? key : nobleStamper(key),
)

export type { ConnectOptions } from './connect.ts'
export type { PrivateKey } from './noble-stamper.ts'
export { CountersignError, type Retry } from '../../core/countersign-error.ts'
export type { Client, RequestOptions, Tried, Votable, WaitOptions } from '../../core/door/client.ts'
export type { Submitted } from '../../core/door/submitted.ts'
export type { Stamp, Stamper } from '../../core/door/transport.ts'
export type { ActivityView, VoteView } from '../../core/view/activity-view.ts'
export type { Failure } from '../../core/failure.ts'
export type { Identity, Operation, Steps } from '../../core/definition/operation.ts'
export type { Outcome as WrittenOutcome, PersonalMembers } from '../../core/definition/personal-members.ts'
export type { PartBytes } from '../../core/log/event.ts'
