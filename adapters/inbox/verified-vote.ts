import { parseEnvelope } from '../../core/activity/envelope.ts'
import { activityIdOf } from '../../core/activity/identity.ts'
import { decodeHex, encodeHex, encodeUtf8 } from '../../core/bytes.ts'
import { ballotOf, ballotPathOf } from '../../core/deciding/ballot.ts'
import type { Signatures } from '../../core/ports/signatures.ts'
import { E } from '../../core/prelude.ts'
import { ATTESTED } from '../../core/stamp/attested-stamp.ts'
import { decodeAuthenticatorData } from '../../core/stamp/authenticator-data.ts'
import { parsePasskeyStamp, verifyPasskeyStamp, WEBAUTHN } from '../../core/stamp/passkey-stamp.ts'
import { SignatureScheme } from '../../core/stamp/scheme.ts'
import { fingerprintOfBody } from '../../core/view/shown-request.ts'
import type { SeenVote } from './seen.ts'

/**
 * Why a vote could not be verified. `erased`: its bytes are not shown. `body`: they are neither the request nor a vote on it. `selection`:
 * they say otherwise than the server. `signature`: it does not fit the bytes and the key. `key`: a passkey's key is not shown any more.
 * `token`: the signature fits, but what vouched for its key is not shown. `scheme`: this version does not know it.
 */
export type Unverified = 'erased' | 'body' | 'selection' | 'signature' | 'key' | 'token' | 'scheme'

export type VoteCheck = 'verified' | { readonly unverified: Unverified }

type ShownVote = Pick<SeenVote, 'selection' | 'message' | 'publicKey' | 'signature' | 'scheme'>
type Verifier = Pick<Signatures, 'verify' | 'verifyRsa' | 'sha256' | 'sha256Hex'>

/**
 * Whether the key that is shown beside a vote has stamped it: the request itself, or a vote on its fingerprint. Whose key it is, only the
 * server says, and for which site a passkey was made.
 *
 * @param expected  the organization, in lower case, and the fingerprint of the activity
 */
export const verifyVote = async (
  signatures: Verifier,
  vote: ShownVote,
  expected: { readonly organizationId: string; readonly fingerprint: string },
): Promise<VoteCheck> => {
  if (vote.message === '') return { unverified: 'erased' }
  const body = encodeUtf8(vote.message)
  const selection = selectionIn(signatures, body, expected)
  if (selection === undefined) return { unverified: 'body' }
  if (selection !== vote.selection) return { unverified: 'selection' }
  const problem = await problemOf(signatures, vote, body)
  return problem === undefined ? 'verified' : { unverified: problem }
}

/** What a body votes; `undefined` if it is no vote on this activity. Whoever stamps the request itself approves. */
const selectionIn = (
  digest: Verifier,
  body: Uint8Array,
  { organizationId, fingerprint }: { readonly organizationId: string; readonly fingerprint: string },
): SeenVote['selection'] | undefined => {
  if (fingerprintOfBody(body) === fingerprint) return 'VOTE_SELECTION_APPROVED'
  const envelope = parseEnvelope(body)
  const path = E.isRight(envelope) ? ballotPathOf(envelope.right.type) : undefined
  if (E.isLeft(envelope) || path === undefined) return undefined
  const ballot = ballotOf(digest, path, envelope.right)
  return E.isRight(ballot) && ballot.right.activityId === activityIdOf(digest, organizationId, fingerprint)
    ? ballot.right.selection
    : undefined
}

const problemOf = async (
  signatures: Verifier,
  { scheme, publicKey, signature: shown }: ShownVote,
  message: Uint8Array,
): Promise<Unverified | undefined> => {
  if (scheme === WEBAUTHN) return passkeyProblem(signatures, publicKey, shown, message)
  const isAttested = scheme === ATTESTED
  const known = isAttested ? 'SIGNATURE_SCHEME_TK_API_P256' : scheme
  if (!SignatureScheme.is(known)) return 'scheme'
  const signature = decodeHex(shown)
  if (signature === undefined || !(await signatures.verify({ scheme: known, publicKey, signature, message })))
    return 'signature'
  return isAttested ? 'token' : undefined
}

/** As the signature of a passkey, the whole stamp is shown. */
const passkeyProblem = async (
  signatures: Verifier,
  publicKey: string,
  text: string,
  message: Uint8Array,
): Promise<Unverified | undefined> => {
  if (publicKey === '') return 'key'
  const stamp = parsePasskeyStamp(text)
  const made = E.isRight(stamp) ? decodeAuthenticatorData(stamp.right.authenticatorData) : undefined
  if (E.isLeft(stamp) || made === undefined) return 'signature'
  const passkey = { publicKey, rpIdHash: encodeHex(made.rpIdHash) }
  return (await verifyPasskeyStamp(signatures)(stamp.right, message, passkey)) ? undefined : 'signature'
}
