import type { Exchange } from './exchange.ts'
import type { Reply } from './reply.ts'

/** What answers requests, however they arrive: the engine's API, or what stands before it. */
export type Service = {
  /** The route of a path as `pathOf` gives it. */
  readonly routeOf: (path: string) => Route | undefined
  /** The refusal of a request that has no route, if nobody else can answer it. */
  readonly noRoute: Reply
}

/** A submit or a query of an engine, whatever its operation. */
export const ENGINE_ROUTE = /^\/public\/v1\/(submit|query)\/([a-z0-9_]{1,128})$/

/** What answers a path. */
export type Route = {
  /** Those that it takes; OPTIONS among them if pages of other origins may use it. */
  readonly methods: readonly string[]
  readonly reply: (exchange: Exchange) => Reply | Promise<Reply>
  /** The answer to OPTIONS. Default: pages of any origin may send what the public API takes. */
  readonly preflight?: (exchange: Exchange) => Reply
}

/**
 * The path of a request target, without its query string. A server must take the absolute form, too (RFC 9112, 3.2.2);
 * and clients append paths to a base URL that may end in a slash, so several slashes at the start are one.
 */
export const pathOf = (target: string): string => {
  const query = target.indexOf('?')
  const path = query < 0 ? target : target.slice(0, query)
  return isPlain(path) ? path : path.replace(/^https?:\/\/[^/]*/i, '').replace(/^\/*/, '/')
}

const isPlain = (path: string): boolean => path.startsWith('/') && path[1] !== '/'
