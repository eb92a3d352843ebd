import { createPublicKey, createVerify, ECDH, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { boundAad, encryptTo } from '../../../adapters/keyring/hpke.ts'
import { proxyServer, type ProxyServerOptions } from '../../../adapters/proxy/proxy-server.ts'
import type { Rates } from '../../../adapters/proxy/limits.ts'
import type { SealedKey } from '../../../adapters/proxy/opened-key.ts'
import { generateKey, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { decodeHex } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { PATIENT } from '../http/transport.ts'

/* A proxy, and in place of the API a server that says what a test wants. It checks the stamps of all requests. */

export type Members = { readonly [member: string]: Json }

/** What the API was asked. */
export type AskedApi = { readonly path: string; readonly body: Members; readonly publicKey: string }

/** What the API answers: an object with status 200, or as it is; or nothing at all. */
export type Told =
  | Members
  | { readonly raw: string; readonly status: number; readonly headers?: { readonly [name: string]: string } }
  | 'nothing'

export type Tenant = {
  readonly id: string
  readonly key: SigningKey
  /** A new key for an organization, and the settings that name it. */
  readonly anewAs: (id: string) => Promise<{ readonly key: SigningKey; readonly settings: Members }>
}

export type Reply = {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly text: string
  readonly json: Members
}

export type Scene = {
  readonly url: string
  readonly api: {
    readonly asked: AskedApi[]
    /** The answers by path; `get_auth_proxy_config` is answered for tenants unless it has one here. */
    readonly says: Map<string, Told | ((asked: AskedApi) => Told)>
    readonly stop: () => Promise<void>
    readonly start: () => Promise<void>
    /** What a tenant has configured; `null`: disabled. */
    readonly configure: (id: string, settings: Members | null) => void
  }
  readonly clock: { now: () => number; pass: (ms: number) => void }
  readonly tenant: Tenant
  readonly other: Tenant
  readonly post: (
    path: string,
    body?: Json | string | Uint8Array,
    headers?: { readonly [name: string]: string },
  ) => Promise<Reply>
  readonly send: (method: string, path: string, headers?: { readonly [name: string]: string }) => Promise<Reply>
  /** The headers that name a tenant. */
  readonly of: (tenant: Tenant, origin?: string) => { readonly [name: string]: string }
  readonly requests: readonly object[]
  readonly notices: readonly string[]
}

export type SceneOptions = Partial<Omit<ProxyServerOptions, 'api' | 'keys' | 'clock'>>

/** No test meets these by accident. */
export const MANY = { points: 1_000_000, seconds: 3_600 }
export const UNLIMITED = { address: MANY, contact: MANY, path: MANY, unknown: MANY } satisfies Rates

export const onProxy = async (play: (scene: Scene) => Promise<void>, options: SceneOptions = {}): Promise<void> => {
  const keys = { signing: generateKey(), opening: generateKey() }
  const tenants = new Map<string, Members | null>()
  const says: Scene['api']['says'] = new Map()
  const asked: AskedApi[] = []
  const api = apiServer(asked, (one) => {
    const said = says.get(one.path)
    if (said !== undefined) return typeof said === 'function' ? said(one) : said
    if (one.path === 'query/get_auth_proxy_config') return configurationOf(one, tenants, keys.signing)
    return refusedBy(404, 5, 'ROUTE_NOT_FOUND', 'no such operation')
  })
  await api.start()
  let nowMs = 1_700_000_000_000
  const clock = { now: () => nowMs, pass: (ms: number) => void (nowMs += ms) }
  const [tenant, other] = [await tenantFor(keys.opening), await tenantFor(keys.opening)]
  for (const one of [tenant, other]) tenants.set(one.id, one.configuration)
  const requests: object[] = []
  const notices: string[] = []
  const server = proxyServer({
    ...{ api: api.url(), keys, clock, rates: UNLIMITED },
    ...{ onRequest: (request) => void requests.push(request), onNotice: ({ message }) => void notices.push(message) },
    timeLimit: () => new AbortController().signal,
    server: { ...PATIENT, drainTimeoutMs: 3_600_000 },
    ...options,
  })
  const { url } = await server.listen()
  const send = sender(url)
  try {
    await play({
      url,
      api: {
        asked,
        says,
        start: api.start,
        stop: api.stop,
        configure: (id, settings) => {
          const before = id === tenant.id ? tenant : other
          tenants.set(id, settings && { ...before.configuration, ...settings })
        },
      },
      clock,
      tenant,
      other,
      post: (path, body, headers = {}) => send('POST', path, headers, body),
      send: (method, path, headers = {}) => send(method, path, headers),
      of: ({ id }, origin) => ({ 'X-Auth-Proxy-Config-ID': id, ...(origin === undefined ? {} : { Origin: origin }) }),
      requests,
      notices,
    })
  } finally {
    await api.stop()
    await server.close()
  }
}

/** The body with which the API refuses. */
export const refusedBy = (
  status: number,
  code: number,
  turnkeyErrorCode: string,
  message: string,
  headers: { readonly [name: string]: string } = {},
): Told => ({
  status,
  headers,
  raw: JSON.stringify({
    code,
    message,
    details: [{ '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode }],
    turnkeyErrorCode,
  }),
})

/** The answer to a submit. */
export const activity = (status: string, more: Members = {}, id = 'one'): Told => ({
  activity: { id, status: `ACTIVITY_STATUS_${status}`, result: {}, ...more },
})

/** An API key, sealed as the engine seals it. */
export const sealedFor = async (
  id: string,
  { publicKey, privateKey }: SigningKey,
  openingKey: string,
): Promise<SealedKey> => {
  const target = decodeHex(ECDH.convertKey(openingKey, 'prime256v1', 'hex', 'hex', 'uncompressed').toString())
  const secret = decodeHex(privateKey)
  if (target === undefined || secret === undefined) throw new Error('expected keys in hex')
  const aad = (encapped: Uint8Array) => boundAad(encapped, target, id, publicKey)
  return { organizationId: id, publicKey, encryptedApiKey: await encryptTo(target, secret, { aad }) }
}

const tenantFor = async ({
  publicKey: openingKey,
}: SigningKey): Promise<Tenant & { readonly configuration: Members }> => {
  const id = randomUUID()
  const anewAs: Tenant['anewAs'] = async (of) => {
    const key = generateKey()
    const { publicKey, encryptedApiKey } = await sealedFor(of, key, openingKey)
    return { key, settings: { publicKey, encryptedApiKey } }
  }
  const { key, settings } = await anewAs(id)
  const configuration = {
    ...{ configId: id, organizationId: id, organizationName: 'Default', isEnabled: true, userId: randomUUID() },
    ...{ allowedOrigins: ['*'], ...settings },
  }
  return { id, key, anewAs, configuration }
}

/** A member that is a text, as it came. */
export const textIn = (body: Members, member: string): string => {
  const value = body[member]
  if (typeof value !== 'string') throw new Error(`expected ${member}`)
  return value
}

const configurationOf = (
  { body, publicKey }: AskedApi,
  tenants: ReadonlyMap<string, Members | null>,
  signing: SigningKey,
): Told => {
  const configuration = tenants.get(textIn(body, 'organizationId'))
  if (configuration === undefined) return refusedBy(404, 5, 'ORGANIZATION_NOT_FOUND', 'organization not found')
  if (configuration === null || publicKey !== signing.publicKey)
    return refusedBy(401, 16, 'PUBLIC_KEY_NOT_FOUND', 'could not find public key in organization')
  return { authProxyConfig: configuration }
}

const apiServer = (asked: AskedApi[], told: (one: AskedApi) => Told) => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    if (request.method === 'GET') return void response.end('{}')
    const one = {
      path: request.url?.replace('/public/v1/', '') ?? '',
      body: JSON.parse(body) as Members, // the proxy sends objects
      publicKey: signerOf(body, String(request.headers['x-stamp'])),
    }
    asked.push(one)
    const said = told(one)
    if (said === 'nothing') return
    if ('raw' in said)
      response.writeHead(Number(said.status), said['headers'] as { [name: string]: string }).end(said.raw) // as tests write it
    else response.end(JSON.stringify(said))
  }
  let port = 0
  let server = createServer()
  return {
    url: () => `http://127.0.0.1:${port}`,
    start: async () => {
      server = createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port // it listens on a port
    },
    stop: async () => {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** The key whose stamp fits the bytes that came. */
const signerOf = (body: string, stamp: string): string => {
  const { publicKey, signature } = JSON.parse(Buffer.from(stamp, 'base64url').toString()) as {
    [member: string]: string
  } // as the proxy writes it
  const point = Buffer.from(
    ECDH.convertKey(String(publicKey), 'prime256v1', 'hex', 'hex', 'uncompressed').toString(),
    'hex',
  )
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: String(x), y: String(y) }, format: 'jwk' })
  const isSigned = createVerify('sha256').update(body).verify(key, String(signature), 'hex')
  return isSigned ? String(publicKey) : 'nobody'
}

const sender =
  (url: string) =>
  async (
    method: string,
    path: string,
    headers: { readonly [name: string]: string },
    body?: Json | string | Uint8Array,
  ): Promise<Reply> => {
    const sent =
      body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    const request = httpRequest(`${url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
    request.end(sent)
    const [response] = (await once(request, 'response')) as [IncomingMessage] // as Node says
    const all = await text(response)
    const isJson = response.headers['content-type'] === 'application/json'
    return {
      status: response.statusCode ?? 0,
      headers: response.headers as Reply['headers'], // none of those that are read comes as a list
      text: all,
      json: isJson && all !== '' ? (JSON.parse(all) as Members) : {},
    }
  }
