/* What `doctor` finds out about a store on EventStoreDB, and repairs there. */
import type { Failure } from '../../../core/failure.ts'
import type { BesideLog } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import type { Examined } from '../../store-eventstoredb/examine.ts'
import { countOf } from '../../inbox/amounts.ts'
import type { Checked } from '../doctor.ts'
import { namedIn, type BesideFlags } from '../open-eventstoredb.ts'
import { hideArguments } from '../open-postgres.ts'
import { readReadModels, writeReadModels } from '../open-read-models.ts'
import { sayNotice } from '../print.ts'
import { eventStoreDbTrials } from './eventstoredb-trials.ts'
import type { OnChecked } from './run-trials.ts'

export type EventStoreDbOptions = BesideFlags & {
  /** Whether to try what the store counts on, and to go through the log. */
  readonly full: boolean
  readonly repair: boolean
}

/** The checks of a store that can be read, as far as they take long. */
export const eventStoreDbChecks = async (
  url: string,
  options: EventStoreDbOptions,
  onChecked: OnChecked,
): Promise<void> => {
  const { full, repair } = options
  if (full) await eventStoreDbTrials(namedIn(url), onChecked)
  if (full || repair) besideChecks(await examination(url, options), repair).forEach(onChecked)
}

/** It was opened, which fails with others. */
export const BELONGS: Checked = { check: 'read models', state: 'ok', found: 'the read models belong to this log' }

const examination = async (
  url: string,
  { readModels = '', repair }: EventStoreDbOptions,
): Promise<E.Either<Failure, Examined>> => {
  hideArguments(url)
  const { examineEventStoreDb } = await import('../../store-eventstoredb/examine.ts')
  const opened: E.Either<Failure, BesideLog> = repair
    ? await writeReadModels(readModels, sayNotice, undefined)
    : await readReadModels(readModels)
  if (E.isLeft(opened)) return opened
  const { readModels: borrowed, leases } = opened.right
  try {
    return await examineEventStoreDb({ ...namedIn(url), readModels: borrowed, leases }, { repair })()
  } finally {
    await borrowed.close()
  }
}

/** The checks of what stands beside the events. */
export const besideChecks = (examined: E.Either<Failure, Examined>, repair: boolean): readonly Checked[] => {
  if (E.isRight(examined)) return [linksCheck(examined.right), partsCheck(examined.right)]
  const found = `not examined: ${examined.left.message}`
  return [
    { check: 'links', state: repair ? 'wrong' : 'warning', found, advice: 'examine again when that is so no more' },
  ]
}

const linksCheck = ({ links }: Examined): Checked => {
  const check = 'links'
  if (links === 'off') return { check, state: 'ok', found: 'the URL turns them off' }
  if (links === 'none') return { check, state: 'ok', found: 'none were written yet' }
  const { activities, wrong, mended, ended } = links
  const all = countOf(activities, 'activity', 'activities')
  if (wrong > mended)
    return {
      check,
      state: 'wrong',
      found: `those of ${wrong - mended} of ${all} are removed, doubled or in a wrong order`,
      advice: REPAIR,
    }
  const done = mended === 0 ? `${all} have the links that they should have` : `those of ${mended} of ${all} were mended`
  if (ended === 0) return { check, state: 'ok', found: done }
  return {
    check,
    state: 'warning',
    found: `${done}; the streams of ${ended} were ended for ever`,
    advice: 'nothing can be written there again; only people who look there miss it',
  }
}

const REPAIR = 'mend it with countersign doctor --repair'

const partsCheck = ({ parts: { unnamed, young, removed, kept } }: Examined): Checked => {
  const check = 'parts'
  const late = young === 0 ? '' : `; ${young} more are younger than an hour, and may be under way`
  const parts = countOf(unnamed, 'part')
  if (unnamed === 0) return { check, state: 'ok', found: `each part has its event${late}` }
  if (removed > 0) return { check, state: 'ok', found: `${parts} that no event names were removed${late}` }
  const found = `${parts} that no event names are left of processes that died, or of commits that were refused${late}`
  return { check, state: 'warning', found, advice: kept === undefined ? REPAIR : KEPT[kept] }
}

const KEPT = {
  import: 'nothing was removed: first finish the import or the copy that was interrupted',
  unreadable: 'nothing was removed: an event of the log cannot be read, and might name them',
} as const
