import { until } from '../../../until.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { storedName } from '../../../../core/definition/projection.ts'
import { auditOf, readFound, right, type Found } from '../found.ts'
import { TRIES_WITH_MISTAKE } from '../plan.ts'
import type { StorePlace } from '../store-place.ts'
import { checkAnswers } from './check-answers.ts'
import { checkHistory } from './check-history.ts'
import { checkCodes } from './check-codes.ts'
import { checkChildren, checkKeys } from './check-children.ts'
import { checkEffects } from './check-effects.ts'
import { checkWallets } from './check-wallets.ts'
import { checkReadModels, projections } from './check-read-models.ts'

export type Checked = { readonly events: number; readonly violations: readonly string[] }

/**
 * Waits until nothing moves any more, then checks everything that was promised.
 *
 * @param urls  of the servers
 * @param hasMistake  whether a mistake was made on purpose: it may keep something from ever coming to its end, so the wait does
 */
export const checkStore = async (
  place: StorePlace,
  urls: readonly string[],
  storage: Storage,
  hasMistake: boolean,
): Promise<Checked> => {
  let looks = 0
  await until(async () => (hasMistake && (looks += 1) > LOOKS_MAX) || isAtRest(storage))
  const found = await readFound(storage)
  const { findings } = await auditOf(storage.store)
  const violations = [
    ...found.impossible,
    ...(await checkCheckpoints(found)),
    ...checkAnswers(found, place.journal.answers()),
    ...checkHistory(found, place.journal.calls()),
    ...checkEffects(found, place.payments),
    ...checkChildren(found, place.journal.answers()),
    ...checkCodes(found, place.journal.calls()),
    ...(await checkKeys(place, found, urls, hasMistake ? TRIES_WITH_MISTAKE : Infinity)),
    ...(await checkReadModels(found)),
    ...(await checkWallets(place, found, urls, !hasMistake)),
    ...findings.map(({ code, message, sequence }) => `audit: ${code} at sequence ${String(sequence)}: ${message}`),
  ]
  return { events: found.events.length, violations: [...new Set(violations)] }
}

/**
 * Longer than the five seconds after which a beginning that was interrupted goes on. If this is too few on a slow machine, more is found than
 * the mistake has done: no test fails because of that.
 */
const LOOKS_MAX = 2_000

const isAtRest = async (storage: Storage): Promise<boolean> => {
  const { store } = storage
  return right(await store.pending(0n, 1)()).length === 0 && haveRows(storage, right(await store.lastPosition()()))
}

/** Whether all projections have taken the events up to this position. */
export const haveRows = async ({ readModels }: Storage, last: bigint): Promise<boolean> => {
  for (const projection of projections)
    if (right(await readModels.checkpoint(storedName(projection))()) < last) return false
  return true
}

const checkCheckpoints = async ({ storage, recorded }: Found): Promise<readonly string[]> => {
  const violations: string[] = []
  const last = recorded.at(-1)?.position ?? 0n
  for (const projection of projections) {
    const checkpoint = right(await storage.readModels.checkpoint(storedName(projection))())
    if (checkpoint < last) violations.push(`the projection ${projection.name} stays at ${checkpoint} of ${last}`)
  }
  return violations
}
