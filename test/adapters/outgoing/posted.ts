import { nodeOutgoing, type OutgoingOptions } from '../../../adapters/outgoing/node-outgoing.ts'
import type { AskedRequest, Outcome, OutgoingRequest, Unanswered } from '../../../core/ports/outgoing.ts'
import { testClock } from '../../core/world/world.ts'

export const posted = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  url,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from('{}'),
  ...more,
})

/** A request whose answer of up to 1,000 bytes is read for up to 5 s. */
export const asked = (url: string, more: Partial<AskedRequest> = {}): AskedRequest => ({
  url,
  method: 'GET',
  headers: { Accept: 'application/json' },
  body: new Uint8Array(),
  limits: { totalMs: 5_000, bytesMax: 1_000 },
  ...more,
})

export const answered = (status: number, retryAfter?: string): Outcome => ({ _tag: 'answered', status, retryAfter })

export const unanswered = (why: Unanswered): Outcome => ({ _tag: 'unanswered', why })

/** As in development, where each name is one of this machine. */
export const inDevelopment = (more: Partial<OutgoingOptions> = {}) =>
  nodeOutgoing({ clock: testClock(), allowPrivateNetwork: true, lookup: async () => ['127.0.0.1'], ...more })
