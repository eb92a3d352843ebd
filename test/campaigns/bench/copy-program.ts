/*
 * Copies whole logs between stores, and reads them on PostgreSQL: each job in a process of its own, so that its memory can be told.
 */
import { createHash } from 'node:crypto'
import { Client } from 'pg'
import type * as NodeDigest from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import type * as PostgresStore from '../../../adapters/store-postgres/open.ts'
import type * as SqliteStore from '../../../adapters/store-sqlite/open.ts'
import type * as Catalogues from '../../../core/definition/catalogue.ts'
import type * as CopyLog from '../../../core/log/copy-log.ts'
import type * as Transcript from '../../../core/log/transcript.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import type * as Replay from '../../../core/projection/replay.ts'
import type * as PublicApi from '../../../core/resources/public-api.ts'
import { built } from './built.ts'
import { doJobs } from './child.ts'
import { timed, type Read } from './timed.ts'

const { nodeDigest } = await built<typeof NodeDigest>('adapters/digest/node-digest')
const { openPostgresStore } = await built<typeof PostgresStore>('adapters/store-postgres/open')
const { openSqliteStore } = await built<typeof SqliteStore>('adapters/store-sqlite/open')
const { copyLog } = await built<typeof CopyLog>('core/log/copy-log')
const { exportLines, pagesOf } = await built<typeof Transcript>('core/log/transcript')
const { catalogue } = await built<typeof Catalogues>('core/definition/catalogue')
const { publicApi } = await built<typeof PublicApi>('core/resources/public-api')
const { replayOrganization } = await built<typeof Replay>('core/projection/replay')

/** A store on either database. */
export type Place = { readonly path: string } | { readonly url: string; readonly schema: string }

const opened = async (place: Place, readOnly: boolean): Promise<Storage> => {
  const opening = 'path' in place ? openSqliteStore({ ...place, readOnly }) : openPostgresStore({ ...place, readOnly })
  const storage = await opening()
  if (E.isLeft(storage)) throw new Error(storage.left.message)
  return storage.right
}

const inStore = async <A>(place: Place, readOnly: boolean, use: (storage: Storage) => Promise<A>): Promise<A> => {
  const storage = await opened(place, readOnly)
  try {
    return await use(storage)
  } finally {
    await storage.readModels.close()
    await storage.store.close()
  }
}

type Passed = (done: number) => void

/** As `countersign copy FROM TO`. */
const copy = (
  { from, to }: { readonly from: Place; readonly to: Place },
  passed: Passed,
): Promise<Read & { readonly sha256: string }> =>
  inStore(from, true, (source) =>
    inStore(to, false, async (target) => {
      let sha256 = ''
      const read = await timed(async () => {
        const ports = { from: source.store, to: target.store, digest: nodeDigest(), ids: nodeIds() }
        const copied = await copyLog(ports, { onProgress: passed })()
        if (E.isLeft(copied)) throw new Error(copied.left.message)
        sha256 = copied.right.sha256
        return copied.right.events
      })
      return { ...read, sha256 }
    }),
  )

/** The SHA-256 of all bytes of an export. */
const exported = ({ place }: { readonly place: Place }): Promise<string> =>
  inStore(place, true, async ({ store }) => {
    const hash = createHash('sha256')
    for await (const chunk of exportLines(nodeDigest(), pagesOf(store))) {
      if (E.isLeft(chunk)) throw new Error(chunk.left.message)
      hash.update(chunk.right)
    }
    return hash.digest('hex')
  })

type OnPostgres = { readonly url: string; readonly schema: string }

const PAGE = 2000

/** Reads the lines with the driver alone, in pages, and parses each as JSON. */
const parseRows = ({ url, schema }: OnPostgres): Promise<Read> =>
  timed(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    const text = `SELECT position, line FROM ${schema}.events WHERE position > $1 ORDER BY position LIMIT ${PAGE}`
    let [after, events] = ['0', 0]
    for (;;) {
      const { rows } = await client.query<[string, Buffer]>({ name: 'page', text, values: [after], rowMode: 'array' })
      for (const [position, line] of rows) {
        JSON.parse(line.toString())
        after = position
        events++
      }
      if (rows.length < PAGE) break
    }
    await client.end()
    return events
  })

/** As `countersign replay --organization`. */
const replay = ({ organizationId, ...place }: OnPostgres & { readonly organizationId: string }): Promise<Read> =>
  inStore(place, true, ({ store }) =>
    timed(async () => {
      const known = catalogue(publicApi)
      if (E.isLeft(known)) throw new Error(known.left.message)
      const replayed = await replayOrganization(store, known.right, organizationId, {})()
      if (E.isLeft(replayed)) throw new Error(replayed.left.message)
      return replayed.right.events
    }),
  )

doJobs({ copy, exported, parseRows, replay })
