import type { ShownRequest } from '../../core/view/shown-request.ts'
import type { SeenVote } from './server-calls.ts'

/** What somebody has asked for, by the bytes that they stamped. */
export type SeenRequest = ShownRequest<SeenVote>

/** Whether the server says that the request of a vote was erased or left out. The requester's vote is the first one. */
export const isErased = (vote: SeenVote | undefined): boolean => vote?.message === ''
