import { isWaiting, type Status } from '../../core/log/standing.ts'
import { requestIn } from '../../core/view/shown-request.ts'
import type { InboxCalls } from './inbox-calls.ts'
import { missingFor, type Missing } from './missing-approvals.ts'
import type { SeenActivity, SeenEvaluations, SeenFactors, SeenRequest } from './seen.ts'
import type { Names } from './words.ts'

/** What is known of an activity beside itself. */
export type Details = {
  /** What its fingerprint stands for. */
  readonly request: SeenRequest | undefined
  /** What it lacks, if it waits for approvals and all is known that tells. */
  readonly missing: Missing | undefined
  /** Of voters who have not met their MFA policies. */
  readonly lacking: readonly SeenFactors[]
  readonly names: Names
  /** What the policies said at each vote. */
  readonly evaluations: readonly SeenEvaluations[]
  /** The time of which all this is, by our clock. */
  readonly nowMs: number
}

/**
 * Asks a server what is known of an activity.
 *
 * @param mayLack  whether to go on without a query that has failed so, such as one that this server does not offer. Default: never
 */
export const detailsBy = async (
  calls: InboxCalls,
  activity: SeenActivity,
  mayLack: (error: unknown) => boolean = () => false,
): Promise<Details> => {
  const known = async <A>(answer: Promise<A>): Promise<A | undefined> => {
    try {
      return await answer
    } catch (error) {
      if (mayLack(error)) return undefined
      throw error
    }
  }
  const { id, status } = activity
  const [evaluations, users, policies, quorum, tags = [], factors = []] = await Promise.all([
    known(calls.evaluations(id)),
    known(calls.users()),
    known(calls.policies()),
    known(calls.quorum()),
    known(calls.tags()),
    isWaiting(status) ? known(calls.factors(id)) : [],
  ])
  const nowMs = Date.now()
  const isKnown = evaluations && users && policies && quorum && { evaluations, users, policies, quorum }
  return {
    request: requestIn(activity, calls.organizationId),
    // What else an activity lacks that waits for a factor of its requester, nobody has asked the rules yet.
    missing: status === NEEDS_CONSENSUS && isKnown ? missingFor(activity, isKnown, nowMs) : undefined,
    lacking: factors.filter(({ satisfied }) => !satisfied),
    names: new Map([
      ...(users ?? []).map(({ userId, userName }) => [userId, `the user ${userName}`] as const),
      ...tags.map(({ tagId, tagName }) => [tagId, `the tag ${tagName}`] as const),
    ]),
    evaluations: evaluations ?? [],
    nowMs,
  }
}

const NEEDS_CONSENSUS = 'ACTIVITY_STATUS_CONSENSUS_NEEDED' satisfies Status
