import type { Activity } from '../activity/activity.ts'
import type { EventType } from '../log/event.ts'
import type { FindingCode } from '../log/finding.ts'
import type { StampedRequest } from '../log/request-part.ts'
import type { Logged } from '../log/transcript-check.ts'
import type { Catalogue } from '../operations/catalogue.ts'
import { initial, type Draft } from '../organization/organization.ts'
import type { RulesVersion } from '../policy/rules.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Intents, KeptIntent } from './intents.ts'
import type { LimitsInForce, Setback } from './report.ts'
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
  /** Whether events are missing: then an activity may have been created by one of them. */
  hasGap: boolean
  /** The sequence of the last event that changed the organization. */
  changedAt: bigint
  /** The time of the last event. */
  lastAt: string
  /** The rules of the last decision: later ones are taken by the same, or by newer ones. */
  rules: RulesVersion | undefined
  /** Activities that are not finished. */
  readonly activities: Map<string, AuditedActivity>
  /** What the very next event has to be. */
  due: Due | undefined
  /** The first activity, until it is completed: only then its key is known. */
  beginning: { readonly where: Where; readonly request: StampedRequest | undefined } | undefined
  /** The hash with which the organization had begun. */
  genesis: string | undefined
  /** How many findings there were. */
  findings: number
}

/** What follows an activity that was allowed, in the same commit and so at the same time. */
export type Due = {
  readonly activity: string
  readonly at: string
  readonly types: readonly EventType[]
  readonly where: Where
}

/** An activity that is not finished. */
export type AuditedActivity = {
  /** Its votes carry no evaluations: nobody asks for those again, and they are most of what a vote is. */
  readonly activity: Activity
  /** What was asked for, or whence it can be read again; undefined where the request was erased, or cannot be read. */
  readonly intent: KeptIntent | undefined
  /** The votes whose requests were there: nobody votes twice with one body. */
  readonly cast: readonly Cast[]
}

/** Who voted, and the fingerprint of the body by which they did. */
export type Cast = { readonly user: string; readonly fingerprint: string }

export const auditedLog = (organization: string): AuditedLog => ({
  organization,
  draft: initial(organization),
  isStateKnown: true,
  hasGap: false,
  changedAt: 0n,
  lastAt: '',
  rules: undefined,
  activities: new Map(),
  due: undefined,
  beginning: undefined,
  genesis: undefined,
  findings: 0,
})

/** What every check needs. */
export type Auditor = {
  readonly signatures: Signatures
  readonly catalogue: Catalogue
  readonly verifications: Verifications
  readonly intents: Intents
  readonly limits: readonly LimitsInForce[]
  readonly rulesMin: number
  readonly onSetback: (setback: Setback) => void
  readonly counts: {
    events: number
    activities: number
    stamps: number
    decisions: number
    byOlderRules: number
    clockBehind: number
    executions: number
    erased: number
  }
}

/** The event that is being judged. */
export type Where = {
  readonly log: AuditedLog
  readonly logged: Logged
  /** The time of the event before it in its log; empty before the first. */
  readonly previousAt: string
  /** Makes a finding of it. */
  readonly complain: (code: FindingCode, message: string) => void
}
