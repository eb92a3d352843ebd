import type { Socket } from 'node:net'

/** Bounds how many bytes of all connections are read in one turn of the event loop: a turn takes some milliseconds at most. */
export type Pace = {
  /** Whether a piece of this many bytes may be read in this turn. */
  readonly take: (bytes: number) => boolean
  /** Calls back in the next turn, or in a later one when there is room. Connections that wait are called in their order. */
  readonly wait: (callBack: () => void) => void
}

/** The most bytes of one turn. Turns are short because the server accepts one new connection in each, and a thousand may wait. */
const BYTES_MAX = 16 * 1024
/** The least that a piece counts, because also a short request takes time: at most 16 requests are read in a turn. */
const COST_MIN = 1024

export const pace = (): Pace => {
  const waiting = new Set<() => void>()
  let left = BYTES_MAX
  let isTurning = false

  const turn = (): void => {
    isTurning = false
    left = BYTES_MAX
    for (const callBack of waiting) {
      if (left <= 0) break
      waiting.delete(callBack)
      callBack()
    }
    if (waiting.size > 0) beginTurn()
  }

  const beginTurn = (): void => {
    if (isTurning) return
    isTurning = true
    setImmediate(turn)
  }

  return {
    take: (bytes) => {
      if (left <= 0) return false
      left -= Math.max(bytes, COST_MIN)
      if (left <= 0) beginTurn()
      return true
    },
    wait: (callBack) => {
      waiting.add(callBack)
      beginTurn()
    },
  }
}

const PIECE_MAX = 16 * 1024
/** The least bytes of a piece, because each piece costs time. 64 bytes contain at most three requests. */
const PIECE_MIN = 64

/** The headers of a request end with an empty line. */
const HEADERS_END = Buffer.from('\r\n\r\n')

/**
 * Gives the parser the bytes of a connection in pieces. If there are several requests, a piece ends with the headers of a request. It gives
 * a piece only while `mayRead` is true. The rest waits: at most 64 KiB, because nothing more is read meanwhile.
 *
 * Node's parser would parse all bytes that it gets at once. 64 KiB can contain 3,600 requests, which take 30 ms and 13 MB; and so many
 * bytes can arrive on all connections in the same moment.
 *
 * @returns a function to be called when `mayRead` has become true
 */
export const pacedReading = (socket: Socket, { take, wait }: Pace, mayRead: () => boolean): (() => void) => {
  const push = socket.push.bind(socket)
  const read = socket._read.bind(socket)
  let rest: Buffer = EMPTY
  let hasEnded = false

  // An earlier piece may still wait in the socket.
  const mayHandOver = (): boolean => socket.readableLength === 0 && !socket.destroyed && mayRead()

  const goOn = (): void => {
    if (rest.length === 0 || !mayHandOver()) return
    const piece = rest.subarray(0, endOfPiece(rest))
    if (!take(piece.length)) return wait(goOn)
    rest = rest.subarray(piece.length)
    push(piece)
    if (rest.length > 0) wait(goOn)
    else if (hasEnded) push(null)
  }

  socket.push = (bytes: Buffer | null): boolean => {
    if (bytes === null) {
      hasEnded = true
      return rest.length === 0 && push(null)
    }
    if (rest.length === 0 && endOfPiece(bytes) === bytes.length && mayHandOver() && take(bytes.length))
      return push(bytes)
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    goOn()
    return rest.length === 0
  }
  socket._read = (size) => {
    if (rest.length === 0) read(size)
  }
  // Node's parser reads from the operating system and calls no `push`, unless somebody listens to `data`. This listener comes
  // after the one of the parser.
  socket.on('data', () => {
    if (rest.length > 0) wait(goOn)
  })
  return goOn
}

const endOfPiece = (bytes: Buffer): number => {
  const first = bytes.indexOf(HEADERS_END, PIECE_MIN - HEADERS_END.length)
  const isOne = first < 0 || bytes.indexOf(HEADERS_END, first + HEADERS_END.length) < 0
  return Math.min(isOne ? bytes.length : first + HEADERS_END.length, PIECE_MAX)
}

const EMPTY = Buffer.alloc(0)
