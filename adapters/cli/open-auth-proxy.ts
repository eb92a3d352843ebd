import type { Services } from '../../core/definition/port.ts'
import { readProxyPublicKeys } from './proxy-keys.ts'

/** Which auth proxy organizations may let in, by the flags. */
export type AuthProxyFlags = {
  /** The file with its public keys. Without it, there is none. */
  readonly authProxy?: string
}

/** The service of the port `authProxy`. */
export const openAuthProxy = async ({ authProxy }: AuthProxyFlags): Promise<Services> =>
  authProxy === undefined ? {} : { authProxy: await readProxyPublicKeys(authProxy) }
