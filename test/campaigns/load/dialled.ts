import { connect, type Socket } from 'node:net'

/** A connection to a server, whose errors nobody needs to hear of: `close` follows. */
export const dialled = (url: string): Socket => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('error', () => undefined)
  return socket
}
