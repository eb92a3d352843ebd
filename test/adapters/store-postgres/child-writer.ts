/*
 * The process that tests kill: appends and moves a projection as fast as it can, and prints an event's id once its commit is acknowledged.
 * Its arguments are the URL and the schema.
 */
import { writeSync } from 'node:fs'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { anyCommit, anyEvent } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { Storage } from '../../../core/ports/storage.ts'

const appending = async ({ store }: Storage, organization: string): Promise<never> => {
  for (;;) {
    const events = [anyEvent(), anyEvent()]
    await right(store.append([anyCommit({ organization, events })]))
    writeSync(1, events.map(({ id }) => `${id}\n`).join(''))
  }
}

const moving = async ({ readModels }: Storage): Promise<never> => {
  for (;;) {
    const from = await right(readModels.checkpoint('count'))
    await right(readModels.move('count', from, from + 1n, []))
  }
}

const main = async (url: string, schema: string): Promise<void> => {
  const storage = await right(openPostgresStore({ url, schema }))
  await Promise.all([...['a', 'b', 'c'].map((organization) => appending(storage, organization)), moving(storage)])
}

void main(process.argv.at(-2) ?? '', process.argv.at(-1) ?? '')
