/**
 * Asks X and Discord who has signed in there: the port `oauth2`.
 *
 * @module
 */
export type { Oauth2, Oauth2Account, Oauth2Code } from '../../core/ports/oauth2.ts'
export { oauth2Providers, type Oauth2ProvidersOptions } from './oauth2-providers.ts'
