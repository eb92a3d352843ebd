import { certificateOf, type Certificate } from './certificate.ts'

/** What the statements need of the library. Nothing here reads a clock, the network, or settings of the process. */
export type Library = {
  /** @returns `undefined` if the bytes are no certificate, or more than 4,096 */
  readonly certificate: (bytes: Uint8Array) => Certificate | undefined
  /** Whether the key of the certificate, or the COSE key, signed the data with this algorithm. For what cannot be read it is false. */
  readonly isSigned: (claim: {
    readonly by: Certificate | { readonly coseKey: Uint8Array }
    readonly algorithm: number
    readonly signature: Uint8Array
    readonly data: Uint8Array
  }) => Promise<boolean>
  /** @param algorithm  a signature algorithm of COSE, whose hash is meant */
  readonly hash: (algorithm: number, data: Uint8Array) => Promise<Uint8Array>
}

/** Loads the library. The first time it takes a quarter of a second. */
export const loadLibrary = async (): Promise<Library> => {
  const { getCertificateInfo, toHash, verifySignature } = await import('@simplewebauthn/server/helpers')
  return {
    certificate: (bytes) => {
      if (bytes.length > CERTIFICATE_BYTES_MAX) return undefined
      try {
        return certificateOf(getCertificateInfo(new Uint8Array(bytes)), bytes)
      } catch {
        return undefined // it throws for everything that it cannot read
      }
    },
    isSigned: async ({ by, algorithm, signature, data }) => {
      const ofCertificate = 'coseKey' in by ? undefined : by
      if (ofCertificate !== undefined && !fits(ofCertificate, algorithm)) return false
      const key =
        'coseKey' in by
          ? { credentialPublicKey: new Uint8Array(by.coseKey) }
          : { x509Certificate: new Uint8Array(by.bytes) }
      const signed = { signature: new Uint8Array(signature), data: new Uint8Array(data) }
      try {
        return await verifySignature({ ...key, ...signed, hashAlgorithm: algorithm })
      } catch {
        return false
      }
    },
    hash: async (algorithm, data) => toHash(new Uint8Array(data), algorithm),
  }
}

/** Honest ones take some 1,000 bytes. The parser takes 20 ms for the worst of this length, and ten times as long for ten times as many. */
const CERTIFICATE_BYTES_MAX = 4096

/** ECDSA and RSASSA-PKCS1-v1_5 with SHA-256, 384 and 512, and RSA with SHA-1, which old TPMs use. Newer ones are not verified by every runtime. */
const ALGORITHMS = { ec: [-7, -35, -36], rsa: [-257, -258, -259, -65535], other: [] } as const

export const isAlgorithm = (algorithm: unknown): algorithm is number =>
  [...ALGORITHMS.ec, ...ALGORITHMS.rsa].some((known) => known === algorithm)

const fits = ({ keyKind }: Certificate, algorithm: number): boolean =>
  ALGORITHMS[keyKind].some((known) => known === algorithm)
