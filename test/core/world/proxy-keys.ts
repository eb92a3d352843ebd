import { newProxyKeys } from '../../../adapters/proxy/keys.ts'

/** The keys of the auth proxy that organizations of tests may let in. */
export const PROXY_KEYS = newProxyKeys()
