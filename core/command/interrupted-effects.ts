import type { Failure } from '../failure.ts'
import type { Notice, TellNotice } from '../ports/notice.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import { EVERYWHERE, unfinished, UnfinishedRow } from '../projection/activities.ts'
import { storedName } from '../projection/projection.ts'
import type { Runners } from '../projection/runners.ts'
import type { ActivityName } from './attempt-turns.ts'
import type { Effects } from './effects.ts'
import type { ImportedEffects } from './imported-effects.ts'

/** Effects whose start has no end: what a start of the engine takes up, and what it leaves to somebody's word. */
export type InterruptedEffects = {
  /**
   * Takes up those that another life of this installation started, and tells how many are another installation's. Each is looked
   * at when there is a place for it: a few hundred bytes wait for each until then.
   */
  readonly takeUp: () => Promise<E.Either<Failure, void>>
  /** Those that another installation had started when the log was imported. */
  readonly imported: () => Promise<E.Either<Failure, readonly ActivityName[]>>
  /** Takes up one of these, or all of them; gives how many. */
  readonly resumeImported: (which?: ActivityName) => Promise<E.Either<Failure, number>>
  /** Lets one of these fail, or all of them; gives how many. */
  readonly failImported: (which?: ActivityName) => Promise<E.Either<Failure, number>>
}

type Ports = {
  readonly storage: Storage
  readonly runners: Pick<Runners, 'find'>
  readonly effects: Pick<Effects, 'resume' | 'interrupt'>
  readonly imported: ImportedEffects
  readonly notice: TellNotice
}

type Unfinished = ActivityName & { readonly position: bigint }

const PAGE = 100

export const interruptedEffects = ({ storage, runners, effects, imported, notice }: Ports): InterruptedEffects => {
  const { store, readModels } = storage

  /** In the order of their starts, once all that the log holds now has been looked at. */
  const all = async (take: (one: Unfinished) => void): Promise<E.Either<Failure, void>> => {
    const last = await store.lastPosition()()
    if (E.isLeft(last)) return last
    const passed = await runners.find(unfinished.name)?.passed(last.right)
    if (passed === undefined || E.isLeft(passed)) return passed ?? E.right(undefined)
    for (let after = 0n; ;) {
      const selection = { limit: PAGE, ascending: true, after }
      const rows = await readModels.rows(storedName(unfinished), EVERYWHERE, selection)()
      if (E.isLeft(rows)) return rows
      for (const { order, value } of rows.right) {
        after = order
        if (UnfinishedRow.is(value))
          take({ organizationId: value.organization, activityId: value.activity, position: order })
      }
      if (rows.right.length < PAGE) return E.right(undefined)
    }
  }

  const waiting = async (): Promise<E.Either<Failure, readonly ActivityName[]>> => {
    const found: ActivityName[] = []
    const looked = await all(({ organizationId, activityId, position }) => {
      if (position <= imported.position()) found.push({ organizationId, activityId })
    })
    return E.map(() => found)(looked)
  }

  const meant = async (which: ActivityName | undefined): Promise<E.Either<Failure, readonly ActivityName[]>> =>
    E.map((found: readonly ActivityName[]) =>
      which === undefined
        ? found
        : found.filter(
            ({ organizationId, activityId }) =>
              organizationId === which.organizationId && activityId === which.activityId,
          ),
    )(await waiting())

  return {
    takeUp: async () => {
      let others = 0
      const looked = await all(({ organizationId, activityId, position }) => {
        if (position <= imported.position()) others += 1
        else effects.resume(organizationId, activityId)
      })
      if (E.isRight(looked) && others > 0) notice(noticeOf(others))
      return looked
    },
    imported: waiting,
    resumeImported: async (which) => {
      const found = await meant(which)
      if (E.isLeft(found)) return found
      const released = which === undefined ? await imported.releaseAll() : E.right(imported.release(which))
      if (E.isLeft(released)) return released
      for (const { organizationId, activityId } of found.right) effects.resume(organizationId, activityId)
      return E.right(found.right.length)
    },
    failImported: async (which) => {
      const found = await meant(which)
      if (E.isLeft(found)) return found
      let failed = 0
      for (const activity of found.right) if (await effects.interrupt(activity)) failed += 1
      return E.right(failed)
    },
  }
}

const noticeOf = (effects: number): Notice => ({
  level: 'warn',
  message:
    'effects that another installation had started wait, because their outcome is not known here: ' +
    'take them up with engine.resumeImported(), or let them fail with engine.failImported()',
  context: { effects },
})
