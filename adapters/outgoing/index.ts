/** What tells endpoints of what happens: the option `webhooks` of an engine. */
import type { Telling } from '../../core/engine.ts'
import { nodeOutgoing, type OutgoingOptions } from './node-outgoing.ts'

export type { Telling } from '../../core/engine.ts'
export type { Answer, AskedRequest, Outcome, Outgoing, OutgoingRequest, Unanswered } from '../../core/ports/outgoing.ts'
export type { Lookup } from './vetted-addresses.ts'
export { nodeOutgoing, type OutgoingOptions }

/**
 * Lets an engine tell endpoints. Requests go to public addresses only, unless the options say otherwise.
 *
 * @example createEngine({ store, keystore, webhooks: webhooks() })
 */
export const webhooks = (options: OutgoingOptions = {}): Telling => ({ outgoing: nodeOutgoing(options) })
