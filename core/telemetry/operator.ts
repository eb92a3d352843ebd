import type { Clock } from '../ports/clock.ts'
import type { TellNotice } from '../ports/notice.ts'
import { quietly, tellThrown, type TellThrown } from './tell-thrown.ts'
import { troubles, type Troubles } from './troubles.ts'

/** How an engine tells its operator what he should know. */
export type Operator = {
  readonly notice: TellNotice
  /** Tells of code that threw. */
  readonly tell: TellThrown
  /** Attempts at effects that failed, and may go well the next time. */
  readonly failures: Troubles
  /** Effects that failed for good, or whose outcome nobody knows. */
  readonly accidents: Troubles
  /** Organizations that are parked. */
  readonly parkings: Troubles
  /** Organizations that are closed because of what their logs hold. */
  readonly closings: Troubles
  /** Organizations of which the store has lost events. */
  readonly losses: Troubles
  /** Nothing that comes again is told any more. */
  readonly close: () => void
}

export const operatorOf = (clock: Clock, onNotice: TellNotice | undefined): Operator => {
  const notice = quietly(onNotice)
  const ports = { clock, tell: notice }
  const failures = troubles(ports, 'success')
  const [bugs, accidents, parkings, closings] = [once(ports), once(ports), once(ports), once(ports)]
  const losses = once(ports)
  return {
    notice,
    tell: tellThrown(bugs),
    failures,
    accidents,
    parkings,
    closings,
    losses,
    close: () => {
      for (const each of [bugs, failures, accidents, parkings, closings, losses]) each.close()
    },
  }
}

const once = (ports: Parameters<typeof troubles>[0]): Troubles => troubles(ports, 'silence')
