import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

/**
 * Where a connection leads that is opened to an address outside: to a port of this machine, on which the socket says that it is connected `as` an
 * address (that which it was opened to, if none is given); or nowhere, so that it is never connected.
 */
export type Way = { readonly port: number; readonly as?: string } | 'nowhere'

export type Internet = {
  /** Each connection that was tried, as `address port`. */
  readonly tried: readonly string[]
  readonly sockets: readonly Socket[]
  readonly lead: (place: string, way: Way) => void
}

/** Sees each connection that this process opens while `play` runs. They are real inside of this machine, and none leaves it. */
export const internet = async (play: (internet: Internet) => Promise<void>): Promise<void> => {
  const tried: string[] = []
  const sockets: Socket[] = []
  const ways = new Map<string, Way>()
  const onSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket } // as Node says
    const connect = socket.connect.bind(socket)
    sockets.push(socket)
    const opened = (given: readonly [{ readonly host: string; readonly port: number }]): Socket => {
      const [{ host, port }] = given
      const place = `${host} ${port}`
      tried.push(place)
      const way = ways.get(place)
      if (way === 'nowhere') return socket
      if (way === undefined && !isOfThisMachine(host)) return socket.destroy(new Error('nobody is there'))
      if (way === undefined) return connect({ host, port })
      Object.defineProperty(socket, 'remoteAddress', { value: way.as ?? host })
      return connect({ host: '127.0.0.1', port: way.port })
    }
    Object.defineProperty(socket, 'connect', { value: opened })
  }
  subscribe('net.client.socket', onSocket)
  try {
    await play({ tried, sockets, lead: (place, way) => void ways.set(place, way) })
  } finally {
    unsubscribe('net.client.socket', onSocket)
  }
}

const isOfThisMachine = (host: string): boolean => host.startsWith('127.') || host === '::1'

export type FarSide = {
  readonly port: number
  /** The connections that came, of which some may have ended. */
  readonly connections: readonly Socket[]
}

/** Runs the server on a free port of this machine while `play` runs. */
export const listening = async (server: Server, play: (farSide: FarSide) => Promise<void>): Promise<void> => {
  const connections: Socket[] = []
  server.on('connection', (socket) => {
    connections.push(socket)
    socket.on('error', () => {}) // the near side ends connections as it likes
  })
  server.on('tlsClientError', () => {}) // so it refuses certificates
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await play({ port: (server.address() as AddressInfo).port, connections }) // it listens on a port
  } finally {
    for (const socket of connections) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}
