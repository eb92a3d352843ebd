import type { Clock } from '../ports/clock.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Turns } from '../ports/turns.ts'
import type { Effects } from './effects.ts'
import type { FairQueue } from './fair-queue.ts'
import type { LiveActivities } from './live-activities.ts'
import type { Organizations } from './organizations.ts'
import type { Rules } from './turn.ts'

/** What commands and queries are carried out with. */
export type CommandPorts = {
  readonly rules: Rules
  readonly organizations: Organizations
  readonly activities: LiveActivities
  readonly effects: Effects
  readonly queue: FairQueue
  readonly turns: Turns
  readonly signatures: Signatures
  readonly clock: Clock
  /** Undefined where nobody wants to be told: then nothing is measured. */
  readonly telemetry: Telemetry | undefined
}
