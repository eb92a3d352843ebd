import type { Failure } from '../failure.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import { EVERYWHERE, unfinished, UnfinishedRow } from '../projection/activities.ts'
import { storedName } from '../projection/projection.ts'
import type { Runners } from '../projection/runners.ts'
import type { Effects } from './effects.ts'

const PAGE = 100

/**
 * Takes up effects that another life of this process started: every activity whose start has no end. All of them are found
 * at once, and each is looked at when there is a place for it: a few hundred bytes wait for each until then.
 */
export const takeUpInterrupted = async (
  { store, readModels }: Storage,
  runners: Runners,
  effects: Pick<Effects, 'resume'>,
): Promise<E.Either<Failure, void>> => {
  const last = await store.lastPosition()()
  if (E.isLeft(last)) return last
  const passed = await runners.find(unfinished.name)?.passed(last.right)
  if (passed === undefined || E.isLeft(passed)) return E.right(undefined) // the engine closes
  for (let after = 0n; ;) {
    const selection = { limit: PAGE, ascending: true, after }
    const rows = await readModels.rows(storedName(unfinished), EVERYWHERE, selection)()
    if (E.isLeft(rows)) return rows
    for (const { order, value } of rows.right) {
      after = order
      if (UnfinishedRow.is(value)) void effects.resume(value.organization, value.activity)
    }
    if (rows.right.length < PAGE) return E.right(undefined)
  }
}
