/** What a path leads to, and the methods that it takes. */
export type Route = Readonly<
  | { kind: 'submit' | 'query'; operation: string; methods: readonly string[] }
  | { kind: 'service' | 'health' | 'readiness' | 'openapi' | 'metrics'; methods: readonly string[] }
>

const GET = ['GET', 'HEAD', 'OPTIONS']
const METRICS = ['GET', 'HEAD'] // no page of another origin has any business there
const POST = ['POST', 'OPTIONS']
const PUBLIC_API = /^\/public\/v1\/(submit|query)\/([a-z0-9_]{1,128})$/

/** The route of a path as `pathOf` gives it. Whether there is such an operation is for the engine to say. */
export const routeOf = (path: string): Route | undefined => {
  const [, kind, operation] = PUBLIC_API.exec(path) ?? []
  if (operation !== undefined) return { kind: kind === 'submit' ? 'submit' : 'query', operation, methods: POST }
  if (path === '/') return { kind: 'service', methods: GET }
  if (path === '/healthz') return { kind: 'health', methods: GET }
  if (path === '/readyz') return { kind: 'readiness', methods: GET }
  if (path === '/openapi.json') return { kind: 'openapi', methods: GET }
  if (path === '/metrics') return { kind: 'metrics', methods: METRICS }
  return undefined
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
