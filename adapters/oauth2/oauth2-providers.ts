import { decodeUtf8, encodeBase64, encodeUtf8 } from '../../core/bytes.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { boundedPerOrganization } from '../../core/ports/at-once.ts'
import type { Oauth2, Oauth2Account, Oauth2Code } from '../../core/ports/oauth2.ts'
import type { Answer, AskedRequest, Outgoing } from '../../core/ports/outgoing.ts'
import { E, TE } from '../../core/prelude.ts'
import { nodeOutgoing } from '../outgoing/node-outgoing.ts'

export type Oauth2ProvidersOptions = {
  /** Where X is asked; null: not at all. Default: `https://api.x.com`. */
  readonly xUrl?: string | null | undefined
  /** Where Discord is asked; null: not at all. Default: `https://discord.com`. */
  readonly discordUrl?: string | null | undefined
  /** Whether these may be http, at any port and in a private network; for development. Default: false. */
  readonly allowPrivateNetwork?: boolean
  /** What sends requests. Default: `nodeOutgoing`, as for webhooks. */
  readonly outgoing?: Pick<Outgoing, 'ask'> | undefined
}

/** How a provider is asked: the paths behind its URL, and where the id stands in what it says of somebody. */
type Provider = {
  readonly url: string
  readonly token: string
  readonly account: string
  readonly idIn: (said: unknown) => unknown
}

/** Asks X and Discord. Each is asked twice for a code, by the client's secret and by the access token, and 5 seconds long at most each time. */
export const oauth2Providers = (options: Oauth2ProvidersOptions = {}): Oauth2 => {
  const { xUrl = 'https://api.x.com', discordUrl = 'https://discord.com', allowPrivateNetwork = false } = options
  const outgoing = options.outgoing ?? nodeOutgoing({ allowPrivateNetwork })
  const providers = new Map<string, Provider>()
  if (xUrl !== null)
    providers.set('OAUTH2_PROVIDER_X', {
      url: xUrl,
      token: '/2/oauth2/token',
      account: '/2/users/me',
      idIn: (said) => memberOf(memberOf(said, 'data'), 'id'),
    })
  if (discordUrl !== null)
    providers.set('OAUTH2_PROVIDER_DISCORD', {
      url: discordUrl,
      token: '/api/oauth2/token',
      account: '/api/users/@me',
      idIn: (said) => memberOf(said, 'id'),
    })
  const bounded = boundedPerOrganization('requests')
  return {
    accountOf: (code, signal) => {
      const provider = providers.get(code.provider)
      return provider === undefined
        ? TE.left(notAsked)
        : bounded(code.organizationId, () => accountOf(outgoing, provider, code, signal))
    },
  }
}

const notAsked = failure('OAUTH2_PROVIDER_NOT_FOUND', 'this server does not ask the provider of the credential')
const away = failure('UNAVAILABLE', 'the provider of OAuth2 does not answer; the code may have been used')
const refused = failure(
  'REQUEST_INVALID',
  'the provider of OAuth2 refuses: a code works once, for a short time, with its verifier and redirect URI, and with the id and secret of its client',
)
const notTold = failure(
  'REQUEST_INVALID',
  'the provider of OAuth2 does not tell who has signed in: the code needs the scopes for that',
)

const LIMITS = { totalMs: 5_000, bytesMax: 64 * 1024 }
/** Some providers answer nobody who has no name. */
const OURS = { Accept: 'application/json', 'User-Agent': 'countersign' }

const accountOf = async (
  outgoing: Pick<Outgoing, 'ask'>,
  { url, token, account, idIn }: Provider,
  code: Oauth2Code,
  signal: AbortSignal | undefined,
): Promise<E.Either<Failure, Oauth2Account>> => {
  const ask = (path: string, request: Pick<AskedRequest, 'method' | 'headers' | 'body'>): Promise<Answer> =>
    outgoing.ask({
      ...request,
      url: `${url.replace(/\/+$/, '')}${path}`,
      headers: { ...OURS, ...request.headers },
      limits: LIMITS,
      ...(signal && { signal }),
    })

  const exchanged = saidIn(await ask(token, exchangeOf(code)), refused)
  if (E.isLeft(exchanged)) return exchanged
  const accessToken = memberOf(exchanged.right, 'access_token')
  if (!isToken(accessToken)) return E.left(away)
  const authorization = { Authorization: `Bearer ${accessToken}` }
  const told = saidIn(await ask(account, { method: 'GET', headers: authorization, body: new Uint8Array() }), notTold)
  if (E.isLeft(told)) return told
  const id = idIn(told.right)
  return isId(id) ? E.right({ id, accessToken }) : E.left(away)
}

/** RFC 6749, 4.1.3 and 2.3.1; RFC 7636, 4.5. */
const exchangeOf = ({ clientId, clientSecret, code, codeVerifier, redirectUri }: Oauth2Code) => {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
  const client = [clientId, clientSecret].map(formEncoded).join(':')
  return {
    method: 'POST' as const,
    headers: {
      Authorization: `Basic ${encodeBase64(encodeUtf8(client))}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: encodeUtf8(new URLSearchParams(form).toString()),
  }
}

const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2)

/** What a 200 says. A status of 4xx is their refusal, but for 429: then they have too much to do. */
const saidIn = (answer: Answer, refusal: Failure): E.Either<Failure, unknown> => {
  if (answer._tag === 'unanswered') return E.left(away)
  const { status, body } = answer
  if (status >= 400 && status < 500 && status !== 429) return E.left(refusal)
  if (status !== 200) return E.left(away)
  try {
    return E.right(parseJson(decodeUtf8(body) ?? ''))
  } catch {
    return E.left(away) // what was thrown may quote it
  }
}

const memberOf = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null && Object.hasOwn(json, name)
    ? (json as { readonly [member: string]: unknown })[name] // it has it
    : undefined

/** RFC 6750, 2.1: others would break the header. */
const isToken = (token: unknown): token is string =>
  typeof token === 'string' && token.length <= 4_096 && /^[\w.~+/-]+=*$/.test(token)

const isId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]{1,64}$/.test(id)
