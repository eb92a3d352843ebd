import type { Failure } from '../failure.ts'
import type { TE } from '../prelude.ts'

/** What a client of OAuth 2.0 got back from a provider for somebody who signed in there, and by what it proves to be that client. */
export type Oauth2Code = {
  /** Who asks: how much one organization asks at once is bounded. */
  readonly organizationId: string
  /** As credentials name it, such as `OAUTH2_PROVIDER_X`. */
  readonly provider: string
  readonly clientId: string
  readonly clientSecret: string
  readonly code: string
  /** The code was asked for with the SHA-256 of this text (RFC 7636). */
  readonly codeVerifier: string
  readonly redirectUri: string
}

/** Who signed in, by the id that the provider has for them, and by what it can be asked about them. */
export type Oauth2Account = { readonly id: string; readonly accessToken: string }

/**
 * Asks providers of OAuth 2.0 who somebody is. Operations name it as the port `oauth2`.
 *
 * `accountOf` exchanges the code, which works once, and asks whose access token it got. It keeps nothing. It fails with `OAUTH2_PROVIDER_NOT_FOUND` for
 * a provider that is not asked, with `REQUEST_INVALID` where the provider refuses, with `RATE_LIMIT_EXCEEDED` where the organization asks too much at
 * once, and with `UNAVAILABLE` where the provider does not answer: then the code may have been used. No failure repeats anything that was sent or
 * answered.
 */
export interface Oauth2 {
  readonly accountOf: (code: Oauth2Code, signal?: AbortSignal) => TE.TaskEither<Failure, Oauth2Account>
}
