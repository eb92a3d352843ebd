import { catalogue } from '../../core/definition/catalogue.ts'
import { everyResource } from '../../core/resources/every-resource.ts'
import { publicOperations, publicQueries } from '../../core/resources/public-names.ts'
import { hintFor } from '../../core/options.ts'
import { E } from '../../core/prelude.ts'
import { decodeUtf8, encodeUtf8 } from '../../core/bytes.ts'
import { stamp } from '../signatures/signer.ts'
import { sayCaller, type CallerOptions } from './caller.ts'
import type { Credentials } from '../credentials/credentials-file.ts'
import { readCaller } from '../credentials/credentials.ts'
import { input, print } from './print.ts'
import { jsonIn, refusalText, send, urlOf } from './send.ts'
import { refusal, unusable } from './stop.ts'

export type RequestOptions = CallerOptions

/** Stamps a request, sends it, and prints the answer. */
export const request = async (path: string, json: string | undefined, options: RequestOptions): Promise<number> => {
  const credentials = await readCaller(options.credentials)
  const route = routeOf(path)
  const text = bodyOf(route, json === '-' ? await standardInput() : (json ?? '{}'), credentials)
  const body = encodeUtf8(text)
  const url = urlOf(route.path, options.url ?? credentials.baseUrl ?? undefined)
  sayCaller(options.credentials, { ...credentials, organizationId: organizationIn(text) })
  const answer = await send(url, body, stamp(credentials.key, body), { timeoutMs: TIMEOUT_MS })
  print(jsonIn(answer.text) ?? answer.text) // other text, such as a proxy's page, as one string: its lines do not look like ours
  if (answer.status >= 200 && answer.status < 300) return 0
  throw refusal(refusalText(route.name, answer))
}

type Route = { readonly path: string; readonly kind: 'submit' | 'query' | 'other'; readonly name: string }

const routeOf = (text: string): Route => {
  const path = text.replace(/^\/?(?:public\/v1\/)?/, '')
  const [kind = '', name = '', ...rest] = path.split('/')
  if ((kind === 'submit' || kind === 'query') && name !== '' && rest.length === 0) return publicRoute(kind, name)
  if (text.startsWith('/')) return { path: text, kind: 'other', name: text }
  if (typeOf(text) !== undefined) return publicRoute('submit', text)
  if (E.isRight(known) && known.right.queries.has(text)) return publicRoute('query', text)
  // The server of a host may offer what is not built in. If it does not, it refuses these names by themselves.
  if (publicOperations.has(text)) return publicRoute('submit', text)
  if (publicQueries.has(text)) return publicRoute('query', text)
  throw unusable(
    `no operation or query is called ${text}${hintFor(text, names())}; one of a host, which serve knows by --resources, has its ` +
      `whole path, such as /public/v1/submit/${text}`,
  )
}

const names = (): readonly string[] => {
  const own = E.isRight(known) ? [...known.right.operations.map(({ path }) => path), ...known.right.queries.keys()] : []
  return [...own, ...publicOperations, ...publicQueries]
}

const publicRoute = (kind: 'submit' | 'query', name: string): Route => ({
  path: `/public/v1/${kind}/${name}`,
  kind,
  name,
})

const known = catalogue(everyResource)

/** The newest type of the operation with this path. */
const typeOf = (name: string): string | undefined => {
  if (name === 'approve_activity') return 'ACTIVITY_TYPE_APPROVE_ACTIVITY'
  if (name === 'reject_activity') return 'ACTIVITY_TYPE_REJECT_ACTIVITY'
  return E.isRight(known) ? known.right.byPath(name)?.type : undefined
}

type Body = { readonly [member: string]: unknown }

/** The body to send: if no member is missing, exactly the given bytes, so that they can be sent again. */
const bodyOf = (route: Route, text: string, credentials: Credentials): string => {
  const given = parseObject(text)
  const missing = missingIn(route, given, credentials)
  const isBare = route.kind === 'submit' && given['parameters'] === undefined
  if (isBare) return JSON.stringify({ ...missing, parameters: given })
  return Object.keys(missing).length === 0 ? text : JSON.stringify({ ...missing, ...given })
}

/** The organization that a body names: it need not be the one of the credentials. */
const organizationIn = (text: string): string | undefined => {
  const { organizationId } = parseObject(text)
  return typeof organizationId === 'string' ? organizationId : undefined
}

const missingIn = (route: Route, given: Body, { organizationId }: Credentials): Body => {
  const isSubmit = route.kind === 'submit'
  const enveloped = isSubmit && given['parameters'] === undefined ? {} : given
  const type = isSubmit ? typeOf(route.name) : undefined
  if (isSubmit && type === undefined && enveloped['type'] === undefined)
    throw unusable(
      publicOperations.has(route.name)
        ? `${route.name} belongs to the public API, but is not built in: if the server offers it, give both, type and parameters`
        : `the body has no type, and no operation that is built in is called ${route.name}: give both, type and parameters`,
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
  return parsed as Body // the lines above have checked it
}

const standardInput = async (): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of input()) chunks.push(chunk as Uint8Array) // no encoding is set
  const text = decodeUtf8(Buffer.concat(chunks))
  if (text === undefined) throw unusable('the body is not UTF-8')
  return text
}

const TIMEOUT_MS = 60_000
