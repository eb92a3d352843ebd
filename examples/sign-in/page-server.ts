import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pageScript, type Client } from './bundle.ts'

/** What the page has to know. None of it is a secret. */
export type Settings = {
  /** The server's. */
  readonly url: string
  /** The auth proxy's. */
  readonly proxyUrl: string
  readonly organizationId: string
  /** Where people may sign in, too. */
  readonly provider?: { readonly authorizationEndpoint: string; readonly clientId: string }
}

export type PageServer = { readonly origin: string; readonly server: Server }

/** Serves the page on this machine alone: three files, and nothing that acts for anybody. */
export const pageServer = async (settings: Settings, port = 0, client?: Client): Promise<PageServer> => {
  const page = await readFile(join(import.meta.dirname, 'index.html'), 'utf8')
  const script = await pageScript(client)
  const files = new Map([
    ['/', { type: 'text/html', content: page }],
    ['/page.js', { type: 'text/javascript', content: script }],
    ['/settings.json', { type: 'application/json', content: JSON.stringify(settings) }],
  ])
  const server = createServer(({ url = '/' }, response) => {
    const file = files.get(url.replace(/\?.*/, ''))
    if (file === undefined) response.writeHead(404).end()
    else response.setHeader('Content-Type', `${file.type}; charset=utf-8`).end(file.content)
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, 'localhost', listening)
  })
  const { port: given } = server.address() as AddressInfo // it listens on a port
  return { origin: `http://localhost:${given}`, server }
}
