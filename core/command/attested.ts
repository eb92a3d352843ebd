import type { Services } from '../definition/port.ts'
import { failure, type Failure } from '../failure.ts'
import type { OnceToken } from '../definition/operation.ts'
import { p256KeyOf } from '../identity/signing-key.ts'
import type { AttestedBy } from '../log/decision.ts'
import type { StampedRequest } from '../log/request-part.ts'
import { unreadable } from '../organization/attested.ts'
import type { Caller, Stamp } from '../organization/credential.ts'
import { finderOf, nameOf } from '../organization/credentials.ts'
import type { Organization } from '../organization/state.ts'
import type { IdentityTokens } from '../ports/identity-tokens.ts'
import { E } from '../prelude.ts'
import { isSignedBy } from '../resources/deployment-key/token.ts'
import {
  attestationOf,
  attestedIn,
  isInForce,
  kindOfAttestation,
  onceOf,
  type Attestation,
} from '../resources/verification/attestation.ts'
import { verificationToken } from '../resources/verification/verification-token.ts'
import { readStamp } from './read-stamp.ts'

/** Who stamps, as far as the stamp itself and states can tell. */
export type Finder = {
  /** The caller in one state of an organization after the other. */
  readonly find: (organization: Organization) => Caller | undefined
  /** What the token of the stamp says, if it brought one. */
  readonly attestation: Attestation | undefined
  /** Whether the token holds at a time; true where there is none. */
  readonly isInForce: (atMs: number) => boolean
}

/** Fails where the token of a stamp cannot be read, or vouches for another key. */
export const callerFinder = (stamp: Stamp): E.Either<Failure, Finder> => {
  if (stamp.kind !== 'attested')
    return E.right({ find: finderOf(nameOf(stamp)), attestation: undefined, isInForce: () => true })
  const attestation = attestationOf(stamp)
  if (attestation === undefined) return E.left(unreadable)
  return E.right({
    find: (organization) => attestedIn(attestation, stamp, organization),
    attestation,
    isInForce: (atMs) => isInForce(attestation, atMs),
  })
}

/** The token that a stamped request has brought, if that can be used once. */
export const onceIn = (request: StampedRequest): OnceToken | undefined => {
  const stamp = readStamp(request)
  const attestation = stamp?.kind === 'attested' ? attestationOf(stamp) : undefined
  return attestation && onceOf(attestation)
}

export type VouchingPorts = {
  /** The public keys that sign verification tokens, where the engine has a keyring: of P-256, uncompressed, in hex. */
  readonly verificationKeys?: readonly string[] | undefined
  readonly identityTokens?: IdentityTokens | undefined
}

/** What tells who has signed a token, out of the services of an engine. */
export const vouching = ({ verificationKeys }: VouchingPorts, services: Services): VouchingPorts => ({
  verificationKeys,
  identityTokens: services['identityTokens'] as IdentityTokens | undefined, // operations name it so
})

const noIdentities = failure(
  'UNSUPPORTED',
  'identity tokens are not supported by this server: it has no ports.identityTokens',
)

/** Who has signed the token of a stamp: this deployment, or the identity provider, which is asked for its keys; `undefined` if neither has. */
export const vouchedBy = async (
  { verificationKeys = [], identityTokens }: VouchingPorts,
  token: string,
  attestation: Attestation,
): Promise<E.Either<Failure, AttestedBy | undefined>> => {
  const kind = kindOfAttestation(attestation)
  if (attestation._tag === 'contact') {
    const hex = verificationKeys.find((one) => isSignedBy(verificationToken, token, [one]))
    return E.right(hex === undefined ? undefined : { kind, key: p256KeyOf(hex) })
  }
  if (identityTokens === undefined) return E.left(noIdentities)
  const key = await identityTokens.keyOf(token)()
  if (E.isRight(key)) return E.right({ kind, key: key.right, issuer: attestation.token.issuer })
  return key.left.code === 'INVALID_OIDC_TOKEN' ? E.right(undefined) : key
}
