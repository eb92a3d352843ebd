import type { CronSpan } from './cron-span.ts'
import type { Instant } from './instant.ts'

/** What expressions about time use. */
export type TimeFacts = {
  readonly now: Instant
  /** Whether a moment is in one of the spans; undefined if this machine does not know the time zone. */
  readonly isWithin: (span: CronSpan, atMs: number) => boolean | undefined
}

/** One evaluation: its facts, the values of its variables, the steps that it has used, and the reason if it failed. */
export type Run = {
  readonly facts: Readonly<Record<string, unknown>> & { readonly time?: TimeFacts }
  readonly variables: unknown[]
  readonly stepsMax: number
  /** Characters of a text that are compared in one step, as a power of two. */
  readonly textShift: number
  steps: number
  reason: string | undefined
  /** Whether it failed because its steps were used up. */
  isExhausted: boolean
}

/** The most steps of one evaluation: it counts nodes, elements, and long strings by their length. */
export const STEPS_MAX = 100_000

/** A value of the facts. They have JSON's numbers: one that is not whole or not exact is an error. */
export const read = (run: Run, value: unknown, name: string): unknown => {
  if (value === undefined || value === null) return fail(run, `missing field: ${name.slice(0, 64)}`)
  if (typeof value !== 'number') return value
  return Number.isSafeInteger(value) ? BigInt(value) : fail(run, 'expected a whole number')
}

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Takes steps, and tells whether there were as many. */
export const spend = (run: Run, steps: number): boolean => {
  run.steps += steps
  if (run.steps <= run.stepsMax) return true
  run.isExhausted ||= run.reason === undefined
  fail(run, `expected an evaluation of at most ${STEPS_MAX} steps`)
  return false
}

/** Ends the run: its first reason stays. */
export const fail = (run: Run, reason: string): undefined => {
  run.reason ??= reason
  return undefined
}
