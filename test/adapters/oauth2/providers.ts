import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * X and Discord as their documentation shows them: what they answer to a code, to an access token, and to what is wrong. Their refusals here also repeat
 * all that they were given, as a test of who reads them.
 */

export const CLIENT = { clientId: 'client-1', clientSecret: 'the secret: of a client+' }
export const REDIRECT_URI = 'https://app.example.com/callback?a=b'
export const USER_IDS = { OAUTH2_PROVIDER_X: '2244994945', OAUTH2_PROVIDER_DISCORD: '80351110224678912' }
export type ProviderName = keyof typeof USER_IDS

/** How they behave: as they should, or not at all. */
export type Mood = 'well' | 'down' | 'busy' | 'silent' | 'rubbish' | 'redirects' | 'endless' | 'forgetful'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What a person's browser brings back to the application: a code, and what it was asked for with. */
export type SignIn = { readonly code: string; readonly codeVerifier: string; readonly redirectUri: string }

type Grant = { readonly provider: ProviderName; readonly challenge: string }

const PATHS: { readonly [path: string]: readonly [ProviderName, 'token' | 'account'] } = {
  'POST /2/oauth2/token': ['OAUTH2_PROVIDER_X', 'token'],
  'GET /2/users/me': ['OAUTH2_PROVIDER_X', 'account'],
  'POST /api/oauth2/token': ['OAUTH2_PROVIDER_DISCORD', 'token'],
  'GET /api/users/@me': ['OAUTH2_PROVIDER_DISCORD', 'account'],
}

const UNAUTHORIZED = {
  OAUTH2_PROVIDER_X: { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' },
  OAUTH2_PROVIDER_DISCORD: { message: '401: Unauthorized', code: 0 },
}
const BUSY = {
  OAUTH2_PROVIDER_X: { title: 'Too Many Requests', type: 'about:blank', status: 429, detail: 'Too Many Requests' },
  OAUTH2_PROVIDER_DISCORD: { message: 'You are being rate limited.', retry_after: 64.57, global: false },
}
const TOKENS = {
  OAUTH2_PROVIDER_X: { token_type: 'bearer', expires_in: 7200, scope: 'tweet.read users.read' },
  OAUTH2_PROVIDER_DISCORD: {
    token_type: 'Bearer',
    expires_in: 604800,
    refresh_token: 'another token',
    scope: 'identify',
  },
}
const ACCOUNTS = {
  OAUTH2_PROVIDER_X: { data: { id: USER_IDS.OAUTH2_PROVIDER_X, name: 'Ada', username: 'ada' } },
  OAUTH2_PROVIDER_DISCORD: {
    id: USER_IDS.OAUTH2_PROVIDER_DISCORD,
    username: 'ada',
    discriminator: '0',
    global_name: 'Ada',
  },
}

/** @param client  the one that both know */
export const oauth2Services = async (client = CLIENT) => {
  let [mood, moodAt, granted]: [Mood, string, number] = ['well', '', 0]
  const asked: Asked[] = []
  const grants = new Map<string, Grant>()
  const accessTokens = new Map<string, ProviderName>()

  const exchange = (provider: ProviderName, { headers, body }: Asked): readonly [number, object] => {
    const form = new URLSearchParams(body)
    const [user, password] = [client.clientId, client.clientSecret].map(encoded)
    if (headers.authorization !== `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
      return [401, { error: provider === 'OAUTH2_PROVIDER_X' ? 'unauthorized_client' : 'invalid_client' }]
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    const isRight =
      grant?.provider === provider &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === REDIRECT_URI &&
      grant.challenge === challengeOf(form.get('code_verifier') ?? '')
    if (!isRight) {
      const error = provider === 'OAUTH2_PROVIDER_X' ? 'invalid_request' : 'invalid_grant'
      return [400, { error, error_description: `Invalid "code" in request: ${body} ${headers.authorization}` }]
    }
    grants.delete(code)
    const token = `access-token-${randomBytes(24).toString('base64url')}`
    accessTokens.set(token, provider)
    return [200, { ...TOKENS[provider], access_token: token }]
  }

  const account = (provider: ProviderName, { headers }: Asked): readonly [number, object] => {
    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (mood === 'forgetful' || accessTokens.get(token) !== provider)
      return [401, { ...UNAUTHORIZED[provider], given: headers.authorization }]
    return [200, ACCOUNTS[provider]]
  }

  const answer = (one: Asked, response: ServerResponse): void => {
    const [provider, what] = PATHS[`${one.method} ${one.path}`] ?? []
    if (provider === undefined) return void response.writeHead(404).end('{}')
    const json = (status: number, said: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    const all = { body: one.body, headers: one.headers }
    if (mood !== 'well' && mood !== 'forgetful' && one.path.includes(moodAt)) {
      if (mood === 'down') return json(500, all)
      if (mood === 'busy') return json(429, BUSY[provider])
      if (mood === 'redirects') return void response.writeHead(307, { location: '/elsewhere' }).end(JSON.stringify(all))
      if (mood === 'rubbish') return void response.writeHead(200).end(`<html>${JSON.stringify(all)}</html>`)
      if (mood === 'endless')
        return void response.writeHead(200).end(JSON.stringify({ access_token: 'a'.repeat(70_000) }))
      return // it says nothing
    }
    const [status, said] = what === 'token' ? exchange(provider, one) : account(provider, one)
    json(status, said)
  }

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
      asked.push(one)
      answer(one, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    asked,
    accessTokens,
    /** Somebody signs in, and allows the client what it asks. */
    signIn: (provider: ProviderName): SignIn => {
      granted += 1
      const [code, codeVerifier] = [`code-${granted}-`, 'verifier-'].map(
        (text) => text + randomBytes(32).toString('hex'),
      )
      grants.set(code ?? '', { provider, challenge: challengeOf(codeVerifier ?? '') })
      return { code: code ?? '', codeVerifier: codeVerifier ?? '', redirectUri: REDIRECT_URI }
    },
    /** @param at  a part of the paths where it shows; default: everywhere */
    be: (next: Mood, at = ''): void => void ([mood, moodAt] = [next, at]),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
