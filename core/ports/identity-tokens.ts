import type { Failure } from '../failure.ts'
import type { SigningKey } from '../identity/signing-key.ts'
import type { TE } from '../prelude.ts'

/**
 * Finds the keys of those who issue identity tokens. Operations name it as the port `identityTokens`.
 *
 * `keyOf` gives the key that has signed the token, out of what its issuer publishes: the discovery document whose `issuer` is that of the token, to the
 * byte. It fails with `INVALID_OIDC_TOKEN` where no such key has signed it or the issuer is none that is asked, and with `UNAVAILABLE` where the
 * provider does not answer, or `RATE_LIMIT_EXCEEDED` where too many are asked at once. It judges nothing else: neither times, nor nonce, nor whose
 * the identity is.
 */
export interface IdentityTokens {
  readonly keyOf: (token: string, signal?: AbortSignal) => TE.TaskEither<Failure, SigningKey>
}
