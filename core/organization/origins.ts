import * as t from '../codec/t.ts'
import { state } from './state.ts'

/*
 * Our own pattern, and not the platform's parser of addresses: an audit checks old requests again, and parsers change.
 */
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const ORIGIN = new RegExp(`^(https?)://(${LABEL}(?:\\.${LABEL})*|\\[[0-9a-f:.]{2,45}\\])(?::([1-9][0-9]{0,4}))?$`)
const HOST_LENGTH_MAX = 253
const PORT_MAX = 65_535
const DEFAULT_PORTS: { readonly [scheme: string]: string } = { http: '80', https: '443' }

/**
 * Whether the text is an origin of the web exactly as browsers write it: scheme, host and, unless it is the scheme's own, port; in lower
 * case, without a slash at the end.
 */
export const isOrigin = (text: string): boolean => {
  const [, scheme = '', host = '', port] = ORIGIN.exec(text) ?? []
  if (host === '' || host.length > HOST_LENGTH_MAX) return false
  return port === undefined || (Number(port) <= PORT_MAX && port !== DEFAULT_PORTS[scheme])
}

/**
 * The origin in the form of browsers: people write it in any case, with the scheme's own port, or with a slash at the end. `undefined` if it is
 * none.
 */
export const originOf = (text: string): string | undefined => {
  if (text.length > ORIGIN_LENGTH_MAX || !ASCII.test(text)) return undefined // the small form of some other letters is in ASCII
  const small = text.toLowerCase().replace(/\/$/, '')
  const [, scheme = '', port = ''] = /^(https?):\/\/.*?(:[0-9]+)?$/.exec(small) ?? []
  const origin = port !== '' && port === `:${DEFAULT_PORTS[scheme]}` ? small.slice(0, -port.length) : small
  return isOrigin(origin) ? origin : undefined
}
const ASCII = /^[!-~]*$/
const ORIGIN_LENGTH_MAX = 'https://'.length + HOST_LENGTH_MAX + ':65535/'.length

/** The origins of a comma-separated list, each once; undefined if it is none, or has another text, or one twice. */
export const originsIn = (text: string): ReadonlySet<string> | undefined => {
  const listed = text.split(',')
  const origins = new Set(listed)
  return listed.every(isOrigin) && origins.size === listed.length ? origins : undefined
}

/** Every origin may ask, which browsers say anyway. */
export const ANY_ORIGIN = '*'

/** An origin of a list, in the form of browsers. */
const Origin = t.canonical(t.string, 'an exact origin, such as https://app.example.com, or * alone for all', (text) =>
  text === ANY_ORIGIN ? text : originOf(text),
)

/** The most origins of a list. */
export const ORIGINS_MAX = 100

/** A list of origins of a request: at most so many, or `*` alone. */
export const Origins = t.list(Origin)

/** What is wrong with the list as a whole. */
export const mistakeInOrigins = (origins: readonly string[]) => {
  if (origins.length > ORIGINS_MAX) return { member: 'allowedOrigins', expected: `at most ${ORIGINS_MAX} origins` }
  return origins.length > 1 && origins.includes(ANY_ORIGIN)
    ? { member: 'allowedOrigins', expected: '* alone, or origins' }
    : undefined
}

/** The origins that `update_allowed_origins` has set, each once, in the order of that request; none, as long as all are allowed. */
export const allowedOrigins = state({
  name: 'allowed-origins',
  version: 1,
  codec: t.fields({ origins: t.array(t.string) }),
  initial: (): { origins: string[] } => ({ origins: [] }),
})
