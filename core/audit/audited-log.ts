import type { Activity } from '../activity/activity.ts'
import type { Json } from '../failure.ts'
import type { EventType } from '../log/event.ts'
import type { FindingCode } from '../log/finding.ts'
import type { StampedRequest } from '../log/request-part.ts'
import type { ReadState } from '../log/decision.ts'
import type { Others } from '../deciding/others.ts'
import type { Logged } from '../log/transcript-check.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { DecodedIntent } from '../definition/operation.ts'
import type { Services } from '../definition/port.ts'
import { initial, type Draft } from '../organization/state.ts'
import type { RulesVersion } from '../policy/rules.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Clock } from '../ports/clock.ts'
import type { Snapshot } from '../ports/read-models.ts'
import type { ErasedReads } from './erased-reads.ts'
import { noErasures, type Erasures } from './erasures.ts'
import type { Inspected } from './inspect-again.ts'
import type { Intents, KeptIntent } from './intents.ts'
import type { KeptHashes } from './kept-hashes.ts'
import type { AuditCounts, LimitsInForce } from './report.ts'
import type { Verifications } from './verifications.ts'

/** One organization's log, as far as it has been audited. */
export type AuditedLog = {
  readonly organization: string
  readonly draft: Draft
  /**
   * Whether `draft` is the state before the next event. When events are missing, or an operation is unknown, nothing that depends on
   * the state is judged any more, so that one finding does not cause a hundred others.
   */
  isStateKnown: boolean
  /** Whether events are missing. One of them may have created an activity. */
  hasGap: boolean
  /** The sequence of the last event that changed the organization. */
  changedAt: bigint
  /** The sequence and the time of the last event. */
  sequence: bigint
  lastAt: string
  /** The rules of the last decision. Later decisions use the same rules, or newer ones. */
  rules: RulesVersion | undefined
  /** The generation of the catalogue that the last decision named. */
  generation: number
  /** The newest revision that an event named, by the path of the operation. Later events name the same one, or a newer one. */
  readonly revisions: Map<string, number>
  /** Activities that are not finished. */
  readonly activities: Map<string, AuditedActivity>
  /** What the next event has to be. */
  due: Due | undefined
  /** The first activity, until it is completed. Only then the key of its requester is known. */
  beginning: { readonly where: Where; readonly request: StampedRequest | undefined } | undefined
  /** The hash with which the organization had begun. */
  genesis: string | undefined
  /** The activity of the parent that began the log; `undefined` where none did, or none could have. */
  begunBy: BegunBy | undefined
  /** Whether the log of the parent has its hash. */
  isVouchedFor: boolean
  /** The snapshot that the store has of this log, until its place is passed. */
  snapshot: Snapshot | undefined
  /** The hashes of the lines from the first deletion of a user on: an erasure names one of them. */
  hashes: KeptHashes | undefined
  /** What is missing, and the erasures that explain it. */
  readonly erasures: Erasures
  /** How many findings there were. */
  findings: number
}

/** An activity that began the log of an organization below its own. */
export type BegunBy = {
  readonly parentId: string
  readonly activityId: string
  /** What `check` gave at its starts; `undefined` where that is not known. */
  readonly values: readonly unknown[] | undefined
  /** What its second event says of the keys with which the organization began. */
  readonly shown?: Json
}

/** What follows an activity that was allowed, in the same commit and so at the same time. */
export type Due = {
  readonly activity: string
  readonly at: string
  readonly revision: number
  /** The other organizations that were read for the commit. */
  readonly read: readonly ReadState[]
  readonly types: readonly EventType[]
  readonly complain: Where['complain']
}

/** An activity that is not finished. */
export type AuditedActivity = {
  /** Its votes are without their evaluations, which are long and not needed again. */
  readonly activity: Activity
  /** The intent, or the place from which it can be read again; `undefined` where the request was erased, or cannot be read. */
  readonly intent: KeptIntent | undefined
  /** What the first event says of its request, if that is gone. */
  readonly gone: GoneRequest | undefined
  /** The value of `check` at its last start, if the operation has `verify`. */
  readonly checked?: unknown
  /** Which credential proposed it, and with which scheme. */
  readonly proposer: Proposer
  /** Where its work begins an organization below: the sequence of its first start, and what `check` gave at each. */
  readonly begins?: { readonly startedAt: bigint; readonly values: readonly unknown[] } | undefined
  /** The votes whose requests were there: no credential votes twice with one body. */
  readonly cast: readonly Cast[]
}

export type Proposer = { readonly credential: string; readonly scheme: string }

export type GoneRequest = {
  /** The users whose personal data it had. */
  readonly subjects: readonly string[] | undefined
  /** The revision of the operation. */
  readonly revision: number
}

/** The credential that stamped a vote, and the fingerprint of its body. */
export type Cast = { readonly credential: string; readonly fingerprint: string }

export const auditedLog = (organization: string): AuditedLog => ({
  organization,
  draft: initial(organization),
  isStateKnown: true,
  hasGap: false,
  changedAt: 0n,
  sequence: 0n,
  lastAt: '',
  rules: undefined,
  generation: 0,
  revisions: new Map(),
  activities: new Map(),
  due: undefined,
  beginning: undefined,
  genesis: undefined,
  begunBy: undefined,
  isVouchedFor: false,
  snapshot: undefined,
  hashes: undefined,
  erasures: noErasures(),
  findings: 0,
})

/** What every check needs. */
export type Auditor = {
  readonly signatures: Signatures
  /** What `inspect` of operations is given. */
  readonly services: Services
  readonly catalogue: Catalogue
  /** Without a clock, the code of a host may take any time. */
  readonly clock: Clock | undefined
  /** The outcome of the last inspection. */
  inspected: Inspected | undefined
  readonly verifications: Verifications
  /** Whether an activity has an event before the event that is judged. */
  readonly isKnown: (organization: string, activity: string) => boolean
  /** The logs of all organizations so far. */
  readonly logs: ReadonlyMap<string, AuditedLog>
  /** Organizations that events say were read, and that have no line in the transcript so far: each with `complain` of the first such event. */
  readonly absent: Map<string, Where['complain']>
  readonly intents: Intents
  readonly limits: readonly LimitsInForce[]
  /** The versions of the rules that the audit knows, the newest last. */
  readonly rules: readonly RulesVersion[]
  readonly rulesMin: number
  readonly clockLagMaxMs: number
  readonly believedMax: number
  /** Reads of personal members that were erased. */
  readonly erasedReads: ErasedReads
  readonly counts: { -readonly [count in Exclude<keyof AuditCounts, 'lines'>]: number }
}

/** The counts of an audit that begins. */
export const noCounts: Auditor['counts'] = {
  events: 0,
  activities: 0,
  stamps: 0,
  decisions: 0,
  byOlderRules: 0,
  clockBehind: 0,
  executions: 0,
  executionsInPart: 0,
  leftOut: 0,
  erased: 0,
  stampsErased: 0,
  decisionsErased: 0,
  executionsErased: 0,
  readBehind: 0,
  providerKeys: 0,
  believed: 0,
}

/** The event that is being judged. */
export type Where = {
  readonly log: AuditedLog
  readonly logged: Logged
  /** The time of the event before it in its log; empty before the first. */
  readonly previousAt: string
  /** The intent of its activity, inspected where its operation has `inspect`; `undefined` where it is not known. */
  decoded: DecodedIntent | undefined
  /** The states of other organizations that were read for the event; `undefined` where they are not known. */
  others: Others | undefined
  /** Makes a finding about the event. */
  readonly complain: (code: FindingCode, message: string) => void
}
