import type { FindingCode } from '../log/finding.ts'
import type { StampedRequest } from '../log/request-part.ts'
import type { Logged } from '../log/transcript-check.ts'
import type { Catalogue } from '../operations/catalogue.ts'
import { initial, type Draft } from '../organization/organization.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { LiveActivity } from '../command/cell.ts'
import type { Verifications } from './verifications.ts'

/** One organization's log, as far as it has been audited. */
export type AuditedLog = {
  readonly organization: string
  readonly draft: Draft
  /**
   * Whether `draft` is the state then. Once events are missing, or an operation is unknown, nothing that depends on the
   * state is judged any more: one finding is not to drag a hundred behind it.
   */
  isStateKnown: boolean
  /** The sequence of the last event that changed the organization. */
  changedAt: bigint
  /** Activities that are not finished. */
  readonly activities: Map<string, AuditedActivity>
  /** The activity that was allowed and has to be concluded by the very next event. */
  due: { readonly activity: string; readonly at: string; readonly where: Where } | undefined
  /** The first activity, until it is completed: only then its key is known. */
  beginning: { readonly where: Where; readonly request: StampedRequest | undefined } | undefined
  /** The hash with which the organization had begun. */
  genesis: string | undefined
}

/** An activity that is not finished, with the votes on it whose requests were there: nobody votes twice with one body. */
export type AuditedActivity = LiveActivity & { readonly cast: readonly Cast[] }

/** Who voted, and the fingerprint of the body by which they did. */
export type Cast = { readonly user: string; readonly fingerprint: string }

export const auditedLog = (organization: string): AuditedLog => ({
  organization,
  draft: initial(organization),
  isStateKnown: true,
  changedAt: 0n,
  activities: new Map(),
  due: undefined,
  beginning: undefined,
  genesis: undefined,
})

/** What every check needs. */
export type Auditor = {
  readonly signatures: Signatures
  readonly catalogue: Catalogue
  readonly verifications: Verifications
  readonly counts: {
    events: number
    activities: number
    stamps: number
    decisions: number
    executions: number
    erased: number
  }
}

/** The event that is being judged. */
export type Where = {
  readonly log: AuditedLog
  readonly logged: Logged
  /** Makes a finding of it. */
  readonly complain: (code: FindingCode, message: string) => void
}
