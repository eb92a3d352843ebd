import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A short message as a service got it. */
export type Heard = {
  readonly path: string
  readonly authorization: string
  readonly form: { readonly [name: string]: string }
}

/** A service for short messages that keeps what it gets. */
export const smsService = async (answer: (response: ServerResponse) => void) => {
  const heard: Heard[] = []
  const server = createServer((request: IncomingMessage, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(body))
      heard.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '', form })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    heard,
    url: `http://AC123:the%20token@127.0.0.1:${port}/?From=%2B15005550006`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
