import { client, type Client } from '../../core/door/client.ts'
import type { Stamper } from '../../core/door/transport.ts'
import { toServer, type HttpTransportOptions } from './http-transport.ts'

/** The options of a client of a server; `Key` is a key, or something that signs the bytes of a body. */
export type ConnectOptions<Key = Stamper> = HttpTransportOptions & {
  readonly organizationId: string
  readonly key: Key
}

/** Makes the client of one user of a server. It connects when it sends its first request. */
export const connectBy =
  <Key>(stamperOf: (key: Key) => Stamper) =>
  ({ organizationId, key, ...way }: ConnectOptions<Key>): Client =>
    client(toServer(way), { organizationId, stamper: stamperOf(key) })
