import type { Head } from '../../core/ports/event-store.ts'
import type { Asking, Pool } from './pool.ts'
import { isStorable } from './storable.ts'
import type { Tables } from './tables.ts'

type Waiting = {
  readonly organization: string
  readonly resolve: (head: Head | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Statements under way at a time: while one waits for the server, the next one gathers. */
const AT_ONCE = 2

/**
 * Reads the last events of logs. One statement answers all who asked before it began: where others append to the store, each command and
 * query asks, and there are few connections.
 */
export const headReader = (pool: Pool, t: Tables): ((organization: string) => Promise<Head | undefined>) => {
  let waiting: Waiting[] = []
  let underWay = 0

  const answerOnce = async (): Promise<void> => {
    let these: readonly Waiting[] = []
    try {
      const found = await pool.lend((on) => {
        these = waiting
        waiting = []
        return readHeads(on, t, [...new Set(these.map(({ organization }) => organization))])
      })
      for (const { organization, resolve } of these) resolve(found.get(organization))
    } catch (error) {
      // Without a connection, nobody has been taken yet: then all who wait are told.
      if (these.length === 0) these = waiting.splice(0)
      for (const { reject } of these) reject(error)
    }
  }

  const answer = async (): Promise<void> => {
    while (waiting.length > 0) await answerOnce()
    underWay--
  }

  return (organization) =>
    new Promise((resolve, reject) => {
      waiting.push({ organization, resolve, reject })
      if (underWay >= AT_ONCE) return
      underWay++
      // A turn later, so that those who ask in this turn are in the first statement, too.
      void Promise.resolve().then(answer)
    })
}

const readHeads = async (
  on: Asking,
  t: Tables,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, Head>> => {
  const { rows } = await on.prepared(
    'heads',
    `SELECT o.id, h.sequence, h.position, h.line FROM ${t.organizations} o
    CROSS JOIN LATERAL (
      SELECT sequence, position, line FROM ${t.events} WHERE organization = o.key ORDER BY sequence DESC LIMIT 1) h
    WHERE o.id = ANY ($1::text[])`,
    [organizations.filter(isStorable)],
  )
  return new Map(
    rows.map((row) => {
      const [id, sequence, position, line] = row as readonly [string, bigint, bigint, Uint8Array] // as selected
      return [id, { sequence, position, line }]
    }),
  )
}
