import { once } from 'node:events'
import { Socket, type AddressInfo, type Server } from 'node:net'

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
  const connect = Socket.prototype.connect as Connect<To>
  const opened: Connect<readonly [To]> = function (this: Socket, [{ host, port }]) {
    const place = `${host} ${port}`
    sockets.push(this)
    tried.push(place)
    const way = ways.get(place)
    if (way === 'nowhere') return this
    if (way === undefined && !isOfThisMachine(host)) return this.destroy(new Error('nobody is there'))
    if (way === undefined) return connect.call(this, { host, port })
    Object.defineProperty(this, 'remoteAddress', { value: way.as ?? host })
    return connect.call(this, { host: '127.0.0.1', port: way.port })
  }
  Object.defineProperty(Socket.prototype, 'connect', { value: opened })
  try {
    await play({ tried, sockets, lead: (place, way) => void ways.set(place, way) })
  } finally {
    Object.defineProperty(Socket.prototype, 'connect', { value: connect })
  }
}

type To = { readonly host: string; readonly port: number }
/** As Node calls it: with the options of `net.connect` in a list. */
type Connect<Given> = (this: Socket, given: Given) => Socket

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
