import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { openSqliteReadModels } from '../../../adapters/store-sqlite/open-read-models.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { leasesContract, readModelsContract, sealedRowsContract } from '../../../adapters/testing/index.ts'
import type { StoreUnderTest } from '../../../adapters/testing/index.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { folder } from './any-file.ts'

const it = suite('SQLite: read models for a log elsewhere')

/** The log does not matter here. It is in memory, so only the read models can keep anything. */
const openAt = async (path: string): Promise<Storage> => ({
  store: memoryStore().store,
  ...(await right(openSqliteReadModels({ path }))),
})

const under: StoreUnderTest = {
  name: 'SQLite for read models',
  capabilities: { ...memoryStore().store.capabilities, durable: true, soleWriter: true },
  leases: true,
  sealed: true,
  commitBytesMax: 1024 * 1024,
  open: async () => {
    const directory = await folder.make()
    const path = join(directory, 'read-models.db')
    return {
      storage: await openAt(path),
      reopen: () => openAt(path),
      dispose: () => folder.remove(directory),
    }
  },
}

const cases = [...readModelsContract(under), ...leasesContract(under), ...sealedRowsContract(under)]
for (const { number, name, run, leftOut, tags } of cases) {
  if (tags.includes('severalWriters')) continue // one process has the file
  if (leftOut !== undefined) throw new Error(leftOut)
  it(`${number} ${name}`, run)
}

const inFolder = async (use: (path: string) => Promise<void>): Promise<void> => {
  const directory = await folder.make()
  try {
    await use(join(directory, 'read-models.db'))
  } finally {
    await folder.remove(directory)
  }
}

it('refuses a file that has a log of its own, and lets go of it', () =>
  inFolder(async (path) => {
    const storage = await right(openSqliteStore({ path }))
    await right(storage.store.append([anyCommit()]))
    await closed(storage)
    await failsWith('CONFIGURATION_INVALID', openSqliteReadModels({ path }))
    await failsWith('CONFIGURATION_INVALID', openSqliteReadModels({ path, readOnly: true }))
    await closed(await right(openSqliteStore({ path })))
  }))

it('gives a file to one process at a time, until its read models are closed', () =>
  inFolder(async (path) => {
    const { readModels } = await right(openSqliteReadModels({ path }))
    await failsWith('STORE_LOCKED', openSqliteReadModels({ path }))
    await readModels.close()
    await readModels.close()
    const again = await right(openSqliteReadModels({ path }))
    await again.readModels.close()
  }))

it('reads beside the process that writes, and writes nothing', () =>
  inFolder(async (path) => {
    await failsWith('STORE_UNREADABLE', openSqliteReadModels({ path, readOnly: true }))
    const one = await right(openSqliteReadModels({ path }))
    const two = await right(openSqliteReadModels({ path, readOnly: true }))
    await right(one.readModels.move('p', 0n, 7n, []))
    assert.is(await right(two.readModels.checkpoint('p')), 7n)
    await failsWith('CONFIGURATION_INVALID', two.readModels.move('p', 7n, 8n, []))
    await two.readModels.close()
    await one.readModels.close()
  }))

it('takes the file away again if it was made for nothing', () =>
  inFolder(async (path) => {
    const made = await right(openSqliteReadModels({ path }))
    made.discard('all')
    await made.readModels.close()
    assert.not(existsSync(path))
  }))

it.run()
