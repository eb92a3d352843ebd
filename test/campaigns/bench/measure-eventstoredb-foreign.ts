import { randomUUID } from 'node:crypto'
import { EventStoreDBClient, type EventData } from '@eventstore/db-client'
import type { EventStore } from 'countersign/define'
import type { Storage } from 'countersign'
import { inEventStoreDb, type Place } from './eventstoredb-place.ts'
import { median, ms, ratio, rounds, type Progress, type Table } from './figures.ts'
import { commits } from './measure-appends.ts'

export type ForeignOptions = { readonly rounds: number; readonly commits: number; readonly foreign: number }

/** How long it takes to start, list and export a log between whose events another application has written; or why that cannot be measured. */
export const measureEventStoreDbForeign = (
  { rounds: count, commits: many, foreign }: ForeignOptions,
  progress: Progress,
): Promise<Table | string> =>
  inEventStoreDb(async (place) => {
    const alone = await logBetween(place, 'alone-', many, 0, progress)
    // Measured before the other one is written: it would be foreign, too.
    const before = await measured(alone, count, progress)
    const shared = await logBetween(place, 'shared-', many, foreign, progress)
    const after = await measured(shared, count, progress)
    const of = (found: Times, what: string): readonly number[] => found.get(what) ?? []
    return {
      title: 'A server that others write to',
      says:
        `A log of ${2 * many} events without parts, of ten organizations, on a server of version ${place.version}; once alone, and once with ` +
        `${foreign.toLocaleString('en-US')} events of another application, half of them in stretches between ours, half of them behind the last one. ` +
        'A list has 100 activities; after an append, the index has to be moved first. An export reads all events.',
      columns: ['what', 'alone, ms', 'shared, ms', '× alone'],
      rows: WHAT.map((what) => [
        what,
        ms(median(of(before, what))),
        ms(median(of(after, what))),
        ratio(of(after, what), of(before, what)),
      ]),
    }
  })

const WHAT = ['start', 'start, and the first list', 'list', 'list after an append', 'export'] as const

type Times = ReadonlyMap<string, readonly number[]>
type Log = {
  readonly open: () => Promise<Storage & { readonly close: () => Promise<void> }>
  /** Appends one more commit. */
  readonly grow: (store: EventStore) => Promise<void>
  readonly organization: string
}

const STRETCHES = 50
const ORGANIZATIONS = 10
const BATCH = 500

const logBetween = async (
  { url, prefix, openStore }: Place,
  name: string,
  many: number,
  foreign: number,
  progress: Progress,
): Promise<Log> => {
  progress(`${2 * many} events of ours, ${foreign} of others`)
  const open = await openStore(`${prefix}${name}`)
  const others = EventStoreDBClient.connectionString(url)
  const logs = Array.from({ length: ORGANIZATIONS }, () => {
    const next = commits()
    return () => {
      const commit = next()
      return { ...commit, events: commit.events.map((event) => ({ ...event, parts: [] })) }
    }
  })
  const append = async (store: EventStore, group: readonly ReturnType<(typeof logs)[number]>[]): Promise<void> => {
    const appended = await store.append(group)()
    if (appended._tag === 'Left') throw new Error(appended.left.message)
  }
  let organization = ''
  for (let n = 0; n < STRETCHES; n += 1) {
    for (const next of logs) {
      const group = Array.from({ length: Math.ceil(many / STRETCHES / ORGANIZATIONS) }, next)
      organization = group[0]?.organization ?? organization
      await append(open.store, group)
    }
    await writeForeign(others, Math.floor(foreign / 2 / STRETCHES))
  }
  await writeForeign(others, Math.ceil(foreign / 2))
  await open.store.organizations('', 1)()
  await open.close()
  await others.dispose()
  return {
    open: () => openStore(`${prefix}${name}`),
    grow: async (store) =>
      append(
        store,
        logs.slice(-1).map((next) => next()),
      ),
    organization,
  }
}

const writeForeign = async (client: EventStoreDBClient, many: number): Promise<void> => {
  const stream = `others-${randomUUID()}`
  for (let from = 0; from < many; from += BATCH) {
    const length = Math.min(BATCH, many - from)
    const event = (): EventData => ({
      id: randomUUID(),
      type: 'other',
      contentType: 'application/json',
      data: { text: 'x'.repeat(400) },
      metadata: undefined,
    })
    await client.appendToStream(stream, Array.from({ length }, event))
  }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const measured = async (log: Log, count: number, progress: Progress): Promise<Times> => {
  progress('start, list, export')
  const start = async (withList: boolean): Promise<number> => {
    let opened: Awaited<ReturnType<Log['open']>> | undefined
    const took = await timed(async () => {
      opened = await log.open()
      if (withList) await list(opened.store)
    })
    await opened?.close()
    return took
  }
  const list = async (store: EventStore): Promise<void> => {
    const listed = await store.activities(log.organization, { limit: 100 })()
    if (listed._tag === 'Left') throw new Error(listed.left.message)
  }
  // What appends comes last: until then, the events of others stand behind ours.
  const starts = await rounds(count, [
    { name: 'start', measure: () => start(false) },
    { name: 'start, and the first list', measure: () => start(true) },
  ])
  const one = await log.open()
  const reads = await rounds(count, [
    { name: 'list', measure: () => timed(() => list(one.store)) },
    { name: 'export', measure: () => timed(() => exported(one.store)) },
  ])
  const behind = await rounds(count, [
    { name: 'list after an append', measure: async () => log.grow(one.store).then(() => timed(() => list(one.store))) },
  ])
  await one.close()
  return new Map([...starts, ...reads, ...behind])
}

const PAGE = 1_000

const exported = async (store: EventStore): Promise<void> => {
  const end = await store.lastPosition()()
  if (end._tag === 'Left') throw new Error(end.left.message)
  for (let after = 0n; after < end.right;) {
    const page = await store.readAll(after, PAGE)()
    if (page._tag === 'Left') throw new Error(page.left.message)
    after = page.right.at(-1)?.position ?? end.right
  }
}
