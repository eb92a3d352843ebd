import type { Basis } from '../log/decision.ts'
import { isApprovedByBody, type Activity } from '../activity/activity.ts'
import { parseEnvelope, type Envelope } from '../activity/envelope.ts'
import { activityIdOf, denialIdOf, fingerprintOf } from '../activity/identity.ts'
import { ballotOf, ballotPathOf } from '../deciding/ballot.ts'
import { DENIED_BODY_BYTES_MAX, isLeftOut } from '../deciding/denial.ts'
import { isInTime } from '../deciding/times.ts'
import { millis, type EventOf } from '../log/event.ts'
import { decodeRequestPart, type StampedRequest } from '../log/request-part.ts'
import { isExpired, kindOfStamp, mayCall, type Credential, type Stamp } from '../organization/credential.ts'
import { credentialNamed, nameOf } from '../organization/credentials.ts'
import { parentOf } from '../organization/profile.ts'
import { takesAttested } from '../organization/attested.ts'
import { parseStamp, verifyStamp } from '../organization/stamp.ts'
import type { Organization } from '../organization/state.ts'
import { E } from '../prelude.ts'
import type { AttestedStamp } from '../stamp/attested-stamp.ts'
import type { AuditedActivity, Auditor, Cast, Where } from './audited-log.ts'
import { attestedProblem, isVouchedFor, type StampedWith } from './check-attested.ts'
import { clockOf } from './check-basis.ts'

/** Reads the stamped request of an event; `undefined` where it was left out or erased, or cannot be read. */
export const requestOf = (auditor: Auditor, where: Where): StampedRequest | undefined => {
  const { counts } = auditor
  const { logged, complain } = where
  if ('leftOutBytes' in logged.event.data) return checkLeftOut(auditor, where, logged.event.data)
  if (!Object.hasOwn(logged.event.parts, 'request')) {
    complain('REQUEST_DIFFERS', 'expected the event to name the stamped request as a part')
    return undefined
  }
  const part = logged.parts.find(({ name }) => name === 'request')
  if (part === undefined) {
    if (logged.erased.includes('request')) counts.stampsErased += 1
    return undefined
  }
  const request = decodeRequestPart(part.bytes)
  if (E.isRight(request)) return request.right
  complain('REQUEST_DIFFERS', request.left.message)
  return undefined
}

/**
 * Checks that the request could be left out: only a large one of a denial, which changes nothing. Without its body, the stamp cannot be
 * verified.
 */
const checkLeftOut = (
  { counts }: Auditor,
  { logged, complain }: Where,
  { decision, leftOutBytes = 0, subjects }: EventOf<'ActivityCreated'>['data'],
): undefined => {
  counts.leftOut += 1
  if (!Number.isSafeInteger(leftOutBytes) || !isLeftOut(decision.verdict, leftOutBytes))
    complain('REQUEST_DIFFERS', `only a denied request above ${DENIED_BODY_BYTES_MAX} bytes can be left out`)
  if (subjects !== undefined || Object.hasOwn(logged.event.parts, 'request'))
    complain('REQUEST_DIFFERS', 'the request is left out, and the event names it, or whose data it holds')
}

/** Checks that the request is for this activity. Gives what it says, if it can be read. */
export const checkSubmitted = (
  auditor: Auditor,
  where: Where,
  { organization, activity, data }: EventOf<'ActivityCreated'>,
  request: StampedRequest | undefined,
): Envelope | undefined => {
  const { complain } = where
  const { signatures } = auditor
  if (idOf(signatures, organization, data) !== activity) {
    complain('REQUEST_DIFFERS', 'the activity id is not the one that follows from organization and fingerprint')
  }
  checkFirst(auditor, where, organization, data)
  if (request === undefined) return undefined
  if (fingerprintOf(signatures, request.body) !== data.fingerprint) {
    complain('REQUEST_DIFFERS', 'the request does not have this fingerprint')
  }
  const envelope = envelopeOf(auditor, where, request)
  if (envelope === undefined) return undefined
  if (envelope.type !== data.type) complain('REQUEST_DIFFERS', `the request is one for ${envelope.type}`)
  const isGenesis = data.decision.verdict.rule === 'genesis' // an interrupted start may be finished at any time
  if (!isGenesis && !isInTime(envelope.timestampMs, clockOf(data.decision.basis))) {
    complain('REQUEST_DIFFERS', 'the request was too old when it was decided on, or from the future')
  }
  return envelope
}

/** Checks that a denied body was not the body of an activity before: then the request would have been a vote on that activity. */
const checkFirst = (
  { signatures, isKnown }: Auditor,
  { complain }: Where,
  organization: string,
  data: EventOf<'ActivityCreated'>['data'],
): void => {
  if (isDenial(data) && isKnown(organization, activityIdOf(signatures, organization, data.fingerprint)))
    complain('STATUS_IMPOSSIBLE', 'a denial of a body of which there is an activity: the request is a vote on it')
}

const isDenial = ({ decision }: EventOf<'ActivityCreated'>['data']): boolean => decision.verdict.outcome === 'DENIED'

const idOf = (
  digest: Auditor['signatures'],
  organization: string,
  data: EventOf<'ActivityCreated'>['data'],
): string => {
  const { fingerprint, requester } = data
  return isDenial(data)
    ? denialIdOf(digest, organization, fingerprint, requester)
    : activityIdOf(digest, organization, fingerprint)
}

/**
 * Checks that the credential did not stamp these bytes as a vote before. A copy of an approval must not renew it after it has lapsed:
 * everyone who has the log could make such a copy.
 */
export const checkCopy = (
  { complain }: Where,
  { activity, cast }: AuditedActivity,
  user: string,
  { credential, fingerprint }: Cast,
): void => {
  const isOfRequester = user === activity.requester && fingerprint === activity.fingerprint
  if (isOfRequester || cast.some((one) => one.credential === credential && one.fingerprint === fingerprint))
    complain('VOTE_INVALID', 'the request is a copy of an earlier vote of this user')
}

/**
 * Checks that the request is this vote on this activity.
 *
 * @param fingerprint  of the request's body
 */
export const checkBallot = (
  auditor: Auditor,
  where: Where,
  { activity: activityId, data }: EventOf<'ActivityVoted'>,
  request: StampedRequest,
  fingerprint: string,
  activity: Activity | undefined,
): void => {
  const { complain } = where
  const atMs = millis(data.decision.basis.at)
  if (fingerprint === activity?.fingerprint) {
    if (data.selection !== 'VOTE_SELECTION_APPROVED')
      complain('REQUEST_DIFFERS', 'the body of the activity approves it')
    if (!isApprovedByBody(activity, atMs))
      complain('REQUEST_DIFFERS', 'the body of the activity approves it within 24 hours, and not again')
    return
  }
  const envelope = envelopeOf(auditor, where, request)
  if (envelope === undefined) return
  const path = data.selection === 'VOTE_SELECTION_APPROVED' ? 'approve_activity' : 'reject_activity'
  const ballot = ballotOf(auditor.signatures, path, envelope)
  if (E.isLeft(ballot)) {
    complain('REQUEST_DIFFERS', `the request is not one of ${path}`)
  } else if (ballot.right.activityId !== activityId) {
    complain('REQUEST_DIFFERS', 'the request votes on another activity')
  } else if (!isInTime(envelope.timestampMs, clockOf(data.decision.basis))) {
    complain('REQUEST_DIFFERS', 'the request was too old when it was decided on, or from the future')
  }
}

/** What a request says. It names the organization of the log; where its operation searches below, it may name the one above. */
const envelopeOf = (
  { catalogue }: Auditor,
  { log, logged, complain }: Where,
  { body }: StampedRequest,
): Envelope | undefined => {
  const envelope = parseEnvelope(body)
  if (E.isLeft(envelope)) {
    complain('REQUEST_DIFFERS', `the request cannot be read: ${envelope.left.message}`)
    return undefined
  }
  const { organizationId, type } = envelope.right
  const isSearched = catalogue.byType(type)?.operation.searchesBelow === true
  if (organizationId === logged.event.organization) return envelope.right
  if (isSearched && organizationId === parentOf(log.draft)) return envelope.right
  complain('REQUEST_DIFFERS', 'the request is for another organization')
  return undefined
}

/**
 * Checks that a key of the user at that time stamped the request. The signature is verified in the background.
 *
 * @param organization  the state at that time; `undefined` if it is not known. Then only the signature is checked, with the key that the
 *   stamp itself names
 */
export const checkStamp = (
  auditor: Auditor,
  where: Where,
  request: StampedRequest,
  { userId, basis }: { readonly userId: string; readonly basis: Basis },
  organization: Organization | undefined,
): void => {
  const { signatures, verifications, counts, catalogue } = auditor
  const { complain } = where
  const stamp = parseStamp(request.header, request.stamp)
  if (E.isLeft(stamp)) return complain('STAMP_INVALID', 'the stamp cannot be read')
  if (stamp.right.kind === 'attested')
    return checkAttested(auditor, where, request, stamp.right, { userId, basis }, organization)
  if (basis.attested !== undefined)
    complain('BASIS_DIFFERS', 'somebody vouches for a key, and its stamp brought no token')
  const key = organization === undefined ? undefined : keyOf(organization, stamp.right, userId, basis)
  const isBelow = organization?.organizationId !== where.logged.event.organization
  const problem = typeof key === 'object' ? notFor(catalogue, request, key, isBelow) : key
  if (problem !== undefined) complain('STAMP_INVALID', problem)
  const isSound = organization !== undefined && problem === undefined
  const credential = typeof key === 'object' ? key : kindOfStamp(stamp.right).keyIn(stamp.right)
  if (credential === undefined) return
  verifications.add(verifyStamp(signatures)(stamp.right, request.body, credential), request.body.length, (holds) => {
    if (!holds) complain('SIGNATURE_INVALID', 'the signature does not fit the request and the key')
    else if (isSound) counts.stamps += 1
  })
}

const checkAttested = (
  auditor: Auditor,
  where: Where,
  request: StampedRequest,
  stamp: AttestedStamp,
  by: StampedWith,
  organization: Organization | undefined,
): void => {
  const { signatures, verifications, counts, catalogue } = auditor
  const path = pathOf(catalogue, request)
  const isElsewhere = path !== undefined && !takesAttested(path)
  const problem = isElsewhere ? ISSUED_FOR_ELSE : attestedProblem(auditor, stamp, by, organization)
  if (problem !== undefined) where.complain('STAMP_INVALID', problem)
  const verify = async (): Promise<boolean> =>
    (await verifyStamp(signatures)(stamp, request.body, stamp)) && isVouchedFor(auditor, where, stamp, by.basis)
  verifications.add(verify(), request.body.length, (holds) => {
    if (!holds)
      where.complain(
        'SIGNATURE_INVALID',
        'the signature does not fit the request and the key, or nobody vouches for that',
      )
    else if (organization !== undefined && problem === undefined) counts.stamps += 1
  })
}

const ISSUED_FOR_ELSE = 'the key of the stamp was issued for something else'

/** Says that the key was not issued for such a request. */
const notFor = (
  catalogue: Auditor['catalogue'],
  request: StampedRequest,
  key: Credential,
  isBelow: boolean,
): string | undefined => {
  if (mayCall('', key, isBelow)) return undefined // it may send everything
  const path = pathOf(catalogue, request)
  return path === undefined || mayCall(path, key, isBelow) ? undefined : ISSUED_FOR_ELSE
}

/** The path of a request; `undefined` if it cannot be read, which is a finding of its own. */
const pathOf = ({ byType }: Auditor['catalogue'], { body }: StampedRequest): string | undefined => {
  const envelope = parseEnvelope(body)
  if (E.isLeft(envelope)) return undefined
  const { type } = envelope.right
  return ballotPathOf(type) ?? byType(type)?.operation.path ?? ''
}

/** The registered key that the stamp names, or why the user could not use it at that time. */
const keyOf = (organization: Organization, stamp: Stamp, userId: string, basis: Basis): Credential | string => {
  const key = credentialNamed(organization, nameOf(stamp))
  if (key === undefined) return 'the key of the stamp was not registered then'
  if (key.userId !== userId) return 'the key of the stamp was not the key of this user'
  if (key.credentialId !== basis.credential) return 'the key of the stamp is not the credential of the basis'
  if (stamp.scheme !== basis.scheme) return 'the scheme of the stamp is not the scheme of the basis'
  // Of one below another one, the parent's origins were judged when the request came: an audit cannot repeat that.
  if (parentOf(organization) === undefined && !kindOfStamp(stamp).accepts(organization, stamp))
    return 'the stamp was made at an origin that was not allowed then'
  return isExpired(key, millis(basis.at)) ? 'the key of the stamp had expired' : key
}
