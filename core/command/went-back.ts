import type { FollowsLog } from '../following/follower.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Troubles } from '../telemetry/troubles.ts'
import type { LiveActivities } from '../writing/live-activities.ts'

type Ports = {
  readonly live: Pick<LiveActivities, 'forget'>
  readonly telemetry: Telemetry | undefined
  /** Organizations of which the store has lost events, for the operator. */
  readonly losses: Pick<Troubles, 'note'>
  /** What follows the log. It is asked for when it is needed, because it is made later. */
  readonly followers: () => readonly FollowsLog[]
}

/**
 * Acts where the store does not have any more what it had: a failover lost its end, or a backup was put in place under a running engine.
 * What was answered may be gone, which nothing here can mend; but what is left is folded again, and the operator is told.
 */
export const wentBack =
  ({ live, telemetry, losses, followers }: Ports) =>
  (organization: string, isFirst: boolean): void => {
    live.forget(organization)
    telemetry?.count('countersign.store.rewinds', 1, {})
    losses.note(organization, () => ({
      level: 'error',
      message: 'the store has lost events that were durable: it may have been put back; what is left was folded again',
      context: { organization },
    }))
    if (isFirst) for (const { startOver } of followers()) void startOver?.()
  }
