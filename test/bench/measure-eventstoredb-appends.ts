import type { Commit } from 'countersign'
import { bareEventStoreDb } from './bare-eventstoredb.ts'
import { inEventStoreDb } from './eventstoredb-place.ts'
import { median, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import { commits, writerOf, type Writer } from './measure-appends.ts'
import { emmettEventStoreDb } from './peers.ts'

export type EventStoreDbAppends = { readonly rounds: number; readonly forMs: number; readonly many: readonly number[] }

/** Commits a second; or why it cannot be measured. */
export const measureEventStoreDbAppends = (
  { rounds: count, forMs, many }: EventStoreDbAppends,
  progress: Progress,
): Promise<Table | string> =>
  inEventStoreDb(async ({ url, prefix, version, openStore }) => {
    const peer = await emmettEventStoreDb(url, prefix)
    const storage = await openStore(`${prefix}own-`)
    const own = writerOf(STORE, storage.store)
    const writers: readonly Writer[] = [
      bareEventStoreDb(url, `${prefix}bare-`),
      { ...own, close: storage.close },
      ...(typeof peer === 'string' ? [] : [peer]),
    ]
    const measured = async (at: number, kind: Kind): Promise<(string | number)[][]> => {
      progress(`appends to EventStoreDB, ${at} at a time, ${kind.says}`)
      const variants = writers
        .filter(({ name }) => kind.hasPeer || !name.startsWith('emmett'))
        .map((writer) => ({ name: writer.name, measure: kind.measure(writer, at) }))
      for (const { measure } of variants) await measure(forMs / 4)
      const found = await rounds(
        count,
        variants.map(({ name, measure }) => ({ name, measure: () => measure(forMs) })),
      )
      const of = (name: string): readonly number[] => found.get(name) ?? []
      const than = writers.at(2)?.name ?? ''
      return variants.map(({ name }) => [
        at,
        kind.says,
        name,
        rate(median(of(name))),
        ratio(of(name), of(writers[0]?.name ?? '')),
        of(than).length === 0 ? '–' : ratio(of(name), of(than)),
      ])
    }
    try {
      const rows: (string | number)[][] = []
      for (const kind of KINDS) for (const at of many) rows.push(...(await measured(at, kind)))
      return {
        title: 'Appends to EventStoreDB',
        says:
          `A server of version ${version} on the same machine, with its log on disk; the store borrows read models in an SQLite file. A commit has ` +
          'two events of 700 bytes, and a part of 900 where parts are named. Commits of one log are given in one call, and are one append; ' +
          'otherwise each commit is of a log of its own, and a caller of its own waits for it. The bare client makes the same appends, the parts ' +
          `before the events that name them; it checks nothing, knows all numbers, and nothing is left to be done behind them.${
            typeof peer === 'string' ? ` ${peer}` : PEER
          }`,
        columns: ['commits at a time', 'of', 'store', 'commits per second', '× bare client', '× emmett'],
        rows,
      }
    } finally {
      for (const { close } of writers) await close()
    }
  })

const STORE = 'store-eventstoredb'
const PEER =
  ' `@event-driven-io/emmett-esdb` 0.20.0, the last one that there is, appends the same events, parts included, to a stream for each commit, as ' +
  'many at the same time; it needs an older `@event-driven-io/emmett` than its siblings, and was installed in a folder of its own.'

type Kind = {
  readonly says: string
  readonly hasPeer: boolean
  readonly measure: (writer: Writer, at: number) => (forMs: number) => Promise<number>
}

/** Without its parts, the least that a commit is. */
const withoutParts = (next: () => Commit) => (): Commit => {
  const commit = next()
  return { ...commit, events: commit.events.map((event) => ({ ...event, parts: [] })) }
}

/** Commits a second of calls one behind the other, each with so many commits of one log. */
const inOneCall =
  (made: () => () => Commit) =>
  ({ append }: Writer, at: number) => {
    const next = made()
    return (forMs: number): Promise<number> => callsOf(1, at, forMs, () => append(Array.from({ length: at }, next)))
  }

/** The same of so many callers at the same time, each with a log of its own. */
const byCallers =
  (made: () => () => Commit) =>
  ({ append }: Writer, at: number) => {
    const logs = Array.from({ length: at }, made)
    return (forMs: number): Promise<number> =>
      callsOf(at, 1, forMs, async (caller) => {
        const next = logs[caller]
        if (next !== undefined) await append([next()])
      })
  }

const callsOf = async (
  callers: number,
  commitsEach: number,
  forMs: number,
  call: (caller: number) => Promise<void>,
): Promise<number> => {
  const startedAt = performance.now()
  let count = 0
  const caller = async (_: unknown, n: number): Promise<void> => {
    while (performance.now() - startedAt < forMs) {
      await call(n)
      count += commitsEach
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (count / (performance.now() - startedAt)) * 1000
}

const bare = () => withoutParts(commits())

const KINDS: readonly Kind[] = [
  { says: 'one log, with parts', hasPeer: true, measure: inOneCall(commits) },
  { says: 'one log', hasPeer: false, measure: inOneCall(bare) },
  { says: 'as many logs, with parts', hasPeer: true, measure: byCallers(commits) },
  { says: 'as many logs', hasPeer: false, measure: byCallers(bare) },
]
