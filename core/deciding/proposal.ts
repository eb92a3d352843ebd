import type { Catalogue } from '../definition/catalogue.ts'
import type { Limits } from '../definition/limits.ts'
import type { DecodedIntent, Intent, OnceToken, Operation } from '../definition/operation.ts'
import type { Reveal } from '../definition/version.ts'
import type { Failure } from '../failure.ts'
import type { AttestedBy } from '../log/decision.ts'
import type { Organization } from '../organization/state.ts'
import type { Digest } from '../ports/digest.ts'
import type { Others } from './others.ts'

/** Everything that a turn needs to decide, except the states of organizations. All of it is pure. */
export type Rules = {
  readonly digest: Digest
  readonly catalogue: Catalogue
  readonly limits: Limits
  /** How many activities of an organization may wait for approvals. Default: any number. */
  readonly waitingMax?: number
  /** How far the clock may be behind the log. Default: five minutes. */
  readonly clockLagMaxMs?: number | undefined
  /** How many denied activities of one user an organization stores per day. Default: any number. */
  readonly denialsMax?: number
  /** Whether `execute` runs twice, and has to give the same. */
  readonly executeTwice?: boolean
  /** Opens for a requester what a result has sealed. Default: nothing is opened. */
  readonly reveal?: Reveal | undefined
  /** The failure for an operation that this engine cannot do. */
  readonly unsupported?: (operation: Operation, intent: Intent) => Failure | undefined
}

/** A request to be decided on, in an organization's turn. */
export type Proposal = {
  /** The state on which the turn decides, and the sequence of the last event in it. */
  readonly organization: Organization
  readonly sequence: bigint
  /** The time of the log. */
  readonly atMs: number
  /** What the clock says; behind `atMs` where the clock went back. */
  readonly clockMs: number
  readonly activityId: string
  /** The type that was submitted. */
  readonly type: string
  readonly operation: Operation
  readonly decoded: DecodedIntent
  /** The id of the parent, if its users decide and not those of the organization. */
  readonly home?: string | undefined
  /** The other organizations that its operation reads, and the parent, if its users decide. */
  readonly others: Others
  /** The token of its requester's stamp, if that brought one that can be used once. */
  readonly once?: OnceToken | undefined
}

/** The credential that stamped a request, and the address of the caller, for the basis of a decision. */
export type Speaker = {
  readonly userId: string
  readonly credentialId: string
  readonly scheme: string
  /** Who vouches for the key of the stamp, if that brought a token. */
  readonly attested?: AttestedBy | undefined
  readonly address: string | null
}

/** The body of a request, by its fingerprint and its length. */
export type RequestedBody = { readonly fingerprint: string; readonly bytes: number }
