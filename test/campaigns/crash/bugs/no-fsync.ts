import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import type { Commit, EventStore } from '../../../../core/ports/event-store.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { E, TE } from '../../../../core/prelude.ts'
import { behind, readModelsBehind } from './behind.ts'

const SYNC_EVERY_MS = 40

/**
 * Acknowledges what has reached the page cache, and syncs it to the disk now and then. SIGKILL does not lose a page cache,
 * a power cut does: so here it is the process's own memory.
 */
export const withoutFsync = async ({ store, readModels }: Storage): Promise<Storage> => {
  const cache = memoryStore().store
  await fill(cache, store)
  const syncing = behind(SYNC_EVERY_MS)
  let dirty: Commit[] = []
  const sync = async (): Promise<void> => {
    const written = dirty
    dirty = []
    if (written.length > 0) await store.append(written)()
  }
  return {
    store: {
      ...cache,
      capabilities: store.capabilities,
      append: (commits) => async () => {
        const appended = await cache.append(commits)()
        if (E.isRight(appended)) dirty.push(...commits)
        syncing.add(sync)
        return appended
      },
      setStandings: (...set) => TE.flatMap(() => cache.setStandings(...set))(store.setStandings(...set)), // what is lost is events
      close: () => syncing.done().then(() => store.close()),
    },
    // They stand in the same file: what is not synced of the log is not synced of them.
    readModels: readModelsBehind(readModels, syncing),
  }
}

const fill = async (cache: EventStore, disk: EventStore): Promise<void> => {
  for (let after = 0n; ;) {
    const page = await disk.readAll(after, 1000)()
    if (E.isLeft(page) || page.right.length === 0) return
    await cache.append(
      page.right.map((event) => ({ organization: event.organization, expected: 'any', events: [event], checks: [] })),
    )()
    after = page.right.at(-1)?.position ?? after
  }
}
