import { createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as t from 'io-ts'
import { printLines, printRecord, say } from './print.ts'
import { cannotListen } from './serving.ts'

export type ListenOptions = {
  readonly host: string
  readonly port: number
  /** The server whose keys are trusted. */
  readonly url: string
  readonly json?: boolean
}

const JWKS = '/public/v1/discovery/webhooks/jwks'
const BODY_BYTES_MAX = 2 * 1024 * 1024
/** How old a delivery may be, and how far ahead. */
const AGE_MS = 300_000

const Keys = t.type({ keys: t.array(t.type({ kid: t.string, x: t.string })) })
const Told = t.type({ id: t.string, organizationId: t.string, type: t.string, status: t.string })

/** Receives until a signal to stop. */
export const listenToWebhooks = async ({ host, port, url, json = false }: ListenOptions): Promise<number> => {
  const keys = new Map<string, string>()
  const server = createServer((request, response) => {
    void received(request, response, url, keys).then(
      (line) => (json ? printRecord(line) : printLines([Object.values(line).join('  ')])),
      () => response.destroy(), // the connection has ended before the body
    )
  })
  try {
    server.listen({ host, port })
    await once(server, 'listening') // or its error
  } catch (error) {
    throw cannotListen({ host, port, variable: 'COUNTERSIGN_WEBHOOK_PORT' }, error)
  }
  const { port: own } = server.address() as AddressInfo // it listens on a port
  say(`listening on http://${host}:${own}, for what ${url} signs; its server needs --allow-private-network`)
  await new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  server.close()
  server.closeAllConnections()
  return 0
}

type Line = { readonly verified: string; readonly [member: string]: string }

const received = async (
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
  keys: Map<string, string>,
): Promise<Line> => {
  const body = await bodyOf(request)
  const refusal = body === undefined ? 'the body is too long' : await whyNot(request, body, url, keys)
  response.statusCode = refusal === undefined ? 204 : 400
  response.end()
  const told = body === undefined ? undefined : toldIn(body)
  const { status = '', type = '', id = '', organizationId = '' } = told ?? {}
  return { verified: refusal ?? 'verified', status, type, id, organizationId }
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const toldIn = (body: Buffer): t.TypeOf<typeof Told> | undefined => {
  try {
    const json: unknown = JSON.parse(body.toString())
    return Told.is(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** Why a delivery does not verify; `undefined` if it does. */
const whyNot = async (
  { headers }: IncomingMessage,
  body: Buffer,
  url: string,
  keys: Map<string, string>,
): Promise<string | undefined> => {
  const of = (name: string): string => String(headers[`x-turnkey-${name}`] ?? '')
  const [keyId, timestamp, eventId, signature] = ['signature-key-id', 'timestamp', 'event-id', 'signature'].map(of)
  if (signature === '' || keyId === undefined) return 'not signed'
  if (Math.abs(Date.now() - Number(timestamp)) > AGE_MS) return 'too old'
  if (!keys.has(keyId)) for (const [kid, x] of await published(url)) keys.set(kid, x)
  const x = keys.get(keyId)
  if (x === undefined) return 'unknown key'
  const start = ['v1', 'ed25519', keyId, timestamp, eventId, ''].join('.')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isRight = verify(null, Buffer.concat([Buffer.from(start), body]), key, Buffer.from(signature ?? '', 'hex'))
  return isRight ? undefined : 'wrong signature'
}

const published = async (url: string): Promise<readonly (readonly [string, string])[]> => {
  try {
    const answer: unknown = await (await fetch(new URL(JWKS, url))).json()
    return Keys.is(answer) ? answer.keys.map(({ kid, x }) => [kid, x] as const) : []
  } catch {
    return [] // the server may be starting
  }
}
