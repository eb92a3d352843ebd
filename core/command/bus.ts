import type { VouchingPorts } from './attested.ts'
import type { Failure } from '../failure.ts'
import type { ActivityView } from '../view/activity-view.ts'
import type { E } from '../prelude.ts'
import type { Clock } from '../ports/clock.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Turns } from '../ports/turns.ts'
import type { Effects } from './effects.ts'
import type { CommandQueue } from './command-queue.ts'
import type { Inspect } from '../writing/inspections.ts'
import type { LiveActivities } from '../writing/live-activities.ts'
import type { Organizations } from '../writing/organizations.ts'
import type { Rules } from '../deciding/proposal.ts'
import type { Troubles } from '../telemetry/troubles.ts'

/** Everything that commands and queries need. */
export type CommandPorts = VouchingPorts & {
  readonly rules: Rules
  readonly organizations: Organizations
  readonly activities: LiveActivities
  readonly effects: Effects
  readonly inspect: Inspect
  readonly queue: CommandQueue
  readonly turns: Turns
  readonly signatures: Signatures
  readonly clock: Clock
  /** Whether there are keys for app proofs. */
  readonly provesActivities: boolean
  /** Adds app proofs to what is shown, where they were asked for. */
  readonly proved: (view: ActivityView) => Promise<E.Either<Failure, ActivityView>>
  /** What the operator has to know, each thing once. */
  readonly accidents: Pick<Troubles, 'note'>
  /** `undefined` where the host has no telemetry: then nothing is measured. */
  readonly telemetry: Telemetry | undefined
}
