import type { Socket } from 'node:net'

/** After so many bytes of one connection, others have their turn. */
const TURN = 16 * 1024

/** What ends the headers of a request. */
const HEADERS_END = Buffer.from('\r\n\r\n')

/** Shorter pieces would cost more than the requests that several short ones make. */
const PIECE_MIN = 64

/**
 * Hands over what a connection sends in pieces that end with the headers of a request, where there are several requests, and
 * each piece only while `mayRead`. What is not handed over stays where it is: 64 KiB at most, for nothing more is read meanwhile.
 *
 * Node's parser would make requests of all that it gets at once. 64 KiB can hold 3,600 of them, which take 30 ms and 13 MB;
 * and that many bytes can arrive on all connections in the same moment.
 *
 * @returns to be called when `mayRead` has become true
 */
export const pacedReading = (socket: Socket, mayRead: () => boolean): (() => void) => {
  const push = socket.push.bind(socket)
  const read = socket._read.bind(socket)
  let rest: Buffer = EMPTY
  let hasEnded = false
  let isHandingOver = false
  let sinceBreak = 0

  const mayHandOver = (): boolean => sinceBreak < TURN && socket.readableLength === 0 && !socket.destroyed && mayRead()

  const handOver = (piece: Buffer): boolean => {
    sinceBreak += piece.length
    if (sinceBreak >= TURN) setImmediate(endBreak)
    return push(piece)
  }

  const goOn = (): void => {
    if (isHandingOver) return // by the piece that is just being read
    isHandingOver = true
    while (rest.length > 0 && mayHandOver()) {
      const piece = rest.subarray(0, endOfPiece(rest))
      rest = rest.subarray(piece.length)
      handOver(piece)
      if (rest.length === 0 && hasEnded) push(null)
    }
    isHandingOver = false
  }

  const endBreak = (): void => {
    sinceBreak = 0
    goOn()
  }

  socket.push = (bytes: Buffer | null): boolean => {
    if (bytes === null) {
      hasEnded = true
      return rest.length === 0 && push(null)
    }
    if (rest.length === 0 && endOfPiece(bytes) === bytes.length && mayHandOver()) return handOver(bytes)
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    goOn()
    return rest.length === 0
  }
  socket._read = (size) => {
    if (rest.length === 0) read(size)
  }
  // Node's parser takes bytes from the connection itself, unless somebody listens to them. It has read each before this.
  socket.on('data', goOn)
  return goOn
}

const endOfPiece = (bytes: Buffer): number => {
  const first = bytes.indexOf(HEADERS_END, PIECE_MIN - HEADERS_END.length)
  const isOne = first < 0 || bytes.indexOf(HEADERS_END, first + HEADERS_END.length) < 0
  return Math.min(isOne ? bytes.length : first + HEADERS_END.length, TURN)
}

const EMPTY = Buffer.alloc(0)
