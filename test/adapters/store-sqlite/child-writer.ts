/*
 * The process that tests kill: appends, moves a projection and saves snapshots as fast as it can, and prints an event's
 * id once its commit is acknowledged.
 */
import { writeSync } from 'node:fs'
import { anyCommit, anyEvent } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import type { Storage } from '../../../core/ports/storage.ts'

const appending = async ({ store }: Storage, organization: string): Promise<never> => {
  for (;;) {
    const events = [anyEvent(), anyEvent()]
    await right(store.append([anyCommit({ organization, events })]))
    print(events.map(({ id }) => `${id}\n`).join(''))
  }
}

/** Waits where the pipe is full because nobody reads it. */
const print = (text: string): void => {
  for (let bytes = Buffer.from(text); bytes.length > 0;) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

const moving = async ({ readModels }: Storage): Promise<never> => {
  for (;;) {
    const from = await right(readModels.checkpoint('count'))
    const value = Number(from + 1n)
    const row = { _tag: 'put', organization: 'all', key: 'count', order: 1n, facets: {}, value } as const
    await right(readModels.move('count', from, from + 1n, [row]))
    const parts = [{ name: 'count', version: 1, bytes: new TextEncoder().encode(`${from}`) }]
    await right(readModels.saveSnapshot({ organization: 'all', sequence: from, hash: '', version: '', parts }))
  }
}

const main = async (path: string): Promise<void> => {
  const storage = await right(openSqliteStore({ path }))
  await Promise.all([...['a', 'b', 'c'].map((organization) => appending(storage, organization)), moving(storage)])
}

void main(process.argv.at(-1) ?? '')
