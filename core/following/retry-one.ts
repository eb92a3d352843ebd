import type { Failure } from '../failure.ts'
import { decodeEvent } from '../log/event.ts'
import { partReader, WITH_PERSONAL, type PartReader } from '../log/part-reader.ts'
import { noParts } from '../log/parts.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import type { RowChange } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import { ownError } from '../telemetry/tell-thrown.ts'
import { handled, threw, type Handled, type Handling } from './handle.ts'
import type { Parked, ParkedOrganizations } from './parked-organizations.ts'
import type { ProgressKeeper } from './progress.ts'
type Retrying = Handling & {
  readonly store: Pick<EventStore, 'readLog'>
  readonly progress: Pick<ProgressKeeper, 'move'>
  readonly parked: ParkedOrganizations
}

const PAGE = 500

/** Tries the events of one parked organization again, up to the checkpoint or the first event that throws. */
export const retryOne = async (
  retrying: Retrying,
  { organization, sequence: first }: Parked,
  checkpoint: bigint,
  signal: AbortSignal,
): Promise<E.Either<Failure, void>> => {
  const { store, progress, parked } = retrying
  const readParts = partReader((after, limit, bounds) => store.readLog(organization, after, limit, bounds))
  for (let after = first - 1n; ;) {
    const page = await store.readLog(organization, after, PAGE, WITH_PERSONAL)()
    if (E.isLeft(page)) return page
    const changes: RowChange[] = []
    let isDone = page.right.length < PAGE
    for (const recorded of page.right) {
      const { position, sequence } = recorded
      isDone ||= position > checkpoint
      if (position > checkpoint) break
      const made = await again(retrying, recorded, readParts, signal)
      if (made._tag === 'Left') return made
      if (made._tag === 'threw') {
        changes.push(parked.park({ organization, sequence }, made.thrown))
        return progress.move(checkpoint, checkpoint, changes)
      }
      for (const change of made.right) changes.push(change)
      after = sequence
    }
    if (isDone) changes.push(parked.release(organization))
    const moved = await progress.move(checkpoint, checkpoint, changes)
    if (E.isLeft(moved) || isDone) return moved
  }
}

/** Handles a parked event again. */
const again = async (
  { handle, types, parts: wantsParts = true }: Handling,
  { line, position, sequence, parts: there }: Recorded,
  readParts: PartReader,
  signal: AbortSignal,
): Promise<Handled> => {
  const event = decodeEvent(line)
  if (E.isLeft(event)) return threw(ownError(event.left.message))
  if (types !== undefined && !types.includes(event.right.type)) return E.right([])
  const parts = wantsParts ? await readParts(event.right, sequence, there) : E.right(noParts)
  if (E.isLeft(parts)) return parts
  return handled(handle, { event: event.right, position, parts: parts.right }, signal)
}
