import { concat, encodeHex, equal } from '../../core/bytes.ts'
import type { CoseKey } from '../../core/stamp/cose-key.ts'
import { withoutZeros, type Certificate } from './certificate.ts'
import { insideDer, readDer, SEQUENCE } from './der.ts'
import { isAlgorithm } from './library.ts'
import { bytesOf, isOfModel, leafOf, NO_CERTIFICATE, NOT_SIGNED, signedBy, type CheckStatement } from './statement.ts'
import { readTpmCertified, readTpmKey, type TpmKey } from './tpm-structures.ts'

/**
 * A TPM certifies that it holds the key of the passkey, for this ceremony.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-tpm-attestation
 */
export const checkTpm: CheckStatement = async (library, statement) => {
  const { members, attested, key } = statement
  const [algorithm, signature] = [members.get('alg'), bytesOf(members, 'sig')]
  const [pubArea, certInfo] = [bytesOf(members, 'pubArea'), bytesOf(members, 'certInfo')]
  if (members.get('ver') !== '2.0' || !isAlgorithm(algorithm) || signature === undefined)
    return 'has no version 2.0, no known algorithm, or no signature'
  const held = pubArea === undefined ? undefined : readTpmKey(pubArea)
  const certified = certInfo === undefined ? undefined : readTpmCertified(certInfo)
  if (pubArea === undefined || certInfo === undefined || held === undefined || certified === undefined)
    return 'has structures of a TPM that cannot be read'
  if (!isSame(held, key)) return 'is about another key'
  if (!equal(certified.extraData, await library.hash(algorithm, signedBy(statement)))) return 'is for another ceremony'
  const hash = NAME_HASHES.get(held.nameHash)
  const name = hash === undefined ? undefined : concat([pubArea.subarray(2, 4), await library.hash(hash, pubArea)])
  if (name === undefined || !equal(certified.name, name)) return 'certifies another key'
  const certificate = leafOf(library, members)
  if (certificate === undefined) return NO_CERTIFICATE
  if (!isOfTpm(certificate)) return 'has a certificate that is not one of a TPM'
  if (!isOfModel(certificate, attested)) return 'has a certificate for another model'
  return (await library.isSigned({ by: certificate, algorithm, signature, data: certInfo })) ? undefined : NOT_SIGNED
}

/** SHA-1, SHA-256, SHA-384 and SHA-512 by the numbers of TPMs, as algorithms of COSE with that hash. */
const NAME_HASHES = new Map([
  [0x0004, -65535],
  [0x000b, -7],
  [0x000c, -35],
  [0x000d, -36],
])

const isSame = (held: TpmKey, key: CoseKey): boolean => {
  if (held.kind === 'rsa') {
    const isExponent = key.algorithm === 'RS256' && parseInt(encodeHex(key.exponent), 16) === held.exponent
    return isExponent && equal(withoutZeros(held.modulus), key.modulus)
  }
  const sign = ((held.y.at(-1) ?? 0) & 1) === 1 ? '03' : '02'
  const point = sign + encodeHex(withoutZeros(held.x)).padStart(COORDINATE_DIGITS, '0')
  return held.curve === P256 && key.algorithm === 'ES256' && point === key.point
}

const P256 = 0x0003
const COORDINATE_DIGITS = 64

/** Whether the certificate is one for attestations of a TPM. Who made the TPM has to be said, but is not judged. */
const isOfTpm = ({ isVersion3, isAuthority, subject, extension }: Certificate): boolean => {
  const [purpose] = insideDer(extension(PURPOSES) ?? NONE, SEQUENCE) ?? []
  const isPurpose = purpose !== undefined && encodeHex(purpose.content) === ATTESTATION_KEY
  const isNameless = [subject.C, subject.O, subject.OU, subject.CN].every((name) => name === undefined)
  return isVersion3 && !isAuthority && isNameless && isPurpose && namesTpm(extension(OTHER_NAMES) ?? NONE)
}

/** In the first of the other names, which is a directory's: maker, model and version, in one set or in one set each. */
const namesTpm = (names: Uint8Array): boolean => {
  const [first] = insideDer(names, SEQUENCE) ?? []
  if (first === undefined || first.head !== DIRECTORY_NAME) return false
  const sets = insideDer(first.content, SEQUENCE) ?? []
  const attributes = sets.flatMap(({ content }) => readDer(content) ?? [])
  const found = attributes.map(({ content }) => encodeHex(readDer(content)?.[0]?.content ?? NONE))
  return [MAKER, TPM_MODEL, TPM_VERSION].every((id) => found.includes(id))
}

const [PURPOSES, OTHER_NAMES] = ['2.5.29.37', '2.5.29.17']
const DIRECTORY_NAME = 0xa4
/** 2.23.133.8.3, and 2.23.133.2.1 to .3, as DER writes them. */
const ATTESTATION_KEY = '6781050803'
const [MAKER, TPM_MODEL, TPM_VERSION] = ['6781050201', '6781050202', '6781050203']
const NONE = new Uint8Array()
