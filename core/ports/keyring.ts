import type { Failure } from '../failure.ts'
import type { KeyCurve } from '../keys/curve.ts'
import type { SignatureParts, SigningScheme } from '../keys/signing.ts'
import type { TE } from '../prelude.ts'

/** Names a secret of an organization: the seed of a wallet, or a private key. */
export type KeyPlace = { readonly organizationId: string; readonly keyId: string }

/** Names a key: that of a wallet at a path such as `m/44'/60'/0'/0/0`; without a path, a private key itself. */
export type KeyPath = { readonly curve: KeyCurve; readonly path?: string | undefined }

/**
 * Makes, uses and destroys secret keys. They never leave it. Operations name it as the port `keyring`. All methods fail with `KEY_MISSING` where
 * the id has no secret, or none any more, and with `UNAVAILABLE` where store or keystore do not answer.
 */
export interface Keyring {
  /** Makes the seed of a wallet under the id, of a mnemonic of so many words, unless it has one: two who make it at once get the same. */
  readonly makeSeed: (place: KeyPlace, words: number) => TE.TaskEither<Failure, void>
  /** As `makeSeed`, for a private key. */
  readonly makeKey: (place: KeyPlace, curve: KeyCurve) => TE.TaskEither<Failure, void>
  /** Public keys, in order: compressed hex (33 bytes); for ed25519, 32 bytes. */
  readonly publicKeys: (place: KeyPlace, of: readonly KeyPath[]) => TE.TaskEither<Failure, readonly string[]>
  /**
   * Signs each message with one key. A message is hex: 32 bytes that were hashed before; for ed25519, the message itself.
   */
  readonly sign: (
    place: KeyPlace,
    path: KeyPath,
    scheme: SigningScheme,
    messages: readonly string[],
  ) => TE.TaskEither<Failure, readonly SignatureParts[]>
}
