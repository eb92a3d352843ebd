import * as t from 'io-ts'
import { fields } from '../codec/fields.ts'
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

/** The origins that `update_allowed_origins` has set, in the order of that request; or `*` alone, which is the default. */
export const allowedOrigins = state({
  name: 'allowed-origins',
  version: 1,
  codec: fields({ origins: t.array(t.string) }),
  initial: (): { origins: string[] } => ({ origins: [ANY_ORIGIN] }),
})
