import { encodeHex } from '../bytes.ts'
import { failure } from '../failure.ts'
import type { AttestedKind } from '../log/decision.ts'
import { parseAttestedStamp, verifyAttestedStamp, type AttestedStamp } from '../stamp/attested-stamp.ts'
import type { StampKind } from './credential-kind.ts'
import type { AuthenticationType } from './mfa-policies.ts'

/** A user whose stamp brought its own proof. No state has the key; it can do little, and is forgotten with its request. */
export type Attested = {
  readonly kind: 'attested'
  readonly userId: string
  /** The id of the token, or that of the user's identity provider. */
  readonly credentialId: string
  readonly publicKey: string
  /** What the token proves. */
  readonly attested: AttestedKind
}

/** The step of second factors that such a stamp meets. */
export const attestedMethod = (kind: AttestedKind): AuthenticationType => `AUTHENTICATION_TYPE_${kind}`

/** The only paths that take such a stamp. */
const PATHS: readonly string[] = [
  'stamp_login',
  'approve_activity',
  'reject_activity',
  'get_activity',
  'get_mfa_status',
]

export const takesAttested = (path: string): boolean => PATHS.includes(path)

export const notTaken = failure('UNAUTHENTICATED', 'attested stamps sign in and vote, and nothing else')

/** One refusal, whoever is meant and whatever is wrong: a stranger must not find out whose contacts and identities are known. */
const unknown = failure('CREDENTIAL_NOT_FOUND', 'could not authenticate by the token of the stamp')
/** What the stamp alone shows. */
export const unreadable = failure('SIGNATURE_INVALID', 'the token of the stamp is none for its key')

export const attested: StampKind<AttestedStamp, { readonly kind: 'attested'; readonly publicKey: string }> = {
  kind: 'attested',
  header: 'X-Stamp-Attested',
  parse: parseAttestedStamp,
  verify: verifyAttestedStamp,
  accepts: () => true,
  keyIn: ({ kind, publicKey }) => ({ kind, publicKey }),
  signatureOf: ({ signature }) => encodeHex(signature),
  refusals: {
    unknown,
    unknownBelow: unknown,
    several: unknown,
    invalid: unknown,
    nameIs: 'publicKey',
  },
}
