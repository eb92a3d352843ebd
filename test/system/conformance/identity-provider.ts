import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What signs the tokens of a client: each client has an algorithm of its own. */
export const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

/** A certified provider of OpenID Connect, with pages on which one says who one is. */
export type IdentityProvider = {
  readonly issuer: string
  /** The page where somebody signs in; from there the browser goes to `redirectUri`, a loopback address, with the token in the fragment. */
  readonly signInPage: (asked: Asked & { readonly redirectUri: string }) => string
  /** The identity token of somebody who has gone through the pages, by plain requests. */
  readonly signIn: (asked: Asked & { readonly login: string }) => Promise<string>
  /** What was asked of it: paths, in their order. */
  readonly asked: readonly string[]
  readonly close: () => Promise<void>
}

type Asked = {
  readonly nonce: string
  /** Default: RS256. It chooses the client as well, see `clientOf`. */
  readonly algorithm?: Algorithm
}

/** The client whose tokens are signed so: their audience. */
export const clientOf = (algorithm: Algorithm): string => `shop-${algorithm.toLowerCase()}`

/** The verified address of whoever signs in under a name. */
export const emailOf = (login: string): string => `${login}@example.com`

const ANY_REDIRECT = 'http://127.0.0.1/signed-in'

/** Starts one at a port of 127.0.0.1. Whoever signs in under a name has this name as `sub`. */
export const identityProvider = async (): Promise<IdentityProvider> => {
  silence()
  let handle: RequestListener = (_, response) => response.writeHead(503).end()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '/', 'http://localhost').pathname)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const issuer = `http://127.0.0.1:${port}`
  const { Provider } = await library()
  handle = new Provider(issuer, configuration()).callback()
  const signInPage: IdentityProvider['signInPage'] = ({ nonce, algorithm = 'RS256', redirectUri }) => {
    const query = {
      client_id: clientOf(algorithm),
      response_type: 'id_token',
      scope: 'openid email',
      redirect_uri: redirectUri,
      nonce,
    }
    return `${issuer}/auth?${new URLSearchParams(query).toString()}`
  }
  return {
    issuer,
    signInPage,
    signIn: async ({ login, ...wanted }) => throughPages(signInPage({ ...wanted, redirectUri: ANY_REDIRECT }), login),
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Library = {
  readonly Provider: new (issuer: string, options: object) => { readonly callback: () => RequestListener }
}

/** The package has no types. It is loaded late, because it speaks up when it is loaded. */
const library = async (): Promise<Library> => {
  const name: string = 'oidc-provider'
  return (await import(name)) as Library // as its documentation says
}

/** From now on, what the package says about its defaults, which are for development, and about Node 20, is dropped; whatever others print stays. */
const silence = (): void => {
  if (isSilent) return
  isSilent = true
  const { info, warn } = console
  const others =
    (print: typeof console.info): typeof console.info =>
    (...said) => {
      if (!String(said[0]).startsWith('oidc-provider ')) print(...said)
    }
  Object.assign(console, { info: others(info), warn: others(warn) })
}
let isSilent = false

const configuration = () => ({
  clients: ALGORITHMS.map((algorithm) => ({
    client_id: clientOf(algorithm),
    application_type: 'native', // which may go on to loopback addresses, at any port
    redirect_uris: [ANY_REDIRECT, 'http://localhost/'],
    response_types: ['id_token'],
    grant_types: ['implicit'],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: algorithm,
  })),
  jwks: { keys: keys() },
  enabledJWA: { idTokenSigningAlgValues: ALGORITHMS },
  responseTypes: ['id_token'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  cookies: { keys: ['a key of a test'] },
  findAccount: (_: unknown, accountId: string) => ({
    accountId,
    claims: () => ({ sub: accountId, email: emailOf(accountId), email_verified: true }),
  }),
})

/** Made once in a process: those of RSA take their time. */
const keys = () =>
  (made ??= [
    jwkOf('RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    jwkOf('ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    jwkOf('EdDSA', generateKeyPairSync('ed25519').privateKey),
  ])
let made: readonly object[] | undefined

const jwkOf = (alg: Algorithm, key: KeyObject) => ({
  ...key.export({ format: 'jwk' }),
  alg,
  use: 'sig',
  kid: `key-${alg}`,
})

/** Follows the pages as a browser would: fills in the form of each, until it is sent back with a token. */
const throughPages = async (start: string, login: string): Promise<string> => {
  const cookies = new Map<string, string>()
  const ask = async (url: string, form?: URLSearchParams): Promise<Response> => {
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const answer = await fetch(url, { redirect: 'manual', headers, ...(form && { method: 'POST', body: form }) })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  let answer = await ask(start)
  let back: URL | undefined
  while (back === undefined) {
    const location = answer.headers.get('location')
    if (location?.startsWith(ANY_REDIRECT)) back = new URL(location)
    else if (location !== null) answer = await ask(new URL(location, start).href)
    else {
      const page = await answer.text()
      const [, action] = /<form [^>]*action="([^"]+)"/.exec(page) ?? []
      const [, prompt] = /name="prompt" value="([^"]+)"/.exec(page) ?? []
      if (action === undefined || prompt === undefined) throw new Error(`a page without a form: ${page}`)
      answer = await ask(action, new URLSearchParams({ prompt, login, password: 'any' }))
    }
  }
  const token = new URLSearchParams(back.hash.slice(1)).get('id_token')
  if (token === null) throw new Error(`no token: ${back.hash}${back.search}`)
  return token
}
