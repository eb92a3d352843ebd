/*
 * The process that tests kill: appends as fast as it can, and prints an event's id once its commit is acknowledged. Its arguments are the URL
 * of the server, the prefix, and the file of the read models.
 */
import { writeSync } from 'node:fs'
import { openEventStoreDbStore } from '../../../adapters/store-eventstoredb/open.ts'
import { openSqliteReadModels } from '../../../adapters/store-sqlite/open-read-models.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { E } from '../../../core/prelude.ts'
import type { Storage } from '../../../core/ports/storage.ts'

const appending = async ({ store }: Storage, organization: string): Promise<void> => {
  for (;;) {
    const events = [anyEvent({ parts: [anyPart()] }), anyEvent()]
    const answer = await store.append([anyCommit({ organization, events })])()
    if (E.isLeft(answer)) return // the server was killed, too
    writeSync(1, events.map(({ id }) => `${id}\n`).join(''))
  }
}

const main = async (connectionString: string, prefix: string, path: string): Promise<void> => {
  const { readModels, leases, sealed } = await right(openSqliteReadModels({ path }))
  const storage = await right(openEventStoreDbStore({ connectionString, prefix, readModels, leases, sealed }))
  await Promise.all(['a', 'b', 'c'].map((organization) => appending(storage, organization)))
}

void main(process.argv.at(-3) ?? '', process.argv.at(-2) ?? '', process.argv.at(-1) ?? '')
