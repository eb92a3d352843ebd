import { sha256 } from '@noble/hashes/sha2.js'
import { parseEnvelope } from '../activity/envelope.ts'
import { activityIdOf, denialIdOf, fingerprintOf } from '../activity/identity.ts'
import { encodeHex, encodeUtf8 } from '../bytes.ts'
import { isObject } from '../codec/codec.ts'
import type { Json } from '../failure.ts'
import type { Digest } from '../ports/digest.ts'
import { E } from '../prelude.ts'

/** A vote as an answer shows it, as far as a request can be found in it. */
export type VoteWithBody = { readonly userId: string; readonly message: string }

/** An activity as an answer shows it, as far as its request can be checked. */
export type ShownByServer<V extends VoteWithBody = VoteWithBody> = {
  readonly id: string
  readonly organizationId: string
  readonly type: string
  readonly fingerprint: string
  readonly intent: { readonly [name: string]: unknown }
  readonly votes: readonly V[]
}

/** What somebody has asked for, by the bytes that they stamped: the fingerprint is the hash of these bytes. */
export type ShownRequest<V extends VoteWithBody = VoteWithBody> = {
  /** The vote of the requester. */
  readonly vote: V
  readonly parameters: Json
}

/** Those who check run where there is no engine, and no Node: so they have a SHA-256 of their own. */
const digest: Pick<Digest, 'sha256Hex'> = {
  sha256Hex: (input) => encodeHex(sha256(typeof input === 'string' ? encodeUtf8(input) : input)),
}

/** The fingerprint of a body. */
export const fingerprintOfBody = (body: Uint8Array): string => fingerprintOf(digest, body)

/** Whether it is the activity of this organization with this fingerprint: its id follows from both. */
export const isActivityOf = (
  { id, organizationId, fingerprint }: Pick<ShownByServer, 'id' | 'organizationId' | 'fingerprint'>,
  expected: { readonly organizationId: string; readonly fingerprint: string },
): boolean =>
  organizationId === expected.organizationId &&
  fingerprint === expected.fingerprint &&
  id === activityIdOf(digest, organizationId, fingerprint)

/**
 * What of an activity does not fit. `body`: no shown body has the fingerprint, or the one that has it is no request. `fingerprint`: the id
 * follows from a shown body, and the fingerprint does not. The others contradict the body, or in the case of the id both.
 */
export type Unfit = 'body' | 'fingerprint' | 'id' | 'organization' | 'type'

/**
 * What was asked for with the fingerprint of an activity. It does not trust the server: the bytes have to fit the fingerprint, the
 * fingerprint the id, and the body the organization and the type.
 *
 * @param organizationId  of the caller, in lower case
 * @returns what does not fit; where the request was erased, the body
 */
export const provenRequest = <V extends VoteWithBody = VoteWithBody>(
  activity: ShownByServer<V>,
  organizationId: string,
): E.Either<Unfit, ShownRequest<V>> => {
  const { id, fingerprint, type, votes } = activity
  if (activity.organizationId !== organizationId) return E.left('organization')
  const isIdOf = (of: string, { userId }: VoteWithBody): boolean =>
    id === activityIdOf(digest, organizationId, of) || id === denialIdOf(digest, organizationId, of, userId) // docs/decisions/requests.md
  const vote = votes.find((one) => hashOf(one) === fingerprint)
  if (vote === undefined) return E.left(votes.some((one) => isIdOf(hashOf(one), one)) ? 'fingerprint' : 'body')
  if (!isIdOf(fingerprint, vote)) return E.left('id')
  const body = parseEnvelope(encodeUtf8(vote.message))
  if (E.isLeft(body)) return E.left('body')
  if (body.right.organizationId !== organizationId) return E.left('organization')
  return body.right.type === type ? E.right({ vote, parameters: body.right.parameters }) : E.left('type')
}

const hashOf = ({ message }: VoteWithBody): string => fingerprintOfBody(encodeUtf8(message))

/** As `provenRequest`; undefined if something does not fit. */
export const requestIn = <V extends VoteWithBody>(
  activity: ShownByServer<V>,
  organizationId: string,
): ShownRequest<V> | undefined => {
  const request = provenRequest(activity, organizationId)
  return E.isRight(request) ? request.right : undefined
}

/**
 * Whether an intent shows these parameters, and nothing else. Reading has dropped members that are null, and written ids and keys in lower
 * case. It is false if reading has changed or dropped something else: nobody can tell this from a lie.
 */
export const showsParameters = (intent: ShownByServer['intent'], parameters: unknown): boolean => {
  const [shown, ...others] = Object.values(intent)
  return others.length === 0 && isSame(shown, parameters)
}

const isSame = (shown: unknown, requested: unknown): boolean => {
  if (typeof shown === 'string' && typeof requested === 'string') return isSpelled(shown, requested)
  if (Array.isArray(shown) && Array.isArray(requested))
    return shown.length === requested.length && shown.every((one, index) => isSame(one, requested[index]))
  if (!isObject(shown) || !isObject(requested)) return shown === requested
  const members = new Set([...Object.keys(shown), ...Object.keys(requested)])
  return [...members].every((member) => isSame(memberOf(shown, member), memberOf(requested, member)))
}

/** Whether a text is shown as it was requested, or in lower case where it is the hex of a key or an id. */
export const isSpelled = (shown: string, requested: string): boolean =>
  shown === requested || (HEX.test(requested) && shown === requested.toLowerCase())

const HEX = /^[0-9a-f-]+$/i

/** Of a member that is left out: null. */
export const memberOf = (object: { readonly [member: string]: unknown }, member: string): unknown =>
  Object.hasOwn(object, member) ? (object[member] ?? null) : null
