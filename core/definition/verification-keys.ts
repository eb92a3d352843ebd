/** The public keys that sign verification tokens. */
export type VerificationKeys = {
  /** Of P-256, uncompressed, in hex. It throws a refusal where nobody knows them. */
  readonly publicKeys: () => readonly string[]
}

/** The name of the port with the keys, for `inspect`. The engine itself has them, if it has a keyring; an audit is given them. */
export const VERIFICATION_KEYS = 'countersign.verification-keys'
