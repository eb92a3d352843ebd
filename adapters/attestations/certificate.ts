import type { getCertificateInfo } from '@simplewebauthn/server/helpers'
import { encodeHex, equal } from '../../core/bytes.ts'
import type { CoseKey } from '../../core/stamp/cose-key.ts'
import { canonicalPublicKey } from '../../core/stamp/public-key.ts'
import { insideDer, INTEGER, SEQUENCE } from './der.ts'

/** What statements look at in a certificate. Its issuer, its dates and the signature of its issuer are not looked at. */
export type Certificate = {
  readonly bytes: Uint8Array
  readonly isVersion3: boolean
  /** Whether it may sign other certificates. */
  readonly isAuthority: boolean
  /** Country, organization, unit and name; all missing for a TPM. */
  readonly subject: { readonly C?: string; readonly O?: string; readonly OU?: string; readonly CN?: string }
  readonly keyKind: 'ec' | 'rsa' | 'other'
  /** A point, or a modulus and an exponent in DER. */
  readonly key: Uint8Array
  /** The value of the extension with this object identifier, such as `2.5.29.17`. */
  readonly extension: (id: string) => Uint8Array | undefined
}

export const certificateOf = (
  { subject, version, basicConstraintsCA, parsedCertificate }: ReturnType<typeof getCertificateInfo>,
  bytes: Uint8Array,
): Certificate => {
  const { subjectPublicKeyInfo, extensions = [] } = parsedCertificate.tbsCertificate
  return {
    bytes,
    isVersion3: version === VERSION_3,
    isAuthority: basicConstraintsCA,
    subject,
    keyKind: KEY_KINDS.get(subjectPublicKeyInfo.algorithm.algorithm) ?? 'other',
    key: new Uint8Array(subjectPublicKeyInfo.subjectPublicKey),
    extension: (id) => {
      const found = extensions.find(({ extnID }) => extnID === id)
      return found === undefined ? undefined : new Uint8Array(found.extnValue.buffer)
    },
  }
}

/** Versions are counted from 0. */
const VERSION_3 = 2
const KEY_KINDS = new Map<string, 'ec' | 'rsa'>([
  ['1.2.840.10045.2.1', 'ec'],
  ['1.2.840.113549.1.1.1', 'rsa'],
])

/** Whether the certificate is for the key of the passkey. */
export const isFor = ({ keyKind, key }: Certificate, passkey: CoseKey): boolean => {
  if (passkey.algorithm === 'ES256')
    return keyKind === 'ec' && canonicalPublicKey('API_KEY_CURVE_P256', encodeHex(key)) === passkey.point
  const [modulus, exponent] = insideDer(key, SEQUENCE) ?? []
  if (keyKind !== 'rsa' || modulus?.head !== INTEGER || exponent?.head !== INTEGER) return false
  return (
    equal(withoutZeros(modulus.content), passkey.modulus) && equal(withoutZeros(exponent.content), passkey.exponent)
  )
}

/** A number without the zeros in front of it. */
export const withoutZeros = (number: Uint8Array): Uint8Array => {
  const first = number.findIndex((byte) => byte !== 0)
  return first === -1 ? new Uint8Array() : number.subarray(first)
}
