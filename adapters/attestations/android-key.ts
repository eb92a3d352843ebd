import { equal } from '../../core/bytes.ts'
import { isFor } from './certificate.ts'
import { insideDer, OCTETS, readDer, SEQUENCE } from './der.ts'
import { bytesOf, leafOf, NO_CERTIFICATE, NOT_SIGNED, OTHER_KEY, signedBy, type CheckStatement } from './statement.ts'

/**
 * Signed by the passkey, whose certificate Android's key store made for this ceremony.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-android-key-attestation
 */
export const checkAndroidKey: CheckStatement = async (library, statement) => {
  const { members, clientDataHash, key } = statement
  const [algorithm, signature] = [members.get('alg'), bytesOf(members, 'sig')]
  if (typeof algorithm !== 'number' || signature === undefined) return 'has no algorithm, or no signature'
  const certificate = leafOf(library, members)
  if (certificate === undefined) return NO_CERTIFICATE
  if (!isFor(certificate, key)) return OTHER_KEY
  const description = insideDer(certificate.extension(KEY_DESCRIPTION) ?? new Uint8Array(), SEQUENCE) ?? []
  const challenge = description[CHALLENGE]
  if (challenge?.head !== OCTETS || !equal(challenge.content, clientDataHash))
    return 'has a certificate for another ceremony'
  const lists = description.slice(LISTS, LISTS + 2)
  const isScoped = lists.every(
    ({ head, content }) =>
      head === SEQUENCE && readDer(content)?.every(({ number }) => number !== ALL_APPLICATIONS) === true,
  )
  if (lists.length !== 2 || !isScoped) return 'has a certificate for a key that every app may use'
  const data = signedBy(statement)
  return (await library.isSigned({ by: certificate, algorithm, signature, data })) ? undefined : NOT_SIGNED
}

const KEY_DESCRIPTION = '1.3.6.1.4.1.11129.2.1.17'
/** The places of the challenge, and of the first of two lists: what software holds the key to, and what hardware does. */
const [CHALLENGE, LISTS] = [4, 6]
const ALL_APPLICATIONS = 600
