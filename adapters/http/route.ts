import { behindBasePath } from './base-path.ts'
import type { Document, Documents } from './documents.ts'

/** What answers a path, and its methods. */
export type Route = PublicRoute | Document
export type PublicRoute = {
  readonly kind: 'submit' | 'query'
  readonly operation: string
  readonly methods: readonly string[]
}

const POST = ['POST', 'OPTIONS']
const PUBLIC_API = /^\/public\/v1\/(submit|query)\/([a-z0-9_]{1,128})$/

/** The routes under a base path. The engine decides whether there is such an operation. */
export const routes =
  (basePath: string, documents: Documents) =>
  (path: string): Route | undefined => {
    const rest = behindBasePath(basePath, path)
    if (rest === undefined) return undefined
    const [, kind, operation] = PUBLIC_API.exec(rest) ?? []
    return operation === undefined
      ? documents.get(rest)
      : { kind: kind === 'submit' ? 'submit' : 'query', operation, methods: POST }
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
