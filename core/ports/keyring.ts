import type { Failure } from '../failure.ts'
import type { KeyCurve } from '../keys/curve.ts'
import type { MnemonicLanguage } from '../keys/mnemonic-parameters.ts'
import type { SignatureParts, SigningScheme } from '../keys/signing.ts'
import type { Arrival } from './imported-kind.ts'
import type { TE } from '../prelude.ts'

/** Names a secret of an organization: the seed of a wallet, or a private key. */
export type KeyPlace = { readonly organizationId: string; readonly keyId: string }

/** Names a key: that of a wallet at a path such as `m/44'/60'/0'/0/0`; without a path, a private key itself. */
export type KeyPath = { readonly curve: KeyCurve; readonly path?: string | undefined }

/** What was encrypted by HPKE, as lower-case hex: the ephemeral public key, uncompressed, and the ciphertext with its tag. */
export type Encrypted = { readonly encappedPublic: string; readonly ciphertext: string }

/** A key that was made for a client: its public half, compressed, in lower-case hex, and its 32 private bytes. */
export type IssuedTo = { readonly publicKey: string; readonly encrypted: Encrypted }

/** What comes in: a mnemonic, perhaps with a passphrase; a private key of 32 bytes; or a secret that is any bytes. */
export type Coming =
  | { readonly _tag: 'mnemonic' }
  | { readonly _tag: 'private-key'; readonly curve: KeyCurve }
  | { readonly _tag: 'secret' }

/** What a client has encrypted, and how it comes in: to which target of the organization, and by which activity. */
export type ImportedFrom = { readonly encrypted: Encrypted; readonly arrival: Arrival }

/** What goes out: the words of a wallet, a private key of 32 bytes, or a secret. */
export type Going =
  | {
      readonly _tag: 'mnemonic'
      /** That of the words; default: the one in which they came. */
      readonly language?: MnemonicLanguage | undefined
    }
  | { readonly _tag: 'private-key'; readonly key: KeyPath }
  | { readonly _tag: 'secret' }

/**
 * Makes, uses, takes in and gives out secret keys. They leave it encrypted, or not at all. Operations name it as the port `keyring`. All methods fail
 * with `KEY_MISSING` where the id has no secret, or none any more, and with `UNAVAILABLE` where store or keystore do not answer.
 */
export interface Keyring {
  /**
   * Makes a key of P-256 for a client, encrypts it to the client's key and forgets it. It can be done again, and makes another key then.
   *
   * @param to  a public key of P-256, compressed or not, in hex
   * @param boundTo  whoever opens the key has to know this text beside the public half: it is associated data, as that half is then
   */
  readonly issueKey: (to: string, boundTo?: string) => TE.TaskEither<Failure, IssuedTo>
  /**
   * Opens what was encrypted to a key of P-256 that follows from 48 bytes; `undefined` if it was not. It keeps neither of them.
   *
   * @param bytes  as `newPrivateKey` takes them
   */
  readonly open: (bytes: Uint8Array, encrypted: Encrypted) => TE.TaskEither<Failure, Uint8Array | undefined>
  /**
   * Opens an envelope of QuorumOS that was encrypted to the key of P-256 under the id; `undefined` if it is none, or was encrypted to another key.
   */
  readonly openEnvelope: (place: KeyPlace, envelope: Uint8Array) => TE.TaskEither<Failure, Uint8Array | undefined>
  /** Encrypts bytes by HPKE, and forgets them. @param to  a public key of P-256, compressed or not, in hex */
  readonly encryptTo: (to: string, bytes: Uint8Array) => TE.TaskEither<Failure, Encrypted>
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
  /** As `makeKey`, for a key of P-256 to which a client encrypts what it imports. */
  readonly makeTarget: (place: KeyPlace) => TE.TaskEither<Failure, void>
  /** Deletes such a key, if it is there; never another row. */
  readonly deleteTarget: (place: KeyPlace) => TE.TaskEither<Failure, void>
  /**
   * Opens what a client has encrypted to a target, and keeps it under the id; if the id has a secret already, it opens nothing. Either way, the
   * target by which the secret came is deleted. What does not open leaves it.
   *
   * @param refusal  says why a secret with this public key is not kept; of a mnemonic, the public key is that of secp256k1 at `m`. It is not
   *   asked about a `secret`
   * @returns `REQUEST_INVALID` if the target is gone, if what was encrypted does not open, or if it is something else
   */
  readonly importSecret: (
    place: KeyPlace,
    coming: Coming,
    from: ImportedFrom,
    refusal: (publicKey: string) => Failure | undefined,
  ) => TE.TaskEither<Failure, void>
  /** Encrypts what goes out. @param to  a public key of P-256, compressed or not, in hex */
  readonly exportSecret: (place: KeyPlace, going: Going, to: string) => TE.TaskEither<Failure, Encrypted>
}
