import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

type Place = { readonly host: string; readonly port: number }

/** Stands between a client and a server, counts what the server sends, and can keep everything back. */
export type Proxy = {
  readonly port: number
  /** How many bytes the server has sent. */
  readonly received: () => number
  /** From now on nothing is passed on, in either direction, and no connection ends. New connections hang, too. */
  readonly hang: () => void
  readonly goOn: () => void
  /** Ends all connections; new ones are to that server. */
  readonly turnTo: (other: Place) => void
  readonly close: () => Promise<void>
}

/** @param first  the server; if none is given, each connection ends at once until `turnTo` names one */
export const startProxy = async (first?: Place): Promise<Proxy> => {
  let to = first
  let received = 0
  let hangs = false
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((near) => {
    if (to === undefined) {
      near.destroy()
      return
    }
    const far = connect(to.port, to.host)
    const pair = [near, far] as const
    pairs.add(pair)
    far.on('data', ({ length }) => (received += length))
    for (const [one, other] of [pair, [far, near]] as const) {
      one.on('error', () => one.destroy())
      one.on('close', () => {
        other.destroy()
        pairs.delete(pair)
      })
      one.pipe(other)
    }
    if (hangs) stop(pair)
  })
  const stop = ([near, far]: readonly [Socket, Socket]): void => {
    near.unpipe(far)
    far.unpipe(near)
    near.pause()
    far.pause()
  }
  const cut = (): void => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    port,
    received: () => received,
    hang: () => {
      hangs = true
      for (const pair of pairs) stop(pair)
    },
    goOn: () => {
      hangs = false
      for (const [near, far] of pairs) {
        near.pipe(far)
        far.pipe(near)
      }
    },
    turnTo: (other) => {
      to = other
      cut()
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
