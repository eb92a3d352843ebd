import type * as t from 'io-ts'
import type { Given } from '../organization/state.ts'
import type { Needs, Services } from './port.ts'

/** The context of work. It has no state: `check` returns the values of the state that the work needs. */
export type PerformContext<N extends Needs = Needs> = {
  /** The services behind the ports that the work needs, and no others. */
  readonly ports: Services<N>
  /** Use it as the idempotency key of effects: it is the same in every attempt. */
  readonly activityId: string
  readonly requester: string
  /** The time of the log at the `check` for this attempt, in milliseconds. */
  readonly atMs: number
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Aborted when the engine closes. */
  readonly signal: AbortSignal
}

/** Work that computes or waits. It runs outside the organization's turn. `B`: what `run` gives for the value of the work. */
export type Perform<
  K,
  P,
  N extends Needs = Needs,
  W extends WhenMissing | undefined = WhenMissing | undefined,
  B extends Given<P> = Given<P>,
> = {
  /**
   * Whether the work has effects outside. Then `ActivityStarted` is durable before the work begins, and the work happens at least
   * once, unless `whenInterrupted` is `fail`.
   */
  readonly outside: boolean
  /** The ports that the work needs, by the names of their services in the option `ports` of the engine. */
  readonly needs?: N
  /**
   * What happens if the engine lacks a service that the work needs. Default: the engine does not start. `unsupported`: requests are
   * refused with `UNSUPPORTED`.
   */
  readonly whenMissing?: W
  /**
   * After how many milliseconds another attempt may begin if one was interrupted, or failed with `UNAVAILABLE`. It has to be longer
   * than the work takes: if several processes share a store, any of them may begin the next attempt then. A function gets the number
   * of the attempt, from 1 on.
   */
  readonly resumeAfterMs: number | ((attempt: number) => number)
  /** The number of all attempts; after the last one the activity fails. */
  readonly attemptsMax: number
  /** What to do if an attempt has started and not concluded: its process died, or its `resumeAfterMs` is over. */
  readonly whenInterrupted: 'retry' | 'fail'
  /** The codec of the work's value. The log keeps the value, so it must contain no secret. Personal members can be erased. */
  readonly performed: t.Type<P, unknown, unknown>
  /**
   * The work. What it refuses with another code than `UNAVAILABLE` concludes the activity. After `UNAVAILABLE`, and after any error that is no
   * refusal, the outcome is unknown, and there is another attempt.
   *
   * @param checked  the value of `check` in the turn that let the work begin, frozen; without `check`, the intent
   */
  readonly run: (checked: K, context: PerformContext<N>) => B | Promise<B>
}

export type WhenMissing = 'unsupported'

/** After how many milliseconds another attempt may follow: 0 if the definition gives no finite number, and at most a year. */
export const resumeAfter = (
  { resumeAfterMs }: Pick<Perform<never, never>, 'resumeAfterMs'>,
  attempt: number,
): number => {
  const ms = typeof resumeAfterMs === 'number' ? resumeAfterMs : resumeAfterMs(attempt)
  return Number.isFinite(ms) ? Math.min(Math.max(0, Math.floor(ms)), YEAR_MS) : 0
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
