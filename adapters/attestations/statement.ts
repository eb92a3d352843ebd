import { concat } from '../../core/bytes.ts'
import type { AttestedData } from '../../core/stamp/authenticator-data.ts'
import type { CborMap } from '../../core/stamp/cbor.ts'
import type { CoseKey } from '../../core/stamp/cose-key.ts'
import type { Certificate } from './certificate.ts'
import type { Library } from './library.ts'

/** A statement, and what it has to be about. */
export type Statement = {
  readonly members: CborMap
  readonly authenticatorData: Uint8Array
  readonly clientDataHash: Uint8Array
  readonly attested: AttestedData
  readonly key: CoseKey
}

/** Checks a statement of one format: what is wrong with it, or `undefined`. */
export type CheckStatement = (library: Library, statement: Statement) => Promise<string | undefined>

/** What most formats sign. */
export const signedBy = ({ authenticatorData, clientDataHash }: Statement): Uint8Array =>
  concat([authenticatorData, clientDataHash])

/** A member that is a byte string. */
export const bytesOf = (members: CborMap, name: string): Uint8Array | undefined => {
  const value = members.get(name)
  return value instanceof Uint8Array ? value : undefined
}

/** The first certificate of `x5c`; the others, which lead to the maker's own, are not judged. */
export const leafOf = (library: Library, members: CborMap): Certificate | undefined => {
  const list = members.get('x5c')
  const first = Array.isArray(list) ? (list as readonly unknown[])[0] : undefined
  return first instanceof Uint8Array ? library.certificate(first) : undefined
}

/** The model of the authenticator, in the certificates of makers that name it there. */
export const MODEL = '1.3.6.1.4.1.45724.1.1.4'

/** Whether a certificate that names a model names this one: an octet string of 16 bytes. */
export const isOfModel = ({ extension }: Certificate, { aaguid }: AttestedData): boolean => {
  const named = extension(MODEL)
  return named === undefined || isExactly(named, [0x04, 0x10], aaguid)
}

/** Whether the bytes are the head, and behind it the tail. */
export const isExactly = (bytes: Uint8Array, head: readonly number[], tail: Uint8Array): boolean =>
  bytes.length === head.length + tail.length &&
  head.every((byte, i) => bytes[i] === byte) &&
  tail.every((byte, i) => bytes[head.length + i] === byte)

export const NO_CERTIFICATE = 'has no certificate that can be read'
export const NOT_SIGNED = 'has a signature that does not verify'
export const OTHER_KEY = 'has a certificate for another key'
