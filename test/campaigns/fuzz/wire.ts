import type { Random } from '../simulate/random.ts'

/** What is sent: a request before it is bytes. */
export type Letter = {
  readonly method: string
  readonly path: string
  readonly version: string
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

export const bytesOf = ({ method, path, version, headers, body }: Letter): Uint8Array =>
  Buffer.concat([Buffer.from([`${method} ${path} ${version}`, ...headers, '', ''].join('\r\n'), 'latin1'), body])

/** The letter with a header, or what stands around the headers, spoilt. */
export const withSpoiltHeaders = (letter: Letter, random: Random): Letter => {
  const { headers, body } = letter
  const at = random.below(headers.length)
  const header = headers[at] ?? ''
  const put = (...lines: readonly string[]): Letter => ({
    ...letter,
    headers: [...headers.slice(0, at), ...lines, ...headers.slice(at + 1)],
  })
  const add = (...lines: readonly string[]): Letter => put(header, ...lines)
  return random.pick([
    () => put(),
    () => add(header),
    () => put(header.toUpperCase()),
    () => put(header.replace(':', ' :')),
    () => put(header.replace(':', '')),
    () => put(header.replace(': ', ':\r\n ')),
    () => put(`${header}\u0000`),
    () => put(`${header}${String.fromCodePoint(128 + random.below(128))}`),
    () => put(header.slice(0, 1 + random.below(header.length))),
    () => put(`${header}, ${header}`),
    () => put(`${header}\n${header}`),
    () => add(random.pick(ODD_HEADERS)),
    () => add(random.pick(ODD_HEADERS), random.pick(ODD_HEADERS)),
    () => add(`X-Forwarded-For: ${'203.0.113.7, '.repeat(random.below(300))}::1`),
    () => add(...Array.from({ length: 400 }, (_, n) => `X-${n}: ${n}`)),
    () => add(`X-Long: ${'x'.repeat(random.pick([8000, 16_000, 40_000]))}`),
    () =>
      add(`Content-Length: ${random.pick([body.length, 0, body.length + 5, -1, '1e3', '0x10', '99999999999', '+2'])}`),
    () => ({ ...letter, method: random.pick(METHODS) }),
    () => ({ ...letter, version: random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 ', 'http/1.1', '']) }),
  ])()
}

const ODD_HEADERS: readonly string[] = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Content-Encoding: gzip',
  'Content-Type: text/html; charset=utf-7',
  'Expect: 100-continue',
  'Expect: a-miracle',
  'Connection: upgrade',
  'Connection: close, keep-alive',
  'Upgrade: h2c',
  'Host: other, host',
  'Host:',
  'Accept: ../../etc/passwd',
  'X-Client-Version: \u0001',
  'User-Agent: turnkey-',
  'X-Stamp-WebAuthn: {}',
  'X-Session: x',
  'Cookie: a=b',
  'Authorization: Basic eDp5',
  '__proto__: x',
  'constructor: x',
  ': x',
  ' folded: x',
]

const METHODS = ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT', 'post', 'P0ST', '', 'PROPFIND', 'PRI']

/** The letter to another place, or to the same one by another name. */
export const withSpoiltPath = (letter: Letter, random: Random): Letter => {
  const { path } = letter
  const name = path.slice(path.lastIndexOf('/') + 1)
  const folder = path.slice(0, -name.length)
  const at = random.below(path.length)
  const to = random.pick([
    () => path.slice(0, at) + path.slice(at + 1),
    () => `${path.slice(0, at)}${random.pick(ODD_TEXTS)}${path.slice(at)}`,
    () => `${folder}${random.pick(ODD_NAMES)}`,
    () => `/${path}`,
    () => `${path}/`,
    () => `${path}?a=${random.pick(ODD_TEXTS)}`,
    () => `${path}#fragment`,
    () => path.toUpperCase(),
    () => (path.includes('submit') ? path.replace('submit', 'query') : path.replace('query', 'submit')),
    () => `${folder}${encodeURIComponent(name).replace('_', '%5f')}`,
    () => `http://elsewhere.example${path}`,
    () => `//elsewhere.example${path}`,
    () => random.pick(['*', '/', '', '/healthz', '/readyz', '/metrics', '/openapi.json', '/..', '/public/v1/submit/']),
    () => `${path}${'a'.repeat(random.pick([100, 129, 8000]))}`,
  ])()
  return { ...letter, path: to }
}

const ODD_TEXTS = [
  '%00',
  '%2e%2e',
  '/../',
  '%',
  '%zz',
  '\u00ff',
  '\u0000',
  ';',
  '//',
  '\\',
  ' ',
  '\t',
  '<script>',
  '${a}',
]
const ODD_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'create_organization',
  'whoami',
  'approve_activity',
  'no_such_thing',
  '0',
  '',
]
