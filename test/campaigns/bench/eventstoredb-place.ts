import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from 'countersign'
import { eventStoreDbStore } from 'countersign/store-eventstoredb'
import { sqliteReadModels } from 'countersign/store-sqlite'
import { targetOf } from '../../../adapters/store-eventstoredb/url.ts'
import { LeaderClient } from '../../../adapters/store-eventstoredb/worker-client.ts'
import { E } from '../../../core/prelude.ts'

/** A place on a real server: names of streams begin with the prefix, because the server may be shared. */
export type Place = {
  readonly url: string
  readonly prefix: string
  readonly version: string
  /** Opens a store with read models in a file of their own. */
  readonly openStore: (prefix: string) => Promise<Storage & { readonly close: () => Promise<void> }>
}

/** Measures on the server that `EVENTSTOREDB_URL` names; or says that none is named. */
export const inEventStoreDb = async <A>(use: (place: Place) => Promise<A>): Promise<A | string> => {
  const url = process.env['EVENTSTOREDB_URL']
  if (url === undefined || url === '')
    return 'the bench of EventStoreDB needs a server: name one, such as EVENTSTOREDB_URL=esdb://127.0.0.1:2113?tls=false'
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const prefix = `bench-${randomBytes(6).toString('hex')}-`
  try {
    return await use({
      url,
      prefix,
      version: await versionOf(url),
      openStore: async (own) => {
        const { readModels, leases } = await sqliteReadModels({ path: join(folder, `${own}read-models.db`) })
        const storage = await eventStoreDbStore({ connectionString: url, prefix: own, readModels, leases })
        return { ...storage, close: () => storage.store.close() }
      },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const versionOf = async (url: string): Promise<string> => {
  const target = targetOf(url)
  if (E.isLeft(target)) throw new Error(target.left.message)
  const client = new LeaderClient(target.right)
  try {
    return (await client.version()) ?? 'unknown'
  } finally {
    await client.end()
  }
}
