import type { Certificate } from './certificate.ts'
import { bytesOf, isOfModel, leafOf, NO_CERTIFICATE, NOT_SIGNED, signedBy, type CheckStatement } from './statement.ts'

/**
 * Signed by a certificate of the authenticator's maker, or by the passkey itself.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-packed-attestation
 */
export const checkPacked: CheckStatement = async (library, statement) => {
  const { members, attested, key } = statement
  const [algorithm, signature] = [members.get('alg'), bytesOf(members, 'sig')]
  if (typeof algorithm !== 'number' || signature === undefined) return 'has no algorithm, or no signature'
  const data = signedBy(statement)
  if (!members.has('x5c')) {
    if (algorithm !== COSE_NUMBERS[key.algorithm]) return 'has another algorithm than the passkey, which signed it'
    const isSigned = await library.isSigned({ by: { coseKey: attested.publicKey }, algorithm, signature, data })
    return isSigned ? undefined : NOT_SIGNED
  }
  const certificate = leafOf(library, members)
  if (certificate === undefined) return NO_CERTIFICATE
  if (!isOfMaker(certificate)) return 'has a certificate that is not one of a maker of authenticators'
  if (!isOfModel(certificate, attested)) return 'has a certificate for another model'
  return (await library.isSigned({ by: certificate, algorithm, signature, data })) ? undefined : NOT_SIGNED
}

const COSE_NUMBERS = { ES256: -7, RS256: -257 } as const

const isOfMaker = ({ isVersion3, isAuthority, subject: { C, O, OU, CN } }: Certificate): boolean =>
  isVersion3 && !isAuthority && C?.length === 2 && !!O && !!CN && OU === 'Authenticator Attestation'
