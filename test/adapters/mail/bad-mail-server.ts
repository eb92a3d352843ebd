import { createServer, type AddressInfo, type Socket } from 'node:net'

export type Fault = 'says nothing' | 'goes away when a mail begins' | 'goes away when it has a mail'

/** A mail server that takes connections, and no mail. */
export const badMailServer = async (fault: Fault) => {
  const sockets: Socket[] = []
  /** Mails that it got whole, before it went away. */
  const had: string[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    if (fault === 'says nothing') return
    let mail: string | undefined
    socket.write('220 here\r\n')
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      if (mail === undefined) {
        mail = text.startsWith('DATA') ? '' : undefined
        socket.write(mail === undefined ? '250 done\r\n' : '354 go on\r\n')
        return
      }
      mail += text
      const isWhole = mail.endsWith('\r\n.\r\n')
      if (isWhole) had.push(mail)
      if (isWhole || fault === 'goes away when a mail begins') socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    sockets,
    had,
    url: `smtp://127.0.0.1:${port}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
