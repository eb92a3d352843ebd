import { megabytes, ms } from '../bench/figures.ts'
import { unexpected, type Attack } from './attack.ts'

/** What one attack did to a server and to the honest caller beside it. */
export type Measured = {
  /** What the honest caller was answered, by status; 0 where no answer came. */
  readonly honest: ReadonlyMap<number, number>
  /** What the attackers were answered. */
  readonly statuses: ReadonlyMap<number, number>
  /** The most memory that the server's process had in the machine: the heap, and all beside it. */
  readonly peakRssBytes: number
  /** How the server ended, if it did. */
  readonly ended: string | undefined
  /** What the server logged as errors. */
  readonly errors: readonly string[]
}

/** Of the whole process. */
export const RSS_MAX_BYTES = 512 * 1024 * 1024
/** For how long one request may keep the event loop busy without a break. */
export const BLOCK_MAX_MS = 50

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
  { honest, statuses, peakRssBytes, ended, errors }: Measured,
): readonly string[] => [
  ...(ended === undefined ? [] : [ended]),
  ...(peakRssBytes < RSS_MAX_BYTES ? [] : [`the server took ${megabytes(peakRssBytes)} of memory`]),
  ...(honest.has(200) ? [] : ['the honest caller was never answered']),
  ...unexpected({ answers: [0, 200] }, honest).map((status) => `the honest caller was answered ${status}`),
  ...unexpectedAnswers(attack, statuses),
  ...errors.slice(0, 3).map((error) => `the server logged: ${error.slice(0, 300)}`),
]

const unexpectedAnswers = (attack: Pick<Attack, 'answers'>, statuses: Measured['statuses']): readonly string[] =>
  unexpected(attack, statuses).map((status) => `the attackers were answered ${status === 0 ? 'not at all' : status}`)
