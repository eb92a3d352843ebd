import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import type { SqliteStoreOptions } from '../../../adapters/store-sqlite/open.ts'
import {
  leasesContract,
  readModelsContract,
  sealedRowsContract,
  storeContract,
} from '../../../adapters/testing/index.ts'
import type { OpenedStore, StoreUnderTest } from '../../../adapters/testing/index.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { keepsContract } from '../contract-page.ts'
import { emptyDatabase, folder, killedWriter } from './any-file.ts'

const commitBytesMax = 1024 * 1024

const openAt = async (directory: string, options: Partial<SqliteStoreOptions> = {}): Promise<OpenedStore> => {
  const path = join(directory, 'store.db')
  const open = (file: string) => openSqliteStore({ path: file, commitBytesMax, ...options })
  return {
    storage: await right(open(path)),
    reopen: () => right(open(path)),
    openBeside: open(path),
    restore: async () => {
      await copyFile(path, `${path}.restored`)
      return right(open(`${path}.restored`))
    },
    dispose: () => folder.remove(directory),
  }
}

const sqlite: StoreUnderTest = {
  name: 'the SQLite store',
  capabilities: {
    soleWriter: true,
    durable: true,
    remembersIds: true,
    tellsDuplicates: true,
    gaplessPositions: true,
    ordersCommits: true,
    checksWithAppend: true,
  },
  leases: true,
  sealed: true,
  commitBytesMax,
  open: async () => openAt(await folder.make()),
  openNumbered: async ({ position, sequence }) =>
    openAt(await folder.make(), { firstPosition: position, firstSequence: sequence }),
  openCrashed: async () => {
    const directory = await folder.make()
    const acknowledged = await killedWriter(join(directory, 'store.db'), { atLine: 300 })
    return { ...(await openAt(directory)), acknowledged }
  },
  openOlder: [
    async () => {
      const directory = await folder.make()
      emptyDatabase(join(directory, 'store.db'))
      return openAt(directory)
    },
  ],
}

const it = suite('SQLite store: contract')

keepsContract(
  it,
  [...storeContract(sqlite), ...readModelsContract(sqlite), ...leasesContract(sqlite), ...sealedRowsContract(sqlite)],
  new URL('../../../docs/reference/store-sqlite.md', import.meta.url),
)

it.run()
