import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { NodeExchange } from './node-exchange.ts'
import { pace, pacedReading } from './paced-reading.ts'

/** The open connections of a server. */
export type Connections = {
  /** Takes a new connection in, or closes it. */
  readonly admit: (socket: Socket) => void
  /** Begins to answer a request, as soon as all requests before it on its connection are answered. */
  readonly begin: (exchange: NodeExchange) => void
  /**
   * Begins nothing more of what a connection has sent, which is about to be told of a refusal.
   *
   * @returns whether there is such a connection, and this was not done before
   */
  readonly refuse: (socket: Duplex) => boolean
  /** The last request that a connection has sent, unless it is complete and answered. All requests before it are complete. */
  readonly newest: (socket: Duplex) => NodeExchange | undefined
  readonly sockets: () => Iterable<Socket>
}

type Connection = {
  readonly socket: Socket
  /** The requests that are not answered yet. The first is being answered, and the second waits. */
  readonly exchanges: NodeExchange[]
  /** Call it when the second request does not wait any more: the connection is read again. */
  readonly readOn: () => void
  /** Call it when the whole answer to the first request was sent. */
  readonly onAnswered: () => void
  newest: NodeExchange | undefined
  /** When the server began to wait for the caller: a smaller number is earlier. */
  turn: number
  /** Whether it was accepted so recently that the server cannot have read from it yet. */
  isNew: boolean
  isRefused: boolean
}

/**
 * Bounds the number of connections, and answers one request at a time on each: the next one begins when the whole answer to the one before
 * was sent.
 *
 * When there are too many, the connection that has waited the longest for its caller makes room. So a caller who opens
 * all connections and sends nothing, or slowly, or does not read the answers, keeps nobody out.
 */
export const connections = (connectionsMax: number, answer: (exchange: NodeExchange) => void): Connections => {
  const open = new Map<Duplex, Connection>()
  const reading = pace()
  let turns = 0

  const makeRoom = (): boolean => {
    let longest: Connection | undefined
    for (const connection of open.values()) {
      if (!connection.isNew && mayClose(connection) && (longest === undefined || isBefore(connection, longest)))
        longest = connection
    }
    if (longest === undefined) return false
    open.delete(longest.socket)
    longest.socket.destroy()
    return true
  }

  const goOn = (connection: Connection): void => {
    const { socket, exchanges } = connection
    if (!open.has(socket) || socket.destroyed) return
    connection.turn = turns += 1
    const answered = exchanges.shift()
    // Idle connections would keep their last requests in memory. That makes collecting garbage several times as slow.
    if (connection.newest === answered && answered?.request.complete === true) connection.newest = undefined
    const next = exchanges[0]
    if (next !== undefined) start(connection, next)
    connection.readOn()
  }

  const start = (connection: Connection, exchange: NodeExchange): void => {
    exchange.response.once('close', connection.onAnswered)
    answer(exchange)
  }

  return {
    admit: (socket) => {
      if (open.size >= connectionsMax && !makeRoom()) {
        socket.destroy()
        return
      }
      const exchanges: NodeExchange[] = []
      const connection: Connection = {
        socket,
        exchanges,
        readOn: pacedReading(socket, reading, () => exchanges.length < 2),
        onAnswered: () => goOn(connection),
        newest: undefined,
        turn: (turns += 1),
        isNew: true,
        isRefused: false,
      }
      open.set(socket, connection)
      // The first bytes of a connection are read in the turn of the event loop after the one in which it was accepted.
      setImmediate(() => setImmediate(() => (connection.isNew = false)))
      socket.once('close', () => open.delete(socket))
    },
    begin: (exchange) => {
      const connection = open.get(exchange.request.socket)
      // The connection is closed or refused, and its last bytes are still being read.
      if (connection === undefined || connection.isRefused) return
      connection.exchanges.push(exchange)
      connection.newest = exchange
      if (connection.exchanges.length === 1) start(connection, exchange)
    },
    refuse: (socket) => {
      const connection = open.get(socket)
      if (connection === undefined || connection.isRefused) return false
      connection.isRefused = true
      const { exchanges, newest } = connection
      if (exchanges.length > 1 && newest?.request.complete === false) exchanges.pop()
      return true
    },
    newest: (socket) => open.get(socket)?.newest,
    sockets: () => [...open.values()].map(({ socket }) => socket),
  }
}

/** A connection may be closed unless the engine works for it: its caller sends or reads, or its request waits for a place. */
const mayClose = ({ exchanges: [current] }: Connection): boolean => current?.isInEngine !== true

/** Whether `a` is closed before `b`: connections to which an answer is being sent are closed last. */
const isBefore = (a: Connection, b: Connection): boolean =>
  isBeingSent(a) === isBeingSent(b) ? a.turn < b.turn : isBeingSent(b)

const isBeingSent = ({ exchanges: [current] }: Connection): boolean => current?.isBeingSent() === true
