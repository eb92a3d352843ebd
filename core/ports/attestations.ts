import type { Failure } from '../failure.ts'
import type { E } from '../prelude.ts'

/** What a request says of a new passkey. */
export type Registration = {
  /** The challenge that the caller says it gave to the authenticator: base64url or base64, at most 256 characters. */
  readonly challenge: string
  /** Base64url or base64, like the two texts that follow; at most 256 characters. */
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
  /** How the authenticator can be reached, such as `AUTHENTICATOR_TRANSPORT_USB`. */
  readonly transports: readonly string[]
}

/** The forms of statements that are known. `none` says nothing. */
export type AttestationFormat = 'none' | 'packed' | 'tpm' | 'android-key' | 'android-safetynet' | 'apple' | 'fido-u2f'

/** What a registration says, after it was checked. */
export type Attested = {
  /** The one spelling: base64url without padding. */
  readonly credentialId: string
  /** The COSE key, byte for byte as the authenticator wrote it. `decodeCoseKey` reads it. */
  readonly publicKey: Uint8Array
  readonly algorithm: 'ES256' | 'RS256'
  /** The model of the authenticator, 16 bytes. It is what the authenticator says: no list of models is asked. */
  readonly aaguid: Uint8Array
  readonly format: AttestationFormat
  /** As the request names them. */
  readonly transports: readonly string[]
  /** SHA-256 of the id of the relying party, 32 bytes. */
  readonly rpIdHash: Uint8Array
  /** The origin of the client data, such as `https://app.example.com`. Whether it is allowed is not judged here. */
  readonly origin: string
  /** Whether the page stood in a frame of another origin, and the origin of the outermost page, where the browser tells it. */
  readonly crossOrigin: boolean
  readonly topOrigin: string | undefined
}

/**
 * Checks the registrations of passkeys. The answer depends on the registration alone: not on the time, the network, settings of the
 * process, or lists of certificates. So an auditor gets the same answer years later.
 *
 * A statement is checked to be whole: its signature, and that it is about this very passkey. Whether its certificate was made by a
 * maker of authenticators is not judged.
 */
export interface Attestations {
  /**
   * Checks: client data of type `webauthn.create` over the challenge; the credential's id is the attested one; a user was present; ES256 or
   * RS256 of 2,048 to 4,096 bits; the id of the relying party is the origin's host, or a suffix of it at a dot; the statement of its format.
   *
   * @returns what to keep; `REQUEST_INVALID`, whose message names what is wrong; `INTERNAL` if a part of the installation is missing. The
   *   promise never rejects.
   * @see https://www.w3.org/TR/webauthn-3/#sctn-registering-a-new-credential
   */
  readonly verify: (registration: Registration) => Promise<E.Either<Failure, Attested>>
}
