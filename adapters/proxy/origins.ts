import { originOf } from '../../core/organization/origins.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Reply } from '../http/reply.ts'

/* Who may use the proxy from a page. A page cannot lie about its origin; other programs can, so this protects the users of browsers only. */

const ANY = '*'

/**
 * Whether a page of the origin may use the proxy. `null`, which many pages in sandboxes and from files have, is none.
 *
 * @param origin  the header; `undefined` if the caller is no page, such as an app of a phone
 * @param allowed  as the API keeps them: in one spelling, or `*`
 */
export const isAllowed = (origin: string | undefined, allowed: readonly string[], isRequired: boolean): boolean => {
  if (origin === undefined) return !isRequired
  if (allowed.includes(ANY)) return true
  const known = origin.endsWith('/') ? undefined : originOf(origin) // a setting may end in a slash, and a header never does
  return known !== undefined && allowed.includes(known)
}

const ALLOWED = 'Access-Control-Allow-Origin'

/** The reply for pages of one origin; `undefined`: for callers that are no pages. */
export const forOrigin = (reply: Reply, origin: string | undefined): Reply => {
  const headers = Object.entries(reply.headers).filter(([name]) => name !== ALLOWED)
  const allowed = origin === undefined ? {} : { [ALLOWED]: origin }
  return { ...reply, headers: { ...Object.fromEntries(headers), ...allowed, Vary: 'Origin' } }
}

/** Says nothing to the page: no script of another origin can read it. */
export const originNotAllowed: Reply = {
  status: 403,
  headers: { 'Content-Type': 'application/json', Vary: 'Origin' },
  body: '{"code":7,"message":"origin not allowed","details":[]}',
  closes: false,
  code: 'REQUEST_NOT_AUTHORIZED',
}

/** The answer to OPTIONS: it cannot know the tenant, because browsers ask without the values of headers. So every origin may ask, and POST decides. */
export const preflight = (exchange: Exchange): Reply =>
  forOrigin(
    {
      status: 204,
      headers: {
        'Access-Control-Allow-Methods': 'POST, OPTIONS',
        'Access-Control-Allow-Headers': headersFor(exchange.header('access-control-request-headers')),
        'Access-Control-Max-Age': '600',
      },
      body: null,
      closes: false,
    },
    exchange.header('origin'),
  )

const HEADERS = ['content-type', 'x-auth-proxy-config-id', 'x-captcha-token']
/** Names of headers (RFC 9110, 5.6.2), each once, and no more than any client has. */
const NAMES = /^[\w!#$%&'*+.^`|~-]{1,64}(?: *, *[\w!#$%&'*+.^`|~-]{1,64}){0,31}$/

const headersFor = (wanted: string | undefined): string => {
  const more = wanted !== undefined && NAMES.test(wanted) ? wanted.toLowerCase().split(/ *, */) : []
  return [...new Set([...HEADERS, ...more])].join(', ')
}
