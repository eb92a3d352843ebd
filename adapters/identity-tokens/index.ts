/**
 * Identity tokens of OpenID providers: the service of the port `identityTokens`.
 *
 * @module
 */
export type { IdentityTokens } from '../../core/ports/identity-tokens.ts'
export { isIssuer } from './published-keys.ts'
export { identityTokens, type IdentityTokensOptions } from './identity-tokens.ts'
