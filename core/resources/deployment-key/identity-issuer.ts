import * as t from '../../codec/t.ts'
import type { Services } from '../../definition/port.ts'
import { valueOf } from '../../definition/refuse.ts'
import type { Failure } from '../../failure.ts'
import { invalidToken, readIdentityToken } from '../../identity/identity-token.ts'
import { isSignedByKey } from '../../identity/signed-by-key.ts'
import { p256KeyOf, type SigningKey } from '../../identity/signing-key.ts'
import type { IdentityTokens } from '../../ports/identity-tokens.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { E, TE, pipe } from '../../prelude.ts'
import { idOf, publicHalf } from './deployment-keys.ts'
import { signedToken, type TokenKind } from './token.ts'

/*
 * Identity tokens that the deployment itself issues, for those whose provider has none. Its key `oidc` signs them. Whoever wants to verify one finds the
 * key in the documents of the server, as with any provider; we need no request for that.
 */

/** What the engine itself knows of its tokens. */
export type IdentityIssuer = {
  /** The `iss` of the tokens; `undefined` where the engine does not know its public URL, and issues none. */
  readonly publicUrl: string | undefined
}

/** The name of the port with it. */
export const IDENTITY_ISSUER = 'countersign.identity-issuer'

/** How long a token holds. */
const SECONDS = 600

const Claims = t.fields(
  { iss: t.string, aud: t.string, sub: t.string, nonce: t.string, iat: t.number, exp: t.number },
  { encrypted_bearer_token: t.string },
)
export type OwnClaims = Omit<t.TypeOf<typeof Claims>, 'iat' | 'exp'>

const kindOf = (publicKey: string): TokenKind<t.TypeOf<typeof Claims>> => ({
  purpose: 'oidc',
  header: JSON.stringify({ alg: 'ES256', kid: idOf(publicKey), typ: 'JWT' }),
  claims: Claims,
  signedBytes: (bytes) => bytes,
})

/** A token of the deployment, from now on. */
export const ownIdentityToken = async (keyring: Keyring, claims: OwnClaims, atMs: number): Promise<string> => {
  const kind = kindOf(valueOf(await publicHalf(keyring, 'oidc')()))
  const iat = Math.floor(atMs / 1000)
  return signedToken(kind, keyring, { ...claims, iat, exp: iat + SECONDS })
}

/** Finds the keys of tokens: of our own without a request, and of all others as `given` does. */
export const withOwnTokens = (
  publicUrl: string,
  keyring: Keyring,
  given: IdentityTokens | undefined,
): IdentityTokens => ({
  keyOf: (token, signal) => {
    const issuer = readIdentityToken(token)?.issuer
    if (issuer === undefined) return TE.left(invalidToken)
    if (issuer !== publicUrl) return given?.keyOf(token, signal) ?? TE.left(invalidToken)
    return pipe(
      publicHalf(keyring, 'oidc'),
      TE.flatMap((publicKey) => () => signedBy(token, publicKey)),
    )
  },
})

const signedBy = async (token: string, publicKey: string): Promise<E.Either<Failure, SigningKey>> => {
  const key = p256KeyOf(publicKey)
  return (await isSignedByKey(token, key)) ? E.right(key) : E.left(invalidToken)
}

/** The engine's own services around identity tokens, by the names of their ports. */
export const identityServices = (
  publicUrl: string | undefined,
  keyring: Keyring | undefined,
  given: Services = {},
): Services => {
  const issuer: IdentityIssuer = { publicUrl }
  const others = given['identityTokens'] as IdentityTokens | undefined // operations name it so
  return {
    [IDENTITY_ISSUER]: issuer,
    ...(publicUrl !== undefined && keyring && { identityTokens: withOwnTokens(publicUrl, keyring, others) }),
  }
}
