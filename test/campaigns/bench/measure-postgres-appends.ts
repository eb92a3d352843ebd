import type { Commit } from 'countersign/define'
import { barePostgres } from './bare-postgres.ts'
import { median, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import { commits, writerOf, type Writer } from './measure-appends.ts'
import { emmettPostgres } from './peers.ts'
import { closeStore, inDatabase, openStore } from './postgres-database.ts'

export type PostgresAppends = { readonly rounds: number; readonly forMs: number; readonly callers: readonly number[] }

type Contestant = Writer & {
  /** Whether each caller appends by itself; otherwise one call has the commits of all. */
  readonly isShared: boolean
  /** The next commit of each log. */
  readonly logs: readonly (() => Commit)[]
}

/** Commits a second of many callers at once, each of which waits until its commit is durable. Or why it cannot be measured. */
export const measurePostgresAppends = (options: PostgresAppends, progress: Progress): Promise<Table | string> =>
  inDatabase((own) => inDatabase((other) => measured(options, own.url, other.url, progress)))

const measured = async (
  { rounds: count, forMs, callers }: PostgresAppends,
  url: string,
  peerUrl: string,
  progress: Progress,
): Promise<Table> => {
  for (const schema of ['bare', 'pipelined']) await closeStore(await openStore(url, schema))
  const storage = await openStore(url, 'own')
  const own = writerOf('store-postgres', storage.store)
  const logs = () => Array.from({ length: Math.max(...callers) }, commits)
  const contestants: readonly Contestant[] = [
    { ...(await barePostgres(url, 'bare', false)), isShared: false, logs: logs() },
    { ...own, close: () => closeStore(storage), isShared: true, logs: logs() },
    { ...(await barePostgres(url, 'pipelined', true)), isShared: false, logs: logs() },
    { ...(await emmettPostgres(peerUrl)), isShared: true, logs: logs() },
  ]
  const [bare, , , peer] = contestants
  try {
    const rows: (string | number)[][] = []
    for (const many of callers) {
      progress(`appends to PostgreSQL, ${many} callers`)
      for (const one of contestants) await appended(one, many, forMs / 4)
      const found = await rounds(
        count,
        contestants.map((one) => ({ name: one.name, measure: () => appended(one, many, forMs) })),
      )
      const of = (one: Contestant | undefined): readonly number[] => found.get(one?.name ?? '') ?? []
      rows.push(
        ...contestants.map((one) => [
          many,
          one.name,
          rate(median(of(one))),
          ratio(of(one), of(bare)),
          ratio(of(one), of(peer)),
        ]),
      )
    }
    return {
      title: 'Appends to PostgreSQL',
      says:
        'Each caller appends a commit of two events of 700 bytes and a part of 900 to a log of its own, and waits until it is durable. The bare ' +
        'driver writes as many commits in one transaction: the lock in a statement of its own, one named statement for the rows of all tables, ' +
        'COMMIT. It checks nothing, and knows all numbers. Pipelined, it sends all three at once. ' +
        '`@event-driven-io/emmett-postgresql` 0.42.0 appends the same events to a stream for each commit, with its own pool.',
      columns: ['callers', 'store', 'commits per second', '× bare driver', '× emmett'],
      rows,
    }
  } finally {
    for (const { close } of contestants) await close()
  }
}

/** Commits a second. */
const appended = async ({ append, isShared, logs }: Contestant, callers: number, forMs: number): Promise<number> => {
  const size = isShared ? 1 : callers
  const startedAt = performance.now()
  let count = 0
  const caller = async (n: number): Promise<void> => {
    const nexts = logs.slice(n * size, (n + 1) * size)
    while (performance.now() - startedAt < forMs) {
      await append(nexts.map((next) => next()))
      count += size
    }
  }
  await Promise.all(Array.from({ length: isShared ? callers : 1 }, (_, n) => caller(n)))
  return (count / (performance.now() - startedAt)) * 1000
}
