import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { generateKey, stamp, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { createUsers } from '../../../core/resources/user/create-users.ts'
import { requestsOf, sceneOf, wireDoor } from '../../core/resources/scene.ts'
import { publicOperations, publicQueries } from '../../core/world/with-host.ts'
import { genesisBody } from '../../core/world/world.ts'
import { caller, postOf, type Answer, type Caller } from '../../campaigns/load/caller.ts'
import { BAD_STAMPS } from '../../campaigns/fuzz/stamps.ts'
import { bodyOf, ROUTES, type Known } from '../../campaigns/fuzz/routes.ts'
import { random as randomOf } from '../../campaigns/simulate/random.ts'
import type { StoreOfCanaries } from './canary-place.ts'
import type { HostOptions } from './host.ts'
import type { Account } from './pay-out.ts'

/** What is put in, and must not come out. */
export type Canaries = {
  readonly keys: readonly SigningKey[]
  /** In every body, as a member that nobody knows. */
  readonly token: string
  /** In the intent of the host's operation. */
  readonly reference: string
  readonly bearer: string
  readonly password: string
}

export type Outcome = {
  /** All that the process said, on both of its streams. */
  readonly said: string
  readonly answers: readonly (Answer & { readonly path: string })[]
  readonly stamps: readonly string[]
}

export const organizationId = 'c0ffee00-0000-4000-8000-000000000001'

/** A service that pays: `/pays` is paid, `/refuses` refused, `/down` is down. */
const bank = async (): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer((request, response) => {
    request.resume()
    const status = request.url === '/pays' ? 201 : request.url === '/down' ? 503 : 400
    request.on('end', () => response.writeHead(status).end('payment-1'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens, and not on a pipe
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

/** Runs the canaries through every operation and query of a host in a process of its own, well and badly. */
export const flight = async (store: StoreOfCanaries, canaries: Canaries): Promise<Outcome> => {
  const service = await bank()
  const account: Account = { url: service.url, bearer: canaries.bearer, user: 'host', password: canaries.password }
  const [root = generateKey('API_KEY_CURVE_P256')] = canaries.keys
  const body = genesisBody(organizationId, root, Date.now())
  const genesis = { stamp: stamp(root, body), body: Buffer.from(body).toString('base64') }
  const host = startHost({ store, account, genesis })
  const url = await host.listening
  const by = caller(url)
  const answers: Outcome['answers'][number][] = []
  const stamps: string[] = []
  try {
    for await (const [route, answer, header] of tour(by, canaries, root)) {
      answers.push({ path: route, ...answer })
      if (header !== undefined) stamps.push(header)
    }
    const metrics = await fetch(`${url}/metrics`)
    answers.push({ path: '/metrics', status: metrics.status, head: '', body: await metrics.text() })
  } finally {
    by.close()
    service.close()
    host.stop()
  }
  return { said: await host.ended, answers, stamps }
}

type Leg = readonly [path: string, answer: Answer, stamp: string | undefined]

const ROUNDS = 4

const tour = async function* (by: Caller, canaries: Canaries, root: SigningKey): AsyncGenerator<Leg> {
  const random = randomOf(1)
  const known = await knownOf(by, canaries, root)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const route of ROUTES) {
      const body = encoded({ ...bodyOf(route, known, random), token: canaries.token })
      yield leg(by, route.path, body, stampedBy(root, body))
      yield leg(by, route.path, body, random.pick(Object.values(BAD_STAMPS))(root, body))
      const cut = body.subarray(0, body.length - 3)
      yield leg(by, route.path, cut, stampedBy(root, cut))
    }
  }
  for (const amount of ['pays', 'refuses', 'down', 'throws']) {
    const parameters = { amount, reference: canaries.reference }
    const body = encoded({ ...envelope('ACTIVITY_TYPE_PAY_OUT'), parameters, token: canaries.token })
    yield leg(by, '/public/v1/submit/pay_out', body, stampedBy(root, body))
  }
  const bad = encoded({ ...envelope('ACTIVITY_TYPE_PAY_OUT'), parameters: { amount: { [canaries.reference]: 1 } } })
  yield leg(by, '/public/v1/submit/pay_out', bad, stampedBy(root, bad))
  const listed = encoded({ organizationId, token: canaries.token })
  yield leg(by, `/public/v1/query/list_activities?${canaries.token}`, listed, stampedBy(root, listed))
}

const leg = async (by: Caller, path: string, body: Uint8Array, headers: readonly string[]): Promise<Leg> => {
  const answer = await by.ask(postOf(path, body, headers))
  const header = /^X-Stamp: (.{60,})$/.exec(headers[0] ?? '')?.[1]
  return [path, answer ?? { status: 0, head: '', body: '' }, header]
}

const knownOf = async (by: Caller, { keys }: Canaries, root: SigningKey): Promise<Known> => {
  const post = async (path: string, body: Uint8Array): Promise<string> =>
    (await by.ask(postOf(path, body, stampedBy(root, body))))?.body ?? ''
  const whoami = await post('/public/v1/query/whoami', encoded({ organizationId }))
  const { userId } = JSON.parse(whoami) as { readonly userId: string } // of our own server
  const { made } = sceneOf(wireDoor(organizationId, { root: userId, user: userId }, post))
  const [user = ''] = (await made(createUsers)).userIds
  const door = wireDoor(organizationId, { root: userId, user }, post)
  return {
    organizationId,
    ids: { user: [], tag: [], policy: [], apiKey: [], activity: [] },
    fingerprints: [`sha256:${'0'.repeat(64)}`],
    publicKeys: keys.slice(1).map(({ publicKey }) => publicKey),
    examples: await requestsOf(door, { operations: publicOperations, queries: publicQueries }),
    canary: 'a label',
  }
}

const envelope = (type: string) => ({ type, timestampMs: String(Date.now()), organizationId })
const encoded = (json: unknown): Uint8Array => Buffer.from(JSON.stringify(json))
const stampedBy = (key: SigningKey, body: Uint8Array): readonly string[] => [`X-Stamp: ${stamp(key, body)}`]

const startHost = (options: HostOptions) => {
  const file = fileURLToPath(new URL('./host.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['pipe', 'pipe', 'pipe'] })
  process.once('exit', () => child.kill('SIGKILL'))
  child.stdin.end(JSON.stringify(options))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(said)))
  const listening = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const url = /^listening on (http\S+)$/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  const failed = ended.then((text) => Promise.reject(new Error(`the host ended: ${text}`)))
  return { listening: Promise.race([listening, failed]), ended, stop: () => void child.kill('SIGTERM') }
}
