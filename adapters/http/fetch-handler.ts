import { tasksOf, type PromisedEngine } from '../../core/door/promised-engine.ts'
import type { Engine } from '../../core/engine.ts'
import { answering, handledRequest, tell } from './answering.ts'
import { FetchExchange, webPlatform } from './fetch-exchange.ts'
import { settingsOf, type HttpHandlerOptions } from './options.ts'
import { publicApi } from './public-api.ts'
import { requestIds } from './request-id.ts'
import { pathOf, type Route } from './service.ts'

export type { HandledRequest, HttpHandlerOptions, StaticFile } from './options.ts'

/** What the host knows about a caller, and a `Request` does not say. */
export type Caller = {
  /**
   * The IP address from which the connection came: of the caller, or of one of the `trustedProxies`. Without it, the request has no
   * address, and `X-Forwarded-For` is not believed.
   */
  readonly address?: string | null | undefined
}

/**
 * Answers a request, or gives undefined if the request has no route here: then somebody else has to answer it, and its body
 * was not touched.
 */
export type FetchHandler = (request: Request, caller?: Caller) => Promise<Response | undefined>

/**
 * The public API as a function of the web's `Request` and `Response`, for Hono, Next, Bun, Deno and workers (docs/how-to/mount.md). The host
 * has to set the limits on headers and connections.
 *
 * @throws RangeError if an option is wrong
 * @example const response = (await handler(request, { address })) ?? new Response('not found', { status: 404 })
 */
export const fetchHandler = (
  engine: Engine | Pick<PromisedEngine, 'tasks'>,
  options: HttpHandlerOptions = {},
): FetchHandler => {
  const settings = settingsOf(options)
  const idOf = requestIds(settings.trustedProxies)
  const { routeOf, noRoute } = publicApi(tasksOf(engine), settings, webPlatform)
  const replyTo = answering({ noRoute })
  const answer = async (exchange: FetchExchange, route: Route, path: string): Promise<void> => {
    const startedAt = performance.now()
    const reply = await replyTo(exchange, route)
    const status = exchange.send(reply)
    tell(settings, handledRequest(exchange, path, { startedAt, status, reply }))
  }
  return async (request, caller) => {
    const path = pathOf(new URL(request.url).pathname)
    const route = routeOf(path)
    if (route === undefined) return undefined
    const exchange = new FetchExchange(request, caller?.address, idOf)
    answer(exchange, route, path).catch(exchange.fail)
    return exchange.answer
  }
}
