import { catalogue } from '../../core/operations/catalogue.ts'
import { publicApi } from '../../core/operations/public-api.ts'
import { E } from '../../core/prelude.ts'
import { publicQueries } from '../../core/query/public-queries.ts'
import { decodeUtf8, encodeUtf8 } from '../../core/bytes.ts'
import { stamp } from '../signatures/signer.ts'
import { readCredentials, type Credentials } from './credentials.ts'
import { print, say } from './print.ts'
import { refusal, systemReason, unusable } from './stop.ts'

export type RequestOptions = { readonly credentials: string; readonly url?: string }

/** Stamps a request, sends it, and prints the answer. */
export const request = async (path: string, json: string | undefined, options: RequestOptions): Promise<number> => {
  const credentials = await readCredentials(options.credentials)
  const route = routeOf(path)
  const body = encodeUtf8(bodyOf(route, json === '-' ? await standardInput() : (json ?? '{}'), credentials))
  const answer = await send(
    urlOf(route, options.url ?? credentials.baseUrl ?? undefined),
    body,
    stamp(credentials.key, body),
  )
  print(jsonOf(answer.text))
  if (answer.status >= 200 && answer.status < 300) return 0
  say(`countersign: the server answered ${answer.status}`)
  return 1
}

type Route = { readonly path: string; readonly kind: 'submit' | 'query' | 'other'; readonly name: string }

const routeOf = (text: string): Route => {
  const path = text.replace(/^\/?(?:public\/v1\/)?/, '')
  const [kind = '', name = '', ...rest] = path.split('/')
  if ((kind === 'submit' || kind === 'query') && name !== '' && rest.length === 0) return publicRoute(kind, name)
  if (text.startsWith('/')) return { path: text, kind: 'other', name: text }
  if (typeOf(text) !== undefined) return publicRoute('submit', text)
  if (publicQueries.some((query) => query.path === text)) return publicRoute('query', text)
  throw unusable(`no operation or query is called ${text}; give the whole path, such as /public/v1/submit/${text}`)
}

const publicRoute = (kind: 'submit' | 'query', name: string): Route => ({
  path: `/public/v1/${kind}/${name}`,
  kind,
  name,
})

/** The newest type of the operation that has the path. */
const typeOf = (name: string): string | undefined => {
  if (name === 'approve_activity') return 'ACTIVITY_TYPE_APPROVE_ACTIVITY'
  if (name === 'reject_activity') return 'ACTIVITY_TYPE_REJECT_ACTIVITY'
  const known = catalogue(publicApi)
  return E.isRight(known) ? known.right.byPath(name)?.type : undefined
}

type Body = { readonly [member: string]: unknown }

/** The body to send: byte for byte what was given where nothing is missing, so that it can be sent again. */
const bodyOf = (route: Route, text: string, credentials: Credentials): string => {
  const given = parseObject(text)
  const missing = missingIn(route, given, credentials)
  const isBare = route.kind === 'submit' && given['parameters'] === undefined
  if (isBare) return JSON.stringify({ ...missing, parameters: given })
  return Object.keys(missing).length === 0 ? text : JSON.stringify({ ...missing, ...given })
}

const missingIn = (route: Route, given: Body, { organizationId }: Credentials): Body => {
  const isSubmit = route.kind === 'submit'
  const enveloped = isSubmit && given['parameters'] === undefined ? {} : given
  const type = isSubmit ? typeOf(route.name) : undefined
  if (isSubmit && type === undefined && enveloped['type'] === undefined)
    throw unusable(
      `the body has no type, and no operation that is built in is called ${route.name}: give both, type and parameters`,
    )
  if (organizationId === undefined && enveloped['organizationId'] === undefined)
    throw unusable('neither the body nor the credentials file has an organizationId')
  const timestampMs = route.kind === 'other' ? undefined : String(Date.now())
  const all = { type, timestampMs, organizationId }
  return Object.fromEntries(
    Object.entries(all).filter(([member, value]) => value !== undefined && enveloped[member] === undefined),
  )
}

const parseObject = (text: string): Body => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw unusable('the body is not JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw unusable('the body is not a JSON object')
  return parsed as Body // the three lines above
}

const standardInput = async (): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array) // no encoding is set
  const text = decodeUtf8(Buffer.concat(chunks))
  if (text === undefined) throw unusable('the body is not UTF-8')
  return text
}

const urlOf = ({ path }: Route, baseUrl: string | undefined): URL => {
  if (baseUrl === undefined) throw unusable('the credentials file has no baseUrl: give --url')
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw unusable(`${baseUrl} is not a URL such as http://127.0.0.1:8080`)
  return new URL(url)
}

const send = async (
  url: URL,
  body: Uint8Array,
  header: string,
): Promise<{ readonly status: number; readonly text: string }> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-stamp': header },
      body: Buffer.from(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error
    throw refusal(`no answer from ${url.origin}: ${systemReason(reason)}`)
  }
}

const TIMEOUT_MS = 60_000

/** What is no JSON, such as a proxy's page, is printed as a string of JSON: its lines cannot be taken for ours. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
