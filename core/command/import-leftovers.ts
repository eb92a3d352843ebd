import type { Failure } from '../failure.ts'
import { decodeEvent, type Event } from '../log/event.ts'
import { readKind, type Arrival } from '../ports/imported-kind.ts'
import { sealedPages } from '../log/sealed-pages.ts'
import { statusAfter, type Status } from '../log/standing.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { TellNotice } from '../ports/notice.ts'
import type { SealedPlace } from '../ports/sealed-rows.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import { guarded } from './guarded.ts'

type Ports = {
  readonly storage: { readonly store: Pick<EventStore, 'readActivity'> } & Pick<Storage, 'sealed'>
  readonly clock: Pick<Clock, 'now'>
  /** Whether it has to stop. */
  readonly isEnding: () => boolean
}

/**
 * Deletes the secrets that imports have left behind: a process died, or a turn was refused, and no operation names what was sealed. Of rows younger
 * than a day nothing is known: their request may be sent again. An older request is refused for its age, so only one that waits for approvals
 * can still complete; that one is in the log, and has not ended.
 */
export const tidyImports = async ({
  notice,
  tell,
  ...ports
}: Ports & { readonly notice: TellNotice; readonly tell: TellThrown }): Promise<void> => {
  const deleted = await guarded(tell)('a search for what imports have left', () => deleteLeftovers(ports))()
  if (E.isLeft(deleted)) {
    const { code, message } = deleted.left
    notice({
      level: 'warn',
      message: `what imports have left stays until the next start: ${message}`,
      context: { code },
    })
  } else if (deleted.right > 0) {
    const context = { secrets: deleted.right }
    notice({ level: 'info', message: 'secrets were deleted that imports had left behind', context })
  }
}

const deleteLeftovers = async (ports: Ports): Promise<E.Either<Failure, number>> => {
  const { clock, storage, isEnding } = ports
  const { sealed } = storage
  let deleted = 0
  if (sealed === undefined) return E.right(deleted)
  const beforeMs = clock.now() - DAY_MS
  for await (const page of sealedPages(sealed)) {
    if (E.isLeft(page)) return page
    for (const row of page.right) {
      const arrival = 'isGone' in row ? undefined : readKind(row.kind).arrival
      if (arrival === undefined || !(arrival.atMs < beforeMs)) continue // also if it has no time
      if (isEnding()) return E.right(deleted)
      const unused = await isUnused(storage.store, row, arrival)
      if (E.isLeft(unused)) return unused
      if (!unused.right) continue
      const done = await sealed.delete(row)()
      if (E.isLeft(done)) return done
      deleted += 1
    }
  }
  return E.right(deleted)
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Whether the activity is in no log, or has ended without what it brought. */
const isUnused = async (
  store: Ports['storage']['store'],
  { organization }: SealedPlace,
  { activityId }: Arrival,
): Promise<E.Either<Failure, boolean>> => {
  const recorded = await store.readActivity(organization, activityId, { parts: false })()
  if (E.isLeft(recorded)) return recorded
  const last = recorded.right.at(-1)
  return last === undefined
    ? E.right(true)
    : E.map((event: Event) => WITHOUT.includes(statusAfter(event)))(decodeEvent(last.line))
}

const WITHOUT: readonly Status[] = ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED']
