import { createHash } from 'node:crypto'
import type { Batons } from '../../core/ports/batons.ts'
import type { Attempts } from '../../core/ports/attempts.ts'
import { refuse } from '../../core/ports/refusal.ts'
import type { Connect } from './connect.ts'
import { ownPool } from './pool.ts'
import type { Settings } from './settings.ts'
import { transactions } from './transaction.ts'

/** Batons that this process has, or waits for, at a time: each takes a connection. */
const AT_ONCE = 4
/** How long others are waited for. */
const WAIT_MS = 2_000
/** How long a holder that stands still keeps others waiting. */
const HOLD_MS = 1_000

/**
 * Each baton is an advisory lock of a transaction, on a connection that has nothing else to do meanwhile. So the server gives it to those who
 * wait in their order, takes it from a process that dies or stands still, and keeps it also behind a pooler.
 */
export const postgresBatons = (
  connect: Connect,
  settings: Settings,
  { write }: Pick<Attempts, 'write'>,
): Batons & { readonly close: () => Promise<void> } => {
  const pool = ownPool(connect, AT_ONCE)
  const bounds = { ...settings, lockTimeoutMs: WAIT_MS, idleTimeoutMs: HOLD_MS }
  const keyOf = (name: string): bigint =>
    createHash('sha256').update(`countersign baton ${settings.schema} ${name}`).digest().readBigInt64BE(0)
  let held = 0

  const holding = async (name: string, job: () => Promise<void>): Promise<void> => {
    if (held >= AT_ONCE) throw refuse('UNAVAILABLE', 'too many batons at a time')
    held += 1
    try {
      await pool.lend((on) => transactions(bounds, `SELECT pg_advisory_xact_lock(${keyOf(name)})`)(on, job))
    } finally {
      held -= 1
    }
  }

  return { hold: (name, job) => write(() => holding(name, job)), close: pool.close }
}
