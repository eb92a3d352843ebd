import type * as t from 'io-ts'
import type { Failure } from '../failure.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { E } from '../prelude.ts'
import type { StampHeader } from '../request.ts'
import type { AuthenticationType } from './mfa-policies.ts'
import type { Organization } from './state.ts'

/** What verifies stamps of all kinds. */
export type StampVerifier = Pick<Signatures, 'verify' | 'verifyRsa' | 'sha256' | 'sha256Hex'>

/**
 * All that tells one kind of stamp from the others. `S` is a stamp that was parsed, and `K` is what verifying it needs of its credential.
 */
export type StampKind<S extends OfKind, K extends OfKind & { readonly publicKey: string }> = {
  readonly kind: S['kind']
  /** The header of its stamps. The header alone selects the kind of a stamp. */
  readonly header: StampHeader
  /** Reads the text of the header; else `UNAUTHENTICATED`. */
  readonly parse: (text: string) => E.Either<Failure, S>
  /** Whether the credential signed the body. */
  readonly verify: (signatures: StampVerifier) => (stamp: S, body: Uint8Array, credential: K) => Promise<boolean>
  /** Whether the organization accepts such a stamp. It may change, so each decision asks again. */
  readonly accepts: (organization: Organization, stamp: S) => boolean
  /** What the stamp says of its credential by itself; `undefined` if only the state knows its key. */
  readonly keyIn: (stamp: S) => K | undefined
  /** The signature as votes show it. */
  readonly signatureOf: (stamp: S, text: string) => string
  /** The words of refusals; behind them stands the name of the credential. */
  readonly refusals: {
    readonly unknown: Failure
    /** In an organization below another one, where both were asked. */
    readonly unknownBelow: Failure
    /** Where several organizations below another one have it. */
    readonly several: Failure
    readonly invalid: Failure
    readonly nameIs: string
  }
}

/**
 * All that tells one kind of registered credential from the others, but for the operations and views of its resource. A new kind is a file
 * with one of these, and a line in the list of `credential.ts`. `C` is a registered credential.
 */
export type CredentialKind<
  C extends K,
  S extends OfKind,
  K extends OfKind & { readonly publicKey: string },
> = StampKind<S, K> & {
  readonly kind: C['kind']
  /** The name by which a stamp refers to its credential. */
  readonly nameOf: (named: C | S) => string
  /** The method that a credential is, with the id by which a step names it; `undefined` for one that meets no step. */
  readonly methodOf: (credential: C) => { readonly type: AuthenticationType; readonly id: string } | undefined
  /** Writes a credential into a snapshot. A credential with a member `expirationSeconds` expires. */
  readonly codec: t.Type<C, unknown, unknown>
  /** What policies read of a credential besides its ids and its public key. */
  readonly facts: (credential: C) => { readonly type: string; readonly credential_id: string }
}

type OfKind = { readonly kind: string }
