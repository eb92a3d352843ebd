import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A port of its own that is in the place of a server: closed, it ends each connection at once; open, it passes them on. */
export type Gate = { readonly port: number; readonly open: () => void; readonly end: () => void }

export const gateTo = async (host: string, port: number): Promise<Gate> => {
  let isOpen = false
  const sockets = new Set<Socket>()
  const gate = createServer((socket) => {
    if (!isOpen) {
      socket.destroy()
      return
    }
    const server = connect(port, host)
    for (const end of [socket, server]) {
      sockets.add(end)
      end.on('error', () => undefined)
      end.on('close', () => [socket, server].forEach((one) => one.destroy()))
    }
    socket.pipe(server).pipe(socket)
  })
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  return {
    port: (gate.address() as AddressInfo).port, // it listens, and not on a pipe
    open: () => void (isOpen = true),
    end: () => {
      gate.close()
      sockets.forEach((one) => one.destroy())
    },
  }
}
