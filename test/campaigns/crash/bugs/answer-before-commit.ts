import type { Appended, Commit } from '../../../../core/ports/event-store.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { E } from '../../../../core/prelude.ts'
import { behind, readModelsBehind } from './behind.ts'

const LATE_MS = 10

/** Calls every commit committed as soon as it arrives, and writes it a little later. */
export const answeringBeforeCommit = async ({ store, readModels }: Storage): Promise<Storage> => {
  const last = await store.lastPosition()()
  let position = E.isRight(last) ? last.right : 0n
  const writing = behind(LATE_MS)
  const promised = ({ expected, events }: Commit): Appended => {
    const count = BigInt(events.length)
    position += count
    return { _tag: 'committed', sequence: (typeof expected === 'bigint' ? expected : 0n) + count, position }
  }
  return {
    store: {
      ...store,
      append: (commits) => async () => {
        writing.add(() => store.append(commits)())
        return E.right(commits.map(promised))
      },
      close: () => writing.done().then(() => store.close()),
    },
    // The rows come after the log, as they should: the one mistake is enough.
    readModels: readModelsBehind(readModels, writing),
  }
}
