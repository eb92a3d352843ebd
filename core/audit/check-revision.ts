import type { Operation } from '../definition/operation.ts'
import type { Event } from '../log/event.ts'
import type { FindingCode } from '../log/finding.ts'
import type { Auditor, Where } from './audited-log.ts'

/** The revision that an event names. */
export const revisionIn = ({ data }: Event): number =>
  'decision' in data ? data.decision.basis.revision : data.revision

/**
 * Finds the form of the operation by which an event was made, and checks the revision that the event names. Call it once for each
 * event: it counts what is believed.
 *
 * A forger could name an older revision that decides otherwise. So the revision of an operation never falls within a log, and it is
 * at most as many revisions behind that of this version as the log's generation of the catalogue is.
 *
 * @param type  a type of the operation
 * @returns `undefined` where the event cannot be judged: the operation is unknown, its revision is newer than this version of the code, or this
 *   version does not have the older form any more. Then it is believed
 */
export const formFor = (auditor: Auditor, where: Where, type: string): Operation | undefined => {
  const { log, logged, complain } = where
  const operation = auditor.catalogue.byType(type)?.operation
  if (operation === undefined) return undefined
  const revision = revisionIn(logged.event)
  if (revision > operation.revision) {
    const known = `this version knows those up to ${operation.revision}`
    complain('REVISION_UNKNOWN', `the event names revision ${revision} of ${operation.type}; ${known}`)
    return undefined
  }
  const behind = Math.max(0, auditor.catalogue.generation - log.generation)
  const before = Math.max(log.revisions.get(operation.path) ?? 1, operation.revision - behind)
  if (revision < before)
    complain('BASIS_DIFFERS', `the event names revision ${revision} of ${operation.type}; expected ${before} at least`)
  else if (revision > before) log.revisions.set(operation.path, revision)
  const form = revision === operation.revision ? operation : operation.formOf(revision)
  if (form === undefined)
    believe(
      auditor,
      where,
      'REVISION_UNKNOWN',
      `revision ${revision} of ${operation.type}, which this version does not have any more`,
    )
  return form
}

/** Checks that a decision names a generation of the catalogue that this version knows, and none before that of an earlier decision. */
export const checkGeneration = ({ catalogue }: Auditor, { log, logged: { event }, complain }: Where): void => {
  if (!('decision' in event.data)) return
  const { generation } = event.data.decision.basis
  if (generation > catalogue.generation)
    complain(
      'REVISION_UNKNOWN',
      `generation ${generation} of the catalogue; this version knows those up to ${catalogue.generation}`,
    )
  if (generation < log.generation)
    complain(
      'BASIS_DIFFERS',
      `the decision names generation ${generation} of the catalogue; an earlier one ${log.generation}`,
    )
  else log.generation = generation
}

/**
 * Counts an event that cannot be judged as believed, and makes a finding if there are more than `believedMax`.
 *
 * @param rests  the thing that the event depends on, and that the audit does not have
 */
export const believe = (
  { counts, believedMax }: Pick<Auditor, 'counts' | 'believedMax'>,
  { complain }: Where,
  code: FindingCode,
  rests: string,
): void => {
  counts.believed += 1
  if (counts.believed > believedMax)
    complain(code, `the event rests on ${rests}; at most ${believedMax} may be believed`)
}
