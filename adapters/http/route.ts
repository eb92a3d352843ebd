import { behindBasePath } from './base-path.ts'
import type { HandlerSettings } from './options.ts'

/** The target of a path, and its methods. */
export type Route = Readonly<
  | { kind: 'submit' | 'query'; operation: string; methods: readonly string[] }
  | {
      kind: 'service' | 'health' | 'readiness' | 'openapi' | 'keys' | 'metrics' | 'codegen-anchor' | 'nothing'
      methods: readonly string[]
    }
>

const GET = ['GET', 'HEAD', 'OPTIONS']
const METRICS = ['GET', 'HEAD'] // no OPTIONS, because pages of other origins must not read it
const POST = ['POST', 'OPTIONS']
/** Paths of the public API that are for its maker: they do nothing here. */
const INTERNAL = '/tkhq/api/v1/'
const PUBLIC_API = /^\/public\/v1\/(submit|query)\/([a-z0-9_]{1,128})$/

/** The route of a path as `pathOf` gives it. The engine decides whether there is such an operation. */
export const routeOf = (path: string): Route | undefined => {
  const [, kind, operation] = PUBLIC_API.exec(path) ?? []
  if (operation !== undefined) return { kind: kind === 'submit' ? 'submit' : 'query', operation, methods: POST }
  if (path === '/') return { kind: 'service', methods: GET }
  if (path === '/healthz') return { kind: 'health', methods: GET }
  if (path === '/readyz') return { kind: 'readiness', methods: GET }
  if (path === '/openapi.json') return { kind: 'openapi', methods: GET }
  if (path === '/public/v1/discovery/keys') return { kind: 'keys', methods: GET }
  if (path === '/metrics') return { kind: 'metrics', methods: METRICS }
  if (path === `${INTERNAL}noop-codegen-anchor`) return { kind: 'codegen-anchor', methods: POST }
  if (path === `${INTERNAL}refresh_feature_flags` || path === `${INTERNAL}test_rate_limits`)
    return { kind: 'nothing', methods: POST }
  return undefined
}

/** The routes that there are under a base path. */
export const routes =
  ({ basePath, metrics }: Pick<HandlerSettings, 'basePath' | 'metrics'>) =>
  (path: string): Route | undefined => {
    const rest = behindBasePath(basePath, path)
    const route = rest === undefined ? undefined : routeOf(rest)
    return route?.kind === 'metrics' && metrics === undefined ? undefined : route
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
