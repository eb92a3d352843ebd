import { encodeUtf8 } from '../../core/bytes.ts'
import { activityIdOf, fingerprintOf } from '../../core/activity/identity.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import type { SeenActivity, SeenVote } from './server-calls.ts'

/** What somebody has asked for, by the bytes that they stamped: the fingerprint is the hash of these bytes. */
export type Asked = {
  /** The vote of the requester. */
  readonly vote: SeenVote
  readonly parameters: unknown
}

/**
 * What was asked for with the fingerprint of an activity. It does not trust the server: the bytes have to fit the fingerprint, the
 * fingerprint the id, and the body the organization and the type. Undefined if something does not fit, or the request was erased.
 */
export const askedIn = (activity: SeenActivity, organizationId: string): Asked | undefined => {
  const { id, fingerprint, type, votes } = activity
  const digest = nodeDigest()
  if (activity.organizationId !== organizationId || activityIdOf(digest, organizationId, fingerprint) !== id)
    return undefined
  const vote = votes.find(({ message }) => fingerprintOf(digest, encodeUtf8(message)) === fingerprint)
  const body = vote === undefined ? undefined : bodyOf(vote.message)
  if (vote === undefined || body?.['organizationId'] !== organizationId || body['type'] !== type) return undefined
  return { vote, parameters: body['parameters'] }
}

/** Whether the server says that the request of a vote was erased or left out. The requester's vote is the first one. */
export const isErased = (vote: SeenVote | undefined): boolean => vote?.message === ''

const bodyOf = (message: string): { readonly [member: string]: unknown } | undefined => {
  try {
    const body: unknown = JSON.parse(message)
    return typeof body === 'object' && body !== null ? (body as { readonly [member: string]: unknown }) : undefined
  } catch {
    return undefined
  }
}
