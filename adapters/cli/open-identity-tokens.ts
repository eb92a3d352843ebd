import type { Services } from '../../core/definition/port.ts'
import { nodeContainer, tokens } from '../container.ts'
import { identityTokens, isIssuer } from '../identity-tokens/index.ts'
import { unusable } from './stop.ts'

/** Which issuers of identity tokens are asked, by the flags. */
export type IdentityTokensFlags = {
  /** The only ones; none: any. */
  readonly oidcIssuer: readonly string[]
  readonly allowPrivateNetwork: boolean
}

/** The service of the port `identityTokens`. */
export const openIdentityTokens = ({ oidcIssuer, allowPrivateNetwork }: IdentityTokensFlags): Services => {
  if (!oidcIssuer.every((issuer) => isIssuer(issuer, allowPrivateNetwork)))
    throw unusable('--oidc-issuer: expected an https URL without query and fragment, at port 443 or 8443')
  const issuers = oidcIssuer.length === 0 ? undefined : oidcIssuer
  return {
    identityTokens: identityTokens({ issuers, allowPrivateNetwork, clock: nodeContainer().resolve(tokens.clock) }),
  }
}
