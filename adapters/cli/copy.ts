import { copyLog, type Copied } from '../../core/log/copy-log.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { nodeContainer, tokens } from '../container.ts'
import { nodeDigest } from '../digest/node-digest.ts'
import { countOf } from '../inbox/amounts.ts'
import { interruption } from './interruption.ts'
import { close, filesOf, isOfStore, isVolatile, openToRead, writing, type BesideFlags } from './open-store.ts'
import { print, printLines, sayNotice } from './print.ts'
import { progressBar } from './progress.ts'
import { isEventStoreDb } from './shown-store.ts'
import { resultOf, unusable } from './stop.ts'

export type CopyOptions = BesideFlags & {
  /** The read models of the store that is copied into, where both stores are on EventStoreDB. */
  readonly toReadModels?: string
  /** Whether to print what was copied as JSON. */
  readonly json?: boolean
}

/** Copies the log of a store into an empty one, finishes such a copy that was interrupted, or says that both are equal. */
export const copy = async (from: string, to: string, options: CopyOptions): Promise<number> => {
  const { json = false } = options
  if (isVolatile(to)) throw unusable('a store in memory would be gone at once: copy into sqlite:PATH')
  const beside = besideBoth(from, to, options)
  for (const file of filesOf(from, beside.from).slice(0, 1))
    if (await isOfStore(to, file, beside.to)) throw unusable('both are the same store: copy into another one')
  const source = await openToRead(from, beside.from)
  try {
    // What is copied stays after an interruption: the next call goes on there.
    const copied = await writing(
      to,
      { onNotice: sayNotice, discard: 'if-empty', beside: beside.to },
      async (target, keep) => {
        const done = await copying(source, target)
        keep()
        return done
      },
    )
    if (json) print(copied)
    else printLines([textOf(copied)])
    return 0
  } finally {
    await close(source)
  }
}

/** The read models of each end. Two stores on EventStoreDB cannot share theirs. */
const besideBoth = (from: string, to: string, { readModels, toReadModels, adoptReadModels }: CopyOptions) => {
  const areBoth = isEventStoreDb(from) && isEventStoreDb(to)
  if (areBoth && toReadModels === undefined)
    throw unusable('both stores keep their read models elsewhere: name those of the second one with --to-read-models')
  if (!areBoth && toReadModels !== undefined)
    throw unusable('--to-read-models is for two stores on EventStoreDB: name the place with --read-models')
  return { from: { readModels }, to: { readModels: toReadModels ?? readModels, adoptReadModels } }
}

const textOf = ({ events, parts, sha256, found, sealedRows }: Copied): string => {
  const rows = sealedRows === 0 ? '' : ` and ${countOf(sealedRows, 'sealed row')}`
  const all = `${countOf(events, 'event')} with ${countOf(parts, 'part')}${rows}`
  const done =
    found === events
      ? `Both stores are equal: ${all} had been copied before`
      : `Copied ${all}${found === 0 ? '' : `; ${countOf(found, 'event')} of them had been copied before`}`
  return `${done}. Exports of both stores have the SHA-256 ${sha256}.`
}

const copying = async (source: Storage, target: Storage): Promise<Copied> => {
  const signals = interruption()
  // Each event is read to be copied, and its copy to be compared.
  const { capabilities, lastPosition } = source.store
  const events = capabilities.gaplessPositions ? await resultOf(lastPosition()) : 0n // unknown
  const progress = await progressBar(events * 2n, MUCH_EVENTS, 'events')
  try {
    const ids = nodeContainer().resolve(tokens.ids)
    return await resultOf(
      copyLog(
        {
          ...{ from: source.store, to: target.store, digest: nodeDigest(), ids },
          sealed: { from: source.sealed, to: target.sealed },
        },
        {
          onProgress: (events) => {
            signals.check()
            progress.passed(BigInt(events), events)
          },
        },
      ),
    )
  } finally {
    progress.end()
    signals.end()
  }
}

const MUCH_EVENTS = 10_000n
