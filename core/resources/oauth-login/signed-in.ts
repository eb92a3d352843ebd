import { refusal, refuse } from '../../definition/refuse.ts'
import { invalidToken, isBoundTo, readIdentityToken } from '../../identity/identity-token.ts'
import { identified } from '../../organization/oauth-providers.ts'
import type { Organization } from '../../organization/state.ts'
import { tokenIn } from '../oauth-provider/token-keys.ts'

/* What all activities have in common that sign a user in by an identity token. */

/**
 * The id of the user whom the token names, if it holds now and was asked for with this key. Nobody has said yet that its provider has signed it: the
 * organization is asked first, so that no provider is asked by which nobody of the organization signs in.
 *
 * @param publicKey  the text as it was sent
 */
export const signedIn = (
  oidcToken: string,
  publicKey: string,
  context: { readonly organization: Organization; readonly atMs: number },
): string => {
  const token = tokenIn(oidcToken, context)
  if (!isBoundTo(token, publicKey)) throw refusal(invalidToken)
  const found = identified(context.organization, token)
  if (found === undefined) throw refuse('UNAUTHENTICATED', 'nobody signs in with this identity token') // for all causes
  return found.user.userId
}

/** The users whose personal data is in the request. */
export const namedBy = (oidcToken: string, organization: Organization): readonly string[] => {
  const token = readIdentityToken(oidcToken)
  const found = token && identified(organization, token)
  return found === undefined ? [] : [found.user.userId]
}
