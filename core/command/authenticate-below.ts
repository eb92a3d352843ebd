import type { Failure, FailureCode } from '../failure.ts'
import { kindOfStamp, type Stamp } from '../organization/credential.ts'
import { nameOf } from '../organization/credentials.ts'
import { verifyStamp } from '../organization/stamp.ts'
import { E } from '../prelude.ts'
import type { Request } from '../request.ts'
import { authenticate, type AuthenticatePorts, type Authenticated } from './authenticate.ts'
import { vouchedBy } from './attested.ts'
import { attestationOf, type Attestation } from '../resources/verification/attestation.ts'
import { facetOf, identityValue, verifiedFacet } from '../resources/sub-organization/sub-organization-rows.ts'
import { candidatesBelow } from './candidates-below.ts'
import { readRequest } from './read-request.ts'
import type { CaughtUpPorts } from './caught-up.ts'

/**
 * Authenticates a request whose credential the organization does not have, in the one organization below that has it; `CREDENTIAL_CONFLICT` if
 * there are several. Of those whose user the token of a stamp means, the oldest one.
 *
 * @param refusal  the refusal of the organization itself. It is the answer if none has it: that of one below would tell its id
 */
const authenticateBelow = async (
  ports: AuthenticatePorts & CaughtUpPorts,
  kind: 'submit' | 'query',
  request: Request,
  refusal: Failure,
): Promise<E.Either<Failure, Authenticated>> => {
  const read = readRequest(request, kind)
  if (E.isLeft(read)) return read
  const { organizationId, stamp } = read.right
  const { keyIn, refusals } = kindOfStamp(stamp)
  const key = keyIn(stamp)
  // Nobody makes others wait for a list with the name of a key that is not theirs.
  if (key !== undefined && !(await verifyStamp(ports.signatures)(stamp, request.body, key))) return E.left(refusal)
  let found: Authenticated | undefined
  const attestation = stamp.kind === 'attested' ? attestationOf(stamp) : undefined
  const takesFirst = attestation !== undefined
  let isVouched = !takesFirst
  const wanted = { first: attestation ? facetOfAttestation(attestation) : facetOfKey(stamp), ascending: takesFirst }
  for await (const page of candidatesBelow(ports, organizationId, wanted)) {
    if (E.isLeft(page)) return page
    for (const childId of page.right) {
      if (!isVouched && stamp.kind === 'attested' && attestation !== undefined) {
        // Once, before any of them is loaded: whoever makes a token up must not have all of them loaded.
        const vouched = await vouchedBy(ports, stamp.token, attestation)
        if (E.isLeft(vouched)) return vouched
        if (vouched.right === undefined) return E.left(refusal)
        isVouched = true
      }
      const inChild = await authenticate(ports, kind, E.right, childId)(request)
      if (E.isLeft(inChild) && !REFUSALS.has(inChild.left.code)) return inChild // it may have it
      if (E.isLeft(inChild)) continue
      if (takesFirst) return inChild
      if (found !== undefined) return E.left(refusals.several)
      found = inChild.right
    }
  }
  return found === undefined ? E.left(refusal) : E.right(found)
}

/** By what the rows of organizations are found that may have the credential. */
const facetOfKey = (stamp: Stamp): string =>
  facetOf(stamp.kind === 'passkey' ? 'CREDENTIAL_ID' : 'PUBLIC_KEY', nameOf(stamp).name)

/** By what the rows of organizations are found that may have the user whom a token means. */
const facetOfAttestation = (attestation: Attestation): string => {
  if (attestation._tag === 'identity') return facetOf('OIDC_CLAIMS', identityValue(attestation.token))
  const { verification_type: otpType, contact } = attestation.claims
  return verifiedFacet({ otpType, contact })
}

/** Who sends a request that may belong to an organization below the one that it names: `known` if that one has the credential. */
export const orBelow = async (
  ports: AuthenticatePorts & CaughtUpPorts,
  kind: 'submit' | 'query',
  request: Request,
  known: E.Either<Failure, Authenticated>,
): Promise<E.Either<Failure, Authenticated>> =>
  E.isLeft(known) && UNKNOWN.has(known.left.code) ? authenticateBelow(ports, kind, request, known.left) : known

const UNKNOWN: ReadonlySet<string> = new Set(['PUBLIC_KEY_NOT_FOUND', 'CREDENTIAL_NOT_FOUND'] satisfies FailureCode[])

/** What tells that an organization does not let the credential in. */
const REFUSALS: ReadonlySet<string> = new Set([
  'PUBLIC_KEY_NOT_FOUND',
  'CREDENTIAL_NOT_FOUND',
  'SIGNATURE_INVALID',
  'API_KEY_EXPIRED',
  'ORGANIZATION_NOT_FOUND',
] satisfies FailureCode[])
