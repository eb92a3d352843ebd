import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keepUrl } from '../../../adapters/cli/keep-url.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { freePort } from '../free-port.ts'
import { folder, json } from './run-cli.ts'

const it = suite('the URL in a credentials file')

const OURS = 'http://127.0.0.1:1'
const ID = '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d'
const { publicKey: apiPublicKey, privateKey: apiPrivateKey } = generateKey('API_KEY_CURVE_P256')
const cwd = folder()
const file = join(cwd, 'c.json')

/** Starts a server with a file that has this URL, and gives the URL that the file has then. */
const kept = async (baseUrl: string | null, publicUrl?: string): Promise<unknown> => {
  const credentials = { baseUrl, organizationId: ID, userId: ID, apiPublicKey, apiPrivateKey }
  writeFileSync(file, JSON.stringify(credentials))
  const begun = { credentials, genesisHash: '', isNew: false }
  const found = await keepUrl({ file, begun, url: OURS, ...(publicUrl === undefined ? {} : { publicUrl }) })
  assert.is(json(file)['baseUrl'], found)
  return found
}

/** The URL of a server that answers every request with this status. */
const answering = async (status: number, use: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer((request, response) =>
    response.writeHead(request.url === WHOAMI ? status : 404).end('{}'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens at a port
  await use(`http://127.0.0.1:${port}`)
  server.close()
}
const WHOAMI = '/public/v1/query/whoami'

it('is that of the server where the file has none, or one where nobody answers', async () => {
  assert.is(await kept(null), OURS)
  assert.is(await kept(OURS), OURS)
  assert.is(await kept(`http://127.0.0.1:${await freePort()}`), OURS)
  assert.is(await kept('no URL'), OURS)
})

it('stays that of another server that knows the key, and only of such a one', async () => {
  await answering(200, async (url) => assert.is(await kept(url), url))
  await answering(401, async (url) => assert.is(await kept(url), OURS))
})

it('is the public one where there is one', async () => {
  assert.is(await kept(null, 'https://id.example.com/'), 'https://id.example.com')
  await answering(200, async (url) => assert.is(await kept(url, 'https://id.example.com'), 'https://id.example.com'))
})

it.run()
