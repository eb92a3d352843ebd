import { isWaiting } from '../../core/log/standing.ts'
import { isActivityOf } from '../../core/view/shown-request.ts'
import type { InboxCalls, Voting } from './inbox-calls.ts'
import type { SeenActivity } from './seen.ts'

/** What has become of a vote. */
export type Cast =
  | { readonly kind: 'voted'; readonly activity: SeenActivity }
  /** The vote was refused with this error, and the activity waits no longer: somebody else was sooner. */
  | { readonly kind: 'late'; readonly activity: SeenActivity; readonly error: unknown }
  /** The server answered with another activity than the one of the vote. */
  | { readonly kind: 'exchanged' }

/**
 * Votes on what has this fingerprint.
 *
 * @param id  of the activity, if it is known: then a vote that was refused tells what has become of it
 * @returns rejects with the refusal of a vote if the activity still waits, or nobody knows
 */
export const cast = async (
  calls: Pick<InboxCalls, 'organizationId' | 'activity' | 'vote'>,
  voting: Voting,
  fingerprint: string,
  id: string | undefined,
): Promise<Cast> => {
  const { organizationId } = calls
  try {
    const activity = await calls.vote(voting, fingerprint)
    return isActivityOf(activity, { organizationId, fingerprint }) ? { kind: 'voted', activity } : { kind: 'exchanged' }
  } catch (error) {
    const activity = id === undefined ? undefined : await calls.activity(id).catch(() => undefined)
    if (activity === undefined || isWaiting(activity.status)) throw error
    return { kind: 'late', activity, error }
  }
}
