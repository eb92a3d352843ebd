import type { Decision, ReadLimits } from '../log/decision.ts'
import { ordered, type Failure } from '../failure.ts'
import { instant, type EventPayload, type PartBytes, type PayloadWithParts } from '../log/event.ts'
import { encodePersonal, personalPart } from '../log/personal-part.ts'
import type { Digest } from '../ports/digest.ts'
import { resourceIds } from '../activity/identity.ts'
import type { WrittenExecution } from '../definition/executed.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import { beginsOrganization } from '../definition/begins.ts'
import { resumeAfter } from '../definition/operation.ts'
import type { Ruling } from '../policy/decide.ts'
import { RULES_VERSION } from '../policy/rules.ts'
import { readStatesOf } from './others.ts'
import type { Proposal, Speaker } from './proposal.ts'

/** A proposal, of whose request nothing has to be known. */
export type Undecoded = Omit<Proposal, 'decoded'>

/**
 * A decision with its basis.
 *
 * @param catalogue  whose generation the basis names
 * @param limits  those that were read for the decision alone. Other events of the commit name the limits that were read for them
 * @param timeZones  the version of the data of time zones, where policies ask for zones
 */
export const decisionOf = (
  { generation }: Pick<Catalogue, 'generation'>,
  proposal: Undecoded,
  speaker: Speaker,
  { verdict, factors }: Pick<Ruling, 'verdict' | 'factors'>,
  limits: ReadLimits | undefined,
  timeZones?: string,
): Decision => ({
  verdict,
  basis: {
    rules: RULES_VERSION,
    generation,
    read: [
      { organization: proposal.organization.organizationId, sequence: String(proposal.sequence) },
      ...readStatesOf(proposal.others),
    ],
    at: instant(proposal.atMs),
    credential: speaker.credentialId,
    scheme: speaker.scheme,
    ...(speaker.address === null ? { address: null } : {}),
    factors,
    revision: proposal.operation.revision,
    ...(limits === undefined ? {} : { limits }),
    ...(timeZones === undefined ? {} : { timeZones }),
    ...(proposal.clockMs < proposal.atMs ? { clock: instant(proposal.clockMs) } : {}),
    ...(speaker.attested === undefined ? {} : { attested: speaker.attested }),
  },
})

/** The parts beside a decision: the caller's address, which is personal. */
export const partsOfDecision = ({ userId, address }: Speaker): { readonly parts?: PartBytes } =>
  address === null ? {} : { parts: { [personalPart(userId)]: encodePersonal({ address }) } }

/** The users whose personal data the request of a proposal has, as events say it. */
export const subjectsOf = (
  digest: Digest,
  {
    operation,
    decoded,
    activityId,
    organization,
  }: Pick<Proposal, 'operation' | 'decoded' | 'activityId' | 'organization'>,
): { readonly subjects?: readonly string[] } => {
  const subjects = operation.subjects(decoded.intent, resourceIds(digest, activityId), activityId, organization)
  return subjects.length === 0 ? {} : { subjects }
}

/** The users whose data a request has, with the one whose contact or identity its stamp names. */
export const withStamped = (
  subjects: readonly string[] | undefined,
  userId: string,
  attested: unknown,
): readonly string[] | undefined =>
  attested === undefined || subjects?.includes(userId) === true ? subjects : [...(subjects ?? []), userId]

/** What the first event says beside its decision. */
export type Requested = {
  readonly fingerprint: string
  readonly subjects?: readonly string[]
  /** The length of a body that is not stored. */
  readonly leftOutBytes?: number
  /** The id of the parent, if its users decide. */
  readonly home?: string
}

/** Says that an activity was requested, and how that was decided. */
export const created = (
  { type }: Pick<Proposal, 'type'>,
  speaker: Speaker,
  { fingerprint, ...said }: Requested,
  decision: Decision,
): PayloadWithParts => ({
  type: 'ActivityCreated',
  data: { type, requester: speaker.userId, fingerprint, decision, ...said },
  ...partsOfDecision(speaker),
})

type Actor = Pick<Proposal, 'operation' | 'others'>

/** What events without a decision say of their operation: its revision, and the limits and other organizations that it read. */
const actedBy = ({ operation: { revision }, others }: Actor, limits: ReadLimits | undefined) => ({
  revision,
  ...(limits === undefined ? {} : { limits }),
  ...(others.size === 0 ? {} : { read: readStatesOf(others) }),
})

/**
 * Says that an activity is done.
 *
 * @param limits  those that were read to conclude it
 */
export const completed = (
  proposal: Actor,
  { parts, result, change, performed }: WrittenExecution,
  limits: ReadLimits | undefined,
): PayloadWithParts => ({
  type: 'ActivityCompleted',
  data: {
    type: proposal.operation.type,
    result,
    change,
    ...(performed === undefined ? {} : { performed }),
    ...actedBy(proposal, limits),
  },
  ...(parts === undefined ? {} : { parts }),
})

/**
 * Says that an activity failed. The members of a host's failure may come in any order; an event has them in one order.
 *
 * @param limits  those that were read before it failed
 */
export const failed = (proposal: Actor, cause: Failure, limits?: ReadLimits): EventPayload => ({
  type: 'ActivityFailed',
  data: { failure: ordered(cause), ...actedBy(proposal, limits) },
})

/**
 * Says that an attempt at effects outside begins. `resumeAt`, when another may follow, is a time of the clock and not of the log.
 *
 * @param limits  those that were read to let it begin
 */
export const started = (proposal: Proposal, attempt: number, limits: ReadLimits | undefined): EventPayload => {
  const { clockMs, operation } = proposal
  const pauseMs = operation.perform === undefined ? 0 : resumeAfter(operation.perform, attempt)
  return {
    type: 'ActivityStarted',
    data: {
      attempt,
      resumeAt: instant(clockMs + pauseMs),
      ...actedBy(proposal, limits),
      ...(beginsOrganization(operation) ? { begins: true } : {}),
    },
  }
}
