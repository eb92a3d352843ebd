import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import { isConnectionLost, isNotLeader } from './worker-refusal.ts'
import type { Target } from './url.ts'

/** How long a host may take to tell of its cluster, in seconds. */
const GOSSIP_S = 1

/**
 * The client of one connection. The library makes a new connection in the place of one that fails. But then answers of the old one may
 * still come, and an error of the old one rejects appends that were sent over the new one, because both keep what they wait for in one
 * table. So here a connection is made anew only while the leader is being looked for, before there is anything to wait for. Later, its
 * end is told, and this client is used no more.
 */
export class LeaderClient extends EventStoreDBClient {
  #onLost: (() => void) | undefined
  #redirect: Promise<void> | undefined

  constructor({ hosts, discovers, tls, credentials, options }: Target) {
    const [first = { address: '', port: 0 }] = hosts // a target has a host at least
    // Who looks for the leader again, and how often, is decided outside.
    const once = { maxDiscoverAttempts: 1, discoveryInterval: 0 }
    const common = { gossipTimeout: GOSSIP_S, ...options, ...once, nodePreference: 'leader' as const }
    const certificates =
      tls === undefined
        ? { insecure: true }
        : {
            ...(tls.ca === undefined ? {} : { rootCertificate: Buffer.from(tls.ca) }),
            ...(tls.cert === undefined ? {} : { userCertFile: Buffer.from(tls.cert) }),
            ...(tls.key === undefined ? {} : { userKeyFile: Buffer.from(tls.key) }),
          }
    if (discovers) super({ ...common, discover: first }, certificates, credentials)
    else if (hosts.length > 1) super({ ...common, endpoints: [...hosts] }, certificates, credentials)
    else super({ ...common, endpoint: first }, certificates, credentials)
    const reconnect = this.handleError
    this.handleError = async (client, error) => {
      if (this.#onLost === undefined) {
        if (isNotLeader(error)) await (this.#redirect = reconnect(client, error).catch(() => undefined))
      } else if (isConnectionLost(error)) this.#onLost()
    }
  }

  /** Whether the server has named another one as the leader since this was asked last; then the next call goes there. */
  async wasRedirected(): Promise<boolean> {
    await nextTurn() // the stream tells its end a little later than its error
    const redirect = this.#redirect
    this.#redirect = undefined
    await redirect
    return redirect !== undefined
  }

  /** From now on, the end of the connection is told. */
  watch(onLost: () => void): void {
    this.#onLost = onLost
  }

  /** The version of the server; `undefined` if it is so old that it does not tell. */
  async version(): Promise<string | undefined> {
    const { serverVersion } = await this.capabilities
    return serverVersion === 'unknown' ? undefined : serverVersion
  }

  async end(): Promise<void> {
    this.#onLost = undefined
    await this.dispose()
  }
}
