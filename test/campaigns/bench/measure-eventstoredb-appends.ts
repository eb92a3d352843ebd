import type { Commit } from 'countersign/define'
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
    let opened = 0
    const nextPrefix = (): string => `${prefix}${++opened}-`
    const peer = await emmettEventStoreDb(url, nextPrefix())
    if (typeof peer !== 'string') await peer.close()
    const openOwn = async (): Promise<Writer> => {
      const storage = await openStore(nextPrefix())
      return { ...writerOf(STORE, storage.store), close: storage.close }
    }
    const openPeer = async (): Promise<Writer> => {
      const again = await emmettEventStoreDb(url, nextPrefix())
      if (typeof again === 'string') throw new Error(again)
      return again
    }
    const writers: readonly Opening[] = [
      { name: BARE, open: async () => bareEventStoreDb(url, nextPrefix()) },
      { name: STORE, open: openOwn },
      ...(typeof peer === 'string' ? [] : [{ name: peer.name, open: openPeer }]),
    ]
    const measured = async (at: number, kind: Kind): Promise<(string | number)[][]> => {
      progress(`appends to EventStoreDB, ${at} at a time, ${kind.says}`)
      const found = await rounds(
        count,
        writers
          .filter(({ name }) => kind.hasPeer || name === BARE || name === STORE)
          .map(({ name, open }) => ({ name, measure: () => measuredOnce(open, kind, { at, forMs }) })),
      )
      const of = (name: string): readonly number[] => found.get(name) ?? []
      const than = typeof peer === 'string' ? '' : peer.name
      return [...found.keys()].map((name) => [
        at,
        kind.says,
        name,
        rate(median(of(name))),
        ratio(of(name), of(BARE)),
        of(than).length === 0 ? '–' : ratio(of(name), of(than)),
      ])
    }
    const rows: (string | number)[][] = []
    for (const kind of KINDS) for (const at of many) rows.push(...(await measured(at, kind)))
    return {
      title: 'Appends to EventStoreDB',
      says:
        `A server of version ${version} on the same machine, with its log on disk; the store borrows read models in an SQLite file. A commit has ` +
        'two events of 700 bytes, and a part of 900 where parts are named. Commits of one log are given in one call, and are one append; ' +
        'otherwise each commit is of a log of its own, and a caller of its own waits for it. The bare client makes the same appends, the parts ' +
        'before the events that name them; it checks nothing, knows all numbers, and nothing is left to be done behind them. Each round has a ' +
        'writer of its own, which appends for a second before it is measured, and is closed behind it: what the store does behind its appends ' +
        `counts while they go on, and slows down nobody else.${typeof peer === 'string' ? ` ${peer}` : PEER}`,
      columns: ['commits at a time', 'of', 'store', 'commits per second', '× bare client', '× emmett'],
      rows,
    }
  })

type Opening = { readonly name: string; readonly open: () => Promise<Writer> }

/** Index and links begin half a second behind the first append. */
const WARM_UP_MS = 1_000

const measuredOnce = async (
  open: Opening['open'],
  { measure }: Kind,
  { at, forMs }: { readonly at: number; readonly forMs: number },
): Promise<number> => {
  const writer = await open()
  try {
    const appending = measure(writer, at)
    await appending(WARM_UP_MS)
    return await appending(forMs)
  } finally {
    await writer.close()
  }
}

const BARE = 'the client, bare'
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
