import { decodeStates, flatten, snapshotVersionOf } from '../organization/snapshot.ts'
import type { ReadModels, Snapshot } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import type { Auditor, Where } from './audited-log.ts'
import { isSame } from './same-json.ts'

/**
 * To be called behind each event: compares the state with the snapshot that the store has of this place. An engine begins with a snapshot
 * in place of the events before it, so whoever changes one changes all answers, and no line of the log.
 */
export const checkSnapshot = ({ catalogue }: Auditor, { log, logged, complain }: Where): void => {
  const { snapshot } = log
  if (snapshot === undefined || snapshot.sequence !== logged.event.sequence) return
  log.snapshot = undefined
  if (!log.isStateKnown || snapshot.hash !== logged.hash) return // with another hash, no engine uses it
  const stored = decodeStates(log.organization, snapshot.parts, catalogue)
  if (stored !== undefined && !isSame(flatten(stored), flatten(log.draft)))
    complain('SNAPSHOT_DIFFERS', 'the snapshot of this place is not the state that the log gives')
}

/** Finds the snapshot with which an engine of this version would begin. A store that cannot be read breaks off its text, too. */
export const storedSnapshots = (
  { signatures, catalogue }: Pick<Auditor, 'signatures' | 'catalogue'>,
  snapshots: Pick<ReadModels, 'snapshot'> | undefined,
): ((organization: string) => Promise<Snapshot | undefined>) => {
  const version = snapshotVersionOf(signatures, catalogue)
  return async (organization) => {
    const found = await snapshots?.snapshot(organization, version)()
    return found === undefined || E.isLeft(found) ? undefined : found.right
  }
}
