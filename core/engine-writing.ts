import { policyNotices } from './command/policy-notices.ts'
import { wentBack } from './command/went-back.ts'
import type { Catalogue } from './definition/catalogue.ts'
import type { OptionsWithBug } from './engine.ts'
import type { FollowsLog } from './following/follower.ts'
import type { OwnCommits } from './following/own-commits.ts'
import type { Event } from './log/event.ts'
import type { Storage } from './ports/storage.ts'
import type { Telemetry } from './ports/telemetry.ts'
import type { Operator } from './telemetry/operator.ts'
import { inspections } from './writing/inspections.ts'
import { lane } from './writing/lane.ts'
import { liveActivities } from './writing/live-activities.ts'
import { organizations } from './writing/organizations.ts'

type Parts = {
  readonly options: OptionsWithBug
  readonly catalogue: Catalogue
  readonly storage: Storage
  readonly commits: OwnCommits
  readonly operator: Operator
  readonly telemetry: Telemetry | undefined
  /** The public keys that sign verification tokens, where the engine has a keyring. */
  readonly verificationKeys?: readonly string[]
  /** What follows the log. It is made later. */
  readonly followers: () => readonly FollowsLog[]
}

/** What writes: organizations and activities in memory, and the lane. */
export const writing = ({
  options,
  catalogue,
  storage,
  commits,
  operator,
  telemetry,
  verificationKeys,
  followers,
}: Parts) => {
  const { clock, ids, signatures: digest } = options
  const { store } = storage
  const { notice, tell, closings, losses } = operator
  const inspect = inspections(
    { clock, verificationKeys, attestations: options.attestations, ports: options.ports },
    options.tuning,
  )
  const activities = liveActivities({ store, catalogue, inspect })
  const writer = lane({ store, clock, telemetry })
  const tellOfPolicies = policyNotices(catalogue, notice)
  const ports = {
    storage,
    clock,
    tell,
    digest,
    ids,
    lane: writer,
    catalogue,
    closings,
    onWentBack: wentBack({ live: activities, telemetry, losses, followers }),
    onCaughtUp: activities.passOn,
    answersFromPendingState: options.answersFromPendingState === true,
  }
  const cells = organizations(
    {
      ...ports,
      onDurable: (cell, events, last, activity) => {
        activities.keep(cell, activity)
        commits.offer(events, last)
        if (telemetry !== undefined) countDecisions(telemetry, events)
        tellOfPolicies(cell.state, events)
      },
    },
    options.tuning ?? {},
  )
  return { inspect, activities, lane: writer, organizations: cells }
}

const countDecisions = (telemetry: Telemetry, events: readonly Event[]): void => {
  for (const event of events) {
    if (event.type !== 'ActivityCreated' && event.type !== 'ActivityVoted') continue
    const { outcome, rule } = event.data.decision.verdict
    telemetry.count('countersign.decisions', 1, { outcome, rule })
  }
}
