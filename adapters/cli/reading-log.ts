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
  const { capabilities, lastPosition } = storage.store
  const events = capabilities.gaplessPositions ? await resultOf(lastPosition()) : 0n // unknown
  const progress = await progressBar(events, MUCH, 'events')
  try {
    return await use(storage, progress)
  } finally {
    progress.end()
    stay()
    await close(storage)
  }
}

const MUCH = 5_000n
