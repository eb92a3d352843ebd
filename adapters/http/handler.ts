import type { IncomingMessage, ServerResponse } from 'node:http'
import { tasksOf, type PromisedEngine } from '../../core/door/promised-engine.ts'
import type { Engine } from '../../core/engine.ts'
import { answering, handledRequest, tell } from './answering.ts'
import { refusalOfFraming } from './framing.ts'
import { NodeExchange, nodePlatform, type NodeRequest } from './node-exchange.ts'
import { settingsOf, type HandlerSettings, type HttpHandlerOptions } from './options.ts'
import { publicApi } from './public-api.ts'
import type { Reply } from './reply.ts'
import { requestIds } from './request-id.ts'
import { pathOf, type Route, type Service } from './service.ts'

/**
 * A listener for requests of Node, and a middleware for frameworks like Express. It calls `next` for a request that has no route here; if it
 * gets no `next`, it answers such a request with 404.
 *
 * @param next  hands the request to whoever comes next
 */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/**
 * The public API for a host that has a server of its own: `createServer(httpHandler(engine))`, or `app.use(httpHandler(engine))`. Mount it
 * before body parsers (docs/how-to/mount.md). The host has to set the limits on headers and connections; `httpServer` sets them itself.
 *
 * @throws RangeError if an option is wrong
 */
export const httpHandler = (
  engine: Engine | Pick<PromisedEngine, 'tasks'>,
  options: HttpHandlerOptions = {},
): HttpHandler => {
  const settings = settingsOf(options)
  const { routeFor, answer } = answeringNode(publicApi(tasksOf(engine), settings, nodePlatform), settings)
  const idOf = requestIds(settings.trustedProxies)
  return (request, response, next) => {
    if (next !== undefined && routeFor(request) === undefined) next()
    else answer(new NodeExchange(request, response, idOf))
  }
}

export type Answer = (exchange: NodeExchange) => void

/** Answers requests of Node, and those without a route with 404. */
export const answeringNode = (
  service: Service,
  settings: HandlerSettings,
): { readonly routeFor: RouteFor; readonly answer: Answer } => {
  const replyTo = answering(service)
  const routeFor = routing(service.routeOf)
  const answer = async (exchange: NodeExchange): Promise<void> => {
    const { request } = exchange
    const startedAt = performance.now()
    // It waits in any case: the parser may find an error in the same bytes, and that error has to be known before the reply is sent.
    const reply = await (refusalOfFraming(request) ?? replyTo(exchange, routeFor(request)))
    const status = exchange.send(reply.closes || isDrainable(exchange, settings) ? reply : closing(reply))
    tell(settings, handledRequest(exchange, pathOf(targetOf(request)), { startedAt, status, reply }))
  }
  return { routeFor, answer: (exchange) => void answer(exchange).catch(() => exchange.response.destroy()) }
}

const targetOf = ({ originalUrl, url }: NodeRequest): string => originalUrl ?? url ?? ''

/**
 * Finds the route of a request by its path as the caller sent it. If a framework has taken a prefix from it and there is no route, the rest
 * may have one: `app.use('/countersign', httpHandler(engine))`.
 */
const routing =
  (routeOf: Service['routeOf']): RouteFor =>
  ({ originalUrl, url = '' }) => {
    const route = routeOf(pathOf(originalUrl ?? url))
    return route !== undefined || originalUrl === undefined || originalUrl === url ? route : routeOf(pathOf(url))
  }

type RouteFor = (request: NodeRequest) => Route | undefined

/** Whether to read the rest of a request to keep its connection: its length must be known and small. */
const isDrainable = (exchange: NodeExchange, { bodyBytesMax }: Pick<HandlerSettings, 'bodyBytesMax'>): boolean => {
  const { headers, complete } = exchange.request
  if (complete) return true
  if (headers.expect !== undefined || headers['transfer-encoding'] !== undefined) return false
  return (exchange.contentLength() ?? 0) <= bodyBytesMax
}

const closing = (reply: Reply): Reply => ({ ...reply, closes: true })
