import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '../../core/engine.ts'
import { failure } from '../../core/failure.ts'
import { pipe, TE } from '../../core/prelude.ts'
import { isDrainable } from './body.ts'
import type { Exchange } from './exchange.ts'
import { refusalOfFraming } from './framing.ts'
import { openApi } from './openapi.ts'
import { settingsOf, type HandlerSettings, type HttpHandlerOptions } from './options.ts'
import { publicApi, type PublicRoute } from './public-api.ts'
import { asBytes, errorReply, jsonReply, metricsReply, optionsReply, send, type Reply } from './reply.ts'
import { pathOf, routeOf, type Route } from './route.ts'

/**
 * The public API for a host that has a server of its own: `createServer(httpHandler(engine))`. It answers every request, also
 * those for other paths, with 404. The limits on headers and connections are the host's to set; `httpServer` sets them.
 *
 * @throws RangeError when an option is wrong
 */
export const httpHandler = (
  engine: Engine,
  options: HttpHandlerOptions = {},
): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const answer = answering(engine, settingsOf(options))
  return (request, response) => answer({ request, response, beginBody: undefined, isInEngine: false })
}

export type Answer = (exchange: Exchange) => void

export const answering = (engine: Engine, settings: HandlerSettings): Answer => {
  const replyTo = replying(engine, settings)
  const answer = async (exchange: Exchange): Promise<void> => {
    const { request } = exchange
    const startedAt = performance.now()
    const path = pathOf(request.url ?? '')
    const reply = await replyTo(exchange, path).catch(thrownReply)
    const status = send(exchange, reply.closes || isDrainable(request, settings) ? reply : closing(reply))
    tell(settings, {
      method: request.method ?? null,
      path,
      status,
      durationMs: performance.now() - startedAt,
      ...(reply.code === undefined || reply.status !== status ? {} : { code: reply.code }),
      ...(reply.thrown === undefined ? {} : { thrown: reply.thrown }),
    })
  }
  return (exchange) => {
    answer(exchange).catch(() => exchange.response.destroy())
  }
}

/** Calls the hook of the host; what it throws must not cost a caller the answer. */
export const tell = (
  { onRequest }: Pick<HandlerSettings, 'onRequest'>,
  request: Parameters<HandlerSettings['onRequest']>[0],
): void => {
  try {
    onRequest(request)
  } catch {
    // The host's to find: there is nobody else whom one could tell.
  }
}

const replying = (engine: Engine, settings: HandlerSettings) => {
  const ask = publicApi(engine, settings)
  const local = answeringLocally(engine, settings)
  return async (exchange: Exchange, path: string): Promise<Reply> => {
    const { request } = exchange
    const refusal = refusalOfFraming(request)
    if (refusal !== undefined) return refusal
    const route = routeOf(path)
    const method = request.method ?? ''
    if (route === undefined || (route.kind === 'metrics' && settings.metrics === undefined)) return noRoute
    if (!route.methods.includes(method)) return wrongMethod(route.methods)
    if (method === 'OPTIONS') return optionsReply(route.methods)
    return 'operation' in route ? ask(route, exchange) : local(route.kind)
  }
}

type LocalRoute = Exclude<Route, PublicRoute>

/** What is answered without asking who asks. */
const answeringLocally = (engine: Engine, { metrics }: Pick<HandlerSettings, 'metrics'>) => {
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
        return (document ??= asBytes(jsonReply(JSON.stringify(openApi(engine)))))
      case 'metrics':
        return metrics === undefined ? noRoute : metricsReply(metrics())
      default:
        return kind satisfies never
    }
  }
}

const readiness = (engine: Engine): Promise<Reply> =>
  pipe(
    engine.isReady(),
    TE.match(
      (reason) => errorReply(reason, { status: 503, headers: { 'Cache-Control': 'no-store' } }),
      () => probe({ status: 'ready' }),
    ),
  )()

const closing = (reply: Reply): Reply => ({ ...reply, closes: true })

const thrownReply = (error: unknown): Reply => {
  const requestId = randomUUID()
  return {
    ...errorReply(failure('INTERNAL', `internal error (${requestId})`)),
    thrown: { requestId, error },
  }
}

const probe = (body: { readonly [member: string]: string }): Reply => {
  const reply = jsonReply(JSON.stringify(body))
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } }
}

const healthy = probe({ status: 'ok' })
const service = probe({ service: 'countersign', api: '/public/v1', openapi: '/openapi.json' })
const noRoute = errorReply(
  failure('ROUTE_NOT_FOUND', 'no such route; the API is under /public/v1/submit and /public/v1/query'),
)
const wrongMethod = (methods: readonly string[]): Reply =>
  errorReply(failure('UNSUPPORTED', `this route takes ${methods.join(', ')}`), {
    status: 405,
    headers: { Allow: methods.join(', ') },
  })
