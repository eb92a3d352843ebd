import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Commit } from 'countersign/define'
import type * as Client from '@eventstore/db-client'
import type { Writer } from './measure-appends.ts'

const SQLITE = '@event-driven-io/emmett-sqlite'
const EVENT_STORE_DB = '@event-driven-io/emmett-esdb'

type Emmett = {
  readonly getSQLiteEventStore: (options: object) => EmmettStore & {
    readonly schema?: { readonly migrate?: () => Promise<void> }
  }
  readonly sqliteConnection?: (options: object) => unknown
}

/**
 * The peer, with the same events; or why it is left out. It is no dependency of ours: `COUNTERSIGN_PEERS` names a folder in
 * which it is installed.
 */
export const emmettSqlite = (path: string): Promise<Writer | string> =>
  unlessMissing(SQLITE, async (load) => writerOf((await load(SQLITE)) as Emmett, path)) // checked by using it

type Load = (name: string) => Promise<unknown>

const unlessMissing = async (name: string, use: (load: Load) => Promise<Writer>): Promise<Writer | string> => {
  const folder = resolve(process.env['COUNTERSIGN_PEERS'] ?? '.')
  const { resolve: find } = createRequire(join(folder, 'package.json'))
  try {
    // The modules beside them: what is made for CommonJS has an await that Node does not take there.
    return await use((wanted) => import(pathToFileURL(find(wanted).replace(/\.cjs$/, '.js')).href))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    return `\`${name}\` was left out: ${isMissing ? 'not installed' : 'it does not work here'}.`
  }
}

const writerOf = ({ getSQLiteEventStore }: Emmett, path: string): Promise<Writer> =>
  emmettWriter('emmett-sqlite', getSQLiteEventStore({ fileName: path }))

type EmmettStore = {
  readonly appendToStream: (stream: string, events: readonly object[]) => Promise<unknown>
  readonly close?: () => Promise<void>
}

type Appending = {
  /** The beginning of the names of its streams. */
  readonly streams?: string
  /** Whether it appends the commits of a call at the same time. */
  readonly isParallel?: boolean
}

const emmettWriter = async (
  name: string,
  store: EmmettStore,
  { streams = '', isParallel = false }: Appending = {},
): Promise<Writer> => {
  const appendOne = ({ events }: Commit): Promise<unknown> =>
    store.appendToStream(
      `${streams}activity-${events[0]?.activity}`,
      events.map(({ id, line, parts }) => ({
        type: 'Event',
        data: {
          id,
          line: Buffer.from(line).toString('latin1'),
          parts: parts.map(({ bytes }) => Buffer.from(bytes).toString('base64')),
        },
      })),
    )
  const writer: Writer = {
    name,
    append: async (commits) => {
      if (isParallel) await Promise.all(commits.map(appendOne))
      else for (const commit of commits) await appendOne(commit)
    },
    close: async () => store.close?.(),
  }
  await writer.append([])
  return writer
}

/** The peer on PostgreSQL, in a database of its own. */
export const emmettPostgres = async (url: string): Promise<Writer> => {
  const name: string = '@event-driven-io/emmett-postgresql' // its types are not checked: they need those of all its peers
  const { getPostgreSQLEventStore } = (await import(name)) as EmmettPostgres
  return emmettWriter('emmett-postgresql', getPostgreSQLEventStore(url))
}

type EmmettPostgres = { readonly getPostgreSQLEventStore: (url: string) => EmmettStore }

/**
 * The peer on EventStoreDB, with a client of its own; or why it is left out. It wants one exact version of its sibling, which is another one than
 * that on PostgreSQL wants, so it is not installed with our packages, but in the folder that `COUNTERSIGN_PEERS` names.
 */
export const emmettEventStoreDb = (url: string, streams: string): Promise<Writer | string> =>
  unlessMissing(EVENT_STORE_DB, async (load) => {
    const { getEventStoreDBEventStore } = (await load(EVENT_STORE_DB)) as EmmettEventStoreDb
    const { EventStoreDBClient } = (await load('@eventstore/db-client')) as typeof Client
    const client = EventStoreDBClient.connectionString(url)
    const writer = await emmettWriter('emmett-esdb', getEventStoreDBEventStore(client), { streams, isParallel: true })
    return { ...writer, close: () => client.dispose() }
  })

type EmmettEventStoreDb = { readonly getEventStoreDBEventStore: (client: object) => EmmettStore }
