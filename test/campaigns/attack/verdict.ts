import { megabytes, ms } from '../bench/figures.ts'
import { unexpected, type Attack } from './attack.ts'
import { p99Of, type Experience } from './honest-caller.ts'

/** What one attack did to a server and to the honest caller beside it. */
export type Measured = {
  readonly honest: Experience
  /** What the attackers were answered. */
  readonly statuses: ReadonlyMap<number, number>
  /** The most memory that the server's process had in the machine: the heap, and all beside it. */
  readonly peakRssBytes: number
  /** How the server ended, if it did. */
  readonly ended: string | undefined
  /** What the server logged as errors. */
  readonly errors: readonly string[]
}

/** For how long an honest caller may have to wait: 99 of 100 requests are answered sooner. */
export const P99_MAX_MS = 250
/** Of fewer answers, a p99 says nothing: they are judged together with those of the other attacks. */
export const SAMPLES_MIN = 500
/** Of the whole process. */
export const RSS_MAX_BYTES = 512 * 1024 * 1024
/** How busy other programs may keep the machine's processors while an honest caller's waits are measured; 1 is one of them. */
export const OTHERS_BUSY_MAX = 0.5
/** For how long one request may keep the event loop busy without a break. */
export const BLOCK_MAX_MS = 50

/** Whether nothing is wrong but a wait: that can be the fault of what else runs on the machine. */
export const isSlowOnly = (
  attack: Pick<Attack, 'answers'>,
  measured: Measured,
  p99MaxMs: number = P99_MAX_MS,
): boolean => {
  const isSlow = p99Of(measured.honest) >= p99MaxMs
  return isSlow && faultsOf(attack, { ...measured, honest: { ...measured.honest, latencies: [0] } }).length === 0
}

/** What one request may not do, in words: `blockMs` is the longest that the event loop was busy with one thing. */
export const faultsOfSingle = (
  attack: Pick<Attack, 'answers'>,
  { blockMs, ended, statuses }: Pick<Measured, 'ended' | 'statuses'> & { readonly blockMs: number },
): readonly string[] => [
  ...unexpectedAnswers(attack, statuses),
  ...(ended === undefined ? [] : [ended]),
  ...(blockMs <= BLOCK_MAX_MS ? [] : [`one request keeps all others waiting for ${ms(blockMs)} ms`]),
]

/** What the server owes to everybody and did not keep, in words; nothing where it kept it all. */
export const faultsOf = (
  attack: Pick<Attack, 'answers'>,
  measured: Measured,
  p99MaxMs: number = P99_MAX_MS,
): readonly string[] => {
  const { honest, statuses, peakRssBytes, ended, errors } = measured
  const faults: string[] = []
  if (ended !== undefined) faults.push(ended)
  if (!(peakRssBytes < RSS_MAX_BYTES)) faults.push(`the server took ${megabytes(peakRssBytes)} of memory`)
  const p99 = p99Of(honest)
  if (!(p99 < p99MaxMs)) faults.push(`the honest caller waited: p99 ${ms(p99)} ms`)
  faults.push(...unexpectedAnswers(attack, statuses))
  for (const status of unexpected({ answers: [0, 200] }, honest.statuses))
    faults.push(`the honest caller was answered ${status}`)
  for (const error of errors.slice(0, 3)) faults.push(`the server logged: ${error.slice(0, 300)}`)
  return faults
}

const unexpectedAnswers = (attack: Pick<Attack, 'answers'>, statuses: Measured['statuses']): readonly string[] =>
  unexpected(attack, statuses).map((status) => `the attackers were answered ${status === 0 ? 'not at all' : status}`)
