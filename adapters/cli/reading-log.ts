import type { Storage } from '../../core/ports/storage.ts'
import { leaveAtSignal } from './interruption.ts'
import { close, openToRead, type BesideFlags } from './open-store.ts'
import { progressBar, type Progress } from './progress.ts'
import { resultOf } from './stop.ts'

/**
 * Opens a store for a command that only reads its log, with a bar on a terminal, and closes it after `use`. A signal ends the process. `use`
 * ends the bar before it prints.
 */
export const readingLog = async <A>(
  options: BesideFlags & { readonly store: string },
  use: (storage: Storage, progress: Progress) => Promise<A>,
): Promise<A> => {
  const storage = await openToRead(options.store, options)
  const stay = leaveAtSignal()
  const progress = await progressBar(await resultOf(storage.store.lastPosition()), MUCH, 'events')
  try {
    return await use(storage, progress)
  } finally {
    progress.end()
    stay()
    await close(storage)
  }
}

const MUCH = 5_000n
