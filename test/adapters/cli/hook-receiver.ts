import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { done } from './leaver.ts'
import type { RootClient } from './root-client.ts'

/** What the body of a delivery says. */
type Told = { readonly id: string; readonly type: string; readonly status: string }

/** A delivery as it came. */
export type Delivery = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly told: Told
}

/** The status of the answer; `undefined` where there is none, ever. */
type Answer = (delivery: Delivery) => number | undefined

/** What listens on this machine in place of another system. Unless it is told otherwise, it takes all. */
export const hookReceiver = async (answer: Answer = () => 204) => {
  const heard: Delivery[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const body = Buffer.concat(chunks).toString()
      const delivery = { path, headers, body, told: JSON.parse(body) as Told } // a delivery has such a body
      heard.push(delivery)
      const status = answer(delivery)
      if (status !== undefined) response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    heard: heard as readonly Delivery[],
    /** A URL that it listens to. */
    url: `http://localhost:${port}/hook`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Makes an endpoint that is told of activities at the URL. Gives its id. */
export const hookOf = async (client: RootClient, url: string): Promise<string> => {
  const subscriptions = [{ eventType: 'ACTIVITY_UPDATES' }]
  const { activity } = done(await client.submit('create_webhook_endpoint', { url, name: 'hook', subscriptions }))
  const { result } = activity as { result: { createWebhookEndpointResult: { endpointId: string } } } // of this operation
  return result.createWebhookEndpointResult.endpointId
}

export type HookReceiver = Awaited<ReturnType<typeof hookReceiver>>
