import { nodeOutgoing, type OutgoingOptions } from '../../../adapters/outgoing/node-outgoing.ts'
import type { Outcome, OutgoingRequest, Unanswered } from '../../../core/ports/outgoing.ts'
import { testClock } from '../../core/world/world.ts'

export const posted = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  url,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from('{}'),
  ...more,
})

export const answered = (status: number, retryAfter?: string): Outcome => ({ _tag: 'answered', status, retryAfter })

export const unanswered = (why: Unanswered): Outcome => ({ _tag: 'unanswered', why })

/** As in development, where each name is one of this machine. */
export const inDevelopment = (more: Partial<OutgoingOptions> = {}) =>
  nodeOutgoing({ clock: testClock(), allowPrivateNetwork: true, lookup: async () => ['127.0.0.1'], ...more })
