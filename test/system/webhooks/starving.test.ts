import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keptAlive } from '../../../adapters/clock/kept-alive.ts'
import { webhooks } from '../../../adapters/outgoing/index.ts'
import { happens, hookIn } from '../../core/webhooks/receiver.ts'
import { world } from '../../core/world/world.ts'

const it = suite('an endpoint that hangs')

const SUBMITS = 480

it('delays no other one at the same host', async () => {
  const heard = new Set<string>()
  let allHeard = (): void => undefined
  const server = createServer((request, response) => {
    if (request.url === '/hanging') return
    heard.add(String(request.headers['x-turnkey-event-id']))
    response.writeHead(204).end()
    if (heard.size > SUBMITS) allHeard()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const w = await world({ webhooks: webhooks({ allowPrivateNetwork: true }), limits: { userTags: 1_000 } })
  for (const path of ['hanging', 'good']) await hookIn(w, { url: `http://localhost:${port}/${path}` })
  const all = new Promise<void>((resolve) => (allHeard = resolve))
  await Promise.all(Array.from({ length: SUBMITS }, (_, n) => happens(w, `tag ${n}`)))
  await keptAlive()(all)
  assert.is(heard.size, SUBMITS + 1) // its own creation, too
  await w.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it.run()
