import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Writer } from './measure-appends.ts'

const NAME = '@event-driven-io/emmett-sqlite'

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
export const emmettSqlite = async (path: string): Promise<Writer | string> => {
  const folder = resolve(process.env['COUNTERSIGN_PEERS'] ?? '.')
  try {
    const found = createRequire(join(folder, 'package.json')).resolve(NAME)
    const emmett = (await import(pathToFileURL(found).href)) as Emmett // checked below, by using it
    return await writerOf(emmett, path)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    return `\`${NAME}\` was left out: ${isMissing ? 'not installed' : 'it does not work here'}.`
  }
}

const writerOf = ({ getSQLiteEventStore }: Emmett, path: string): Promise<Writer> =>
  emmettWriter('emmett-sqlite', getSQLiteEventStore({ fileName: path }))

type EmmettStore = {
  readonly appendToStream: (stream: string, events: readonly object[]) => Promise<unknown>
  readonly close?: () => Promise<void>
}

const emmettWriter = async (name: string, store: EmmettStore): Promise<Writer> => {
  const writer: Writer = {
    name,
    append: async (commits) => {
      for (const { events } of commits) {
        const messages = events.map(({ id, line, parts }) => ({
          type: 'Event',
          data: {
            id,
            line: Buffer.from(line).toString('latin1'),
            parts: parts.map(({ bytes }) => Buffer.from(bytes).toString('base64')),
          },
        }))
        await store.appendToStream(`activity-${events[0]?.activity}`, messages)
      }
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
