import { existsSync, readFileSync } from 'node:fs'
import { exportLines, pagesOf } from '../../../../core/log/transcript.ts'
import { flatten } from '../../../../core/organization/snapshot.ts'
import { nodeDigest } from '../../../../adapters/digest/node-digest.ts'
import { openForReading } from '../../../../adapters/store-sqlite/connection.ts'
import { right } from '../../../core/world/world.ts'
import type { ErasedHost } from './host.ts'
import type { Story } from './story.ts'

/** Where data can be, with all that is there. */
export type Place = { readonly name: string; readonly bytes: Uint8Array }

type Told = Pick<Story, 'organizationId' | 'activities' | 'askAll'>

/** Everywhere that the data of a person could be, but what the server says. */
export const placesOf = async (path: string, host: ErasedHost, story: Told): Promise<readonly Place[]> => [
  place('an export', await exported(host)),
  place('the snapshot', await snapshotOf(host, story)),
  place('a replay', await replayed(host, story)),
  place('the answers', (await story.askAll(host)).map(({ text }) => text).join('\n')),
  place('the tables', rowsOf(path)),
  ...filesOf(path),
]

/** The files of the store, byte by byte. */
export const filesOf = (path: string): readonly Place[] =>
  ['', '-wal', '-shm', '-journal', '.lock']
    .map((end) => `${path}${end}`)
    .filter((file) => existsSync(file))
    .map((file) => ({ name: 'the files', bytes: readFileSync(file) }))

const place = (name: string, content: string | Uint8Array): Place => ({ name, bytes: Buffer.from(content) })

export const exported = async ({ storage }: Pick<ErasedHost, 'storage'>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of exportLines(nodeDigest(), pagesOf(storage.store))) chunks.push(right(chunk))
  return Buffer.concat(chunks)
}

const snapshotOf = async ({ storage }: ErasedHost, { organizationId }: Told): Promise<Uint8Array> =>
  Buffer.concat((right(await storage.readModels.snapshot(organizationId)())?.parts ?? []).map(({ bytes }) => bytes))

/** What `countersign replay` prints: the state, and each activity. */
const replayed = async ({ engine }: ErasedHost, { organizationId, activities }: Told): Promise<string> => {
  const texts = [inJson(flatten(right(await engine.replayOrganization(organizationId)()).state))]
  for (const id of activities.keys()) texts.push(inJson(right(await engine.replayActivity(organizationId, id)()).state))
  return texts.join('\n')
}

const inJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return String(inner)
    if (inner instanceof Map || inner instanceof Set) return [...(inner as Iterable<unknown>)]
    return inner instanceof Uint8Array ? Buffer.from(inner).toString() : inner
  }) ?? ''

/** All tables, row by row, as a database shell would print them. */
export const rowsOf = (path: string): Uint8Array => {
  const db = openForReading(path)
  try {
    const tables = db.query(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all([])
    const values = tables.flatMap(([table]) =>
      db
        .query(`SELECT * FROM ${String(table)}`)
        .all([])
        .flat(),
    )
    return Buffer.concat(values.map((value) => Buffer.from(value instanceof Uint8Array ? value : `${String(value)}\n`)))
  } finally {
    db.close()
  }
}
