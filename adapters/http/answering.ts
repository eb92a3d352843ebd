import type { Engine } from '../../core/engine.ts'
import { failure } from '../../core/failure.ts'
import { pipe, TE } from '../../core/prelude.ts'
import type { Exchange, Platform } from './exchange.ts'
import { openApi } from './openapi.ts'
import type { HandledRequest, HandlerSettings } from './options.ts'
import { publicApi, type PublicRoute } from './public-api.ts'
import { asBytes, errorReply, jsonReply, metricsReply, optionsReply, type Reply } from './reply.ts'
import type { Route } from './route.ts'

/**
 * Answers requests, however they arrive. The reply to a request without a route is a refusal: call it if nobody else can answer the
 * request. Code that throws gives a reply, too.
 */
export type ReplyTo = (exchange: Exchange, route: Route | undefined) => Promise<Reply>

export const answering = (engine: Engine, settings: HandlerSettings, platform: Platform): ReplyTo => {
  const ask = publicApi(engine, settings, platform)
  const local = answeringLocally(engine, settings, platform)
  const noRoute = noRouteUnder(settings)
  const replyTo = async (exchange: Exchange, route: Route | undefined): Promise<Reply> => {
    if (route === undefined) return noRoute
    const { method } = exchange
    if (!route.methods.includes(method)) return wrongMethod(route.methods)
    if (method === 'OPTIONS') return optionsReply(route.methods)
    return 'operation' in route ? ask(route, exchange) : local(route.kind)
  }
  return (exchange, route) => replyTo(exchange, route).catch(thrownReply(exchange))
}

/** Tells the hook of the host about an answered request, and ignores its errors, so that the caller still gets the answer. */
export const tell = ({ onRequest }: Pick<HandlerSettings, 'onRequest'>, request: HandledRequest): void => {
  try {
    onRequest(request)
  } catch {
    // There is nobody else to tell.
  }
}

/** @param status  the one that the request got: another one than that of the reply if the caller was gone */
export const handledRequest = (
  { method, requestId }: Pick<Exchange, 'method' | 'requestId'>,
  path: string,
  { startedAt, status, reply }: { readonly startedAt: number; readonly status: number; readonly reply: Reply },
): HandledRequest => ({
  requestId,
  method,
  path,
  status,
  durationMs: performance.now() - startedAt,
  ...(reply.code === undefined || reply.status !== status ? {} : { code: reply.code }),
  ...(reply.thrown === undefined ? {} : { thrown: reply.thrown }),
})

type LocalRoute = Exclude<Route, PublicRoute>

/** The answers that need no stamp. */
const answeringLocally = (
  engine: Engine,
  { metrics, basePath }: Pick<HandlerSettings, 'metrics' | 'basePath'>,
  platform: Platform,
) => {
  const service = probe({
    service: 'countersign',
    api: `${basePath}/public/v1`,
    keys: `${basePath}/public/v1/discovery/keys`,
    openapi: `${basePath}/openapi.json`,
  })
  let document: Reply | undefined
  return async (kind: LocalRoute['kind']): Promise<Reply> => {
    switch (kind) {
      case 'service':
        return service
      case 'health':
        return healthy
      case 'readiness':
        return readiness(engine)
      case 'openapi':
        return (document ??= asBytes(jsonReply(JSON.stringify(openApi(engine, { basePath }))), platform))
      case 'keys':
        return deploymentKeys(engine)
      case 'metrics':
        return metricsReply(metrics?.() ?? '') // without metrics there is no such route
      case 'codegen-anchor':
        return codegenAnchor
      case 'nothing':
        return nothing
      default:
        return kind satisfies never
    }
  }
}

/** It is there so that generators of clients find its types: the least that they allow. */
const codegenAnchor = jsonReply(
  JSON.stringify({ stamp: { credentialId: '', clientDataJson: '', authenticatorData: '', signature: '' } }),
)
const nothing = jsonReply('{}')

const readiness = (engine: Engine): Promise<Reply> =>
  pipe(
    engine.isReady(),
    TE.match(
      (reason) => errorReply(reason, { status: 503, headers: { 'Cache-Control': 'no-store' } }),
      () => probe({ status: 'ready' }),
    ),
  )()

const deploymentKeys = (engine: Engine): Promise<Reply> =>
  pipe(
    engine.deploymentKeys(),
    TE.match(
      (reason) => errorReply(reason),
      (keys) => jsonReply(JSON.stringify({ keys })),
    ),
  )()

const thrownReply =
  ({ requestId }: Exchange) =>
  (error: unknown): Reply => ({
    ...errorReply(failure('INTERNAL', `internal error (${requestId})`)),
    thrown: { requestId, error },
  })

const probe = (body: { readonly [member: string]: string }): Reply => {
  const reply = jsonReply(JSON.stringify(body))
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } }
}

const healthy = probe({ status: 'ok' })
const noRouteUnder = ({ basePath }: Pick<HandlerSettings, 'basePath'>): Reply => {
  const [submit, query] = ['submit', 'query'].map((kind) => `${basePath}/public/v1/${kind}`)
  return errorReply(failure('ROUTE_NOT_FOUND', `no such route; the API is under ${submit} and ${query}`))
}
const wrongMethod = (methods: readonly string[]): Reply =>
  errorReply(failure('UNSUPPORTED', `this route takes ${methods.join(', ')}`), {
    status: 405,
    headers: { Allow: methods.join(', ') },
  })
