import { sqliteCapabilities } from '../../store-sqlite/event-store.ts'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { right } from '../../testing/expect.ts'
import { leasesContract, readModelsContract, sealedRowsContract, storeContract } from '../../testing/index.ts'
import type { OpenedStore, StoreUnderTest } from '../../testing/index.ts'
import { killedWriter } from './process-trials.ts'
import type { Scratch } from './run-trials.ts'
import { openTrialStore, TRIAL_COMMIT_BYTES_MAX, type TrialStore } from './trial-store.ts'

/** Scratch files in a folder of their own beside the store, so that they are on its file system. */
export const sqliteScratch = async (file: string): Promise<Scratch> => {
  const folder = await mkdtemp(join(dirname(resolve(file)), '.countersign-doctor-'))
  let made = 0
  const newStore = async (): Promise<TrialStore & { readonly kind: 'sqlite' }> => ({
    kind: 'sqlite',
    path: join(await mkdtemp(join(folder, `${(made += 1)}-`)), 'store.db'),
  })
  const openAt = async ({ path }: { readonly path: string }, more: object = {}): Promise<OpenedStore> => {
    const opening = openTrialStore({ kind: 'sqlite', path }, more)
    return {
      storage: await right(opening),
      reopen: () => right(opening),
      openBeside: opening,
      restore: async () => {
        await copyFile(path, `${path}.restored`)
        return right(openTrialStore({ kind: 'sqlite', path: `${path}.restored` }, more))
      },
      dispose: () => rm(dirname(path), { recursive: true, force: true }),
    }
  }
  const open = async (more: object = {}): Promise<OpenedStore> => openAt(await newStore(), more)
  const under: StoreUnderTest = {
    name: 'the SQLite store',
    capabilities: sqliteCapabilities,
    leases: true,
    sealed: true,
    commitBytesMax: TRIAL_COMMIT_BYTES_MAX,
    open: () => open(),
    openNumbered: ({ position, sequence }) => open({ firstPosition: position, firstSequence: sequence }),
    openCrashed: async () => {
      const store = await newStore()
      const acknowledged = await killedWriter(store)
      return { ...(await openAt(store)), acknowledged }
    },
  }
  return {
    contract: [
      ...storeContract(under),
      ...readModelsContract(under),
      ...leasesContract(under),
      ...sealedRowsContract(under),
    ],
    trials: [],
    remove: async () => {
      try {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 })
        return []
      } catch {
        return [folder]
      }
    },
  }
}
