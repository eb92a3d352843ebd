/** The key that a TPM holds. */
export type TpmKey = {
  /** The number of the hash with which the key is named. */
  readonly nameHash: number
} & (
  | { readonly kind: 'rsa'; readonly modulus: Uint8Array; readonly exponent: number }
  | { readonly kind: 'ec'; readonly curve: number; readonly x: Uint8Array; readonly y: Uint8Array }
)

/** What a TPM certifies: that it holds the key of this name. */
export type TpmCertified = {
  /** What the caller asked it to sign along. */
  readonly extraData: Uint8Array
  /** The number of a hash, and the hash of the key's bytes. */
  readonly name: Uint8Array
}

/**
 * Reads a `TPMT_PUBLIC` to its last byte: a key for any scheme.
 *
 * @see https://trustedcomputinggroup.org/resource/tpm-library-specification/ part 2, section 12.2.4
 */
export const readTpmKey = (bytes: Uint8Array): TpmKey | undefined => {
  const reader = new Reader(bytes)
  const [type, nameHash] = [reader.number(2), reader.number(2)]
  reader.number(4) // attributes
  reader.sized() // policy
  reader.number(4) // symmetric algorithm, scheme
  if (type === RSA) {
    reader.number(2) // bits
    const exponent = reader.number(4) || EXPONENT_DEFAULT
    const modulus = reader.sized()
    return reader.isDone() ? { kind: 'rsa', nameHash, modulus, exponent } : undefined
  }
  const curve = reader.number(2)
  reader.number(2) // derivation
  const [x, y] = [reader.sized(), reader.sized()]
  return type === ECC && reader.isDone() ? { kind: 'ec', nameHash, curve, x, y } : undefined
}

/**
 * Reads a `TPMS_ATTEST` of the type `TPM_ST_ATTEST_CERTIFY`, to its last byte.
 *
 * @see https://trustedcomputinggroup.org/resource/tpm-library-specification/ part 2, section 10.12.12
 */
export const readTpmCertified = (bytes: Uint8Array): TpmCertified | undefined => {
  const reader = new Reader(bytes)
  const [magic, type] = [reader.number(4), reader.number(2)]
  reader.sized() // who signed
  const extraData = reader.sized()
  reader.skip(CLOCK_BYTES + FIRMWARE_BYTES)
  const name = reader.sized()
  reader.sized() // the name with those of its parents
  return magic === GENERATED && type === CERTIFY && reader.isDone() ? { extraData, name } : undefined
}

const [RSA, ECC] = [0x0001, 0x0023]
const [GENERATED, CERTIFY] = [0xff544347, 0x8017]
const EXPONENT_DEFAULT = 65_537
const [CLOCK_BYTES, FIRMWARE_BYTES] = [17, 8]

/** Reads on in any case; whether all was there, `isDone` says at the end. */
class Reader {
  private at = 0
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  number(length: number): number {
    let value = 0
    for (let left = length; left > 0; left -= 1) value = value * 0x100 + (this.bytes[this.at++] ?? 0)
    return value
  }

  sized(): Uint8Array {
    const length = this.number(2)
    this.skip(length)
    return this.bytes.subarray(this.at - length, this.at)
  }

  skip(length: number): void {
    this.at += length
  }

  isDone(): boolean {
    return this.at === this.bytes.length
  }
}
