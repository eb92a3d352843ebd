import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What endpoints have heard: by the path of each, the body of each event, and how often it came. */
export type Heard = ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly bodies: ReadonlySet<string>; readonly times: number }>
>

/** Takes all that it is told. `onHeard` is called for each delivery, with their number. */
export const receiver = async (onHeard: (deliveries: number) => void) => {
  const heard = new Map<string, Map<string, { readonly bodies: Set<string>; times: number }>>()
  let deliveries = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url = '', headers } = request
      const events = heard.get(url) ?? new Map<string, { readonly bodies: Set<string>; times: number }>()
      heard.set(url, events)
      const id = String(headers['x-turnkey-event-id'])
      const event = events.get(id) ?? { bodies: new Set(), times: 0 }
      event.bodies.add(Buffer.concat(chunks).toString())
      event.times += 1
      events.set(id, event)
      response.writeHead(204).end()
      deliveries += 1
      onHeard(deliveries)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    heard: heard as Heard,
    urlOf: (path: string) => `http://localhost:${port}${path}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
