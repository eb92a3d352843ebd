import { readFileSync } from 'node:fs'
import { E } from '../../core/prelude.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { hintFor } from '../../core/options.ts'

/** Where a database is, in the options of `pg`: one set for each host that the URL names. */
export type Target = {
  readonly hosts: readonly object[]
  /** The schema that the URL names. */
  readonly schema?: string | undefined
}

/** The options that a URL may have behind its question mark. */
const OPTIONS = ['schema', 'host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name']
const SCHEME = /^postgres(?:ql)?:\/\//i

/**
 * Reads a URL such as `postgres://user:password@one:5432,two/database?schema=countersign`.
 *
 * @returns `CONFIGURATION_INVALID` with a message that never has any of the URL
 */
export const targetOf = (url: string): E.Either<Failure, Target> => {
  try {
    return read(url)
  } catch (error) {
    // `decodeURIComponent`, or a file of a certificate that is not there
    return invalid(
      error instanceof URIError ? 'a % in it is not followed by two hex digits' : 'a file that it names cannot be read',
    )
  }
}

const read = (url: string): E.Either<Failure, Target> => {
  if (!SCHEME.test(url)) return invalid('it begins with postgres:// or postgresql://')
  const [, authority = '', path = '', query = ''] =
    /^([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(url.replace(SCHEME, '')) ?? []
  const at = authority.lastIndexOf('@')
  const [user = '', ...password] = (at < 0 ? '' : authority.slice(0, at)).split(':')
  const places = authority.slice(at + 1)
  const options = optionsOf(query)
  if (E.isLeft(options)) return options
  const { schema, host, application_name: name, ...tls } = options.right
  if (places === '' && host === undefined) return invalid('it names no host')
  if (path === '') return invalid('it names no database')
  const hosts = (places === '' ? [host ?? ''] : places.split(',')).map(hostOf)
  const common = {
    ...(user === '' ? {} : { user: decodeURIComponent(user) }),
    ...(password.length === 0 ? {} : { password: decodeURIComponent(password.join(':')) }),
    database: decodeURIComponent(path),
    application_name: name ?? 'countersign',
  }
  const found: object[] = []
  for (const one of hosts) {
    if (one === undefined) return invalid('a host or a port in it is none')
    const ssl = tlsOf(tls, one.host)
    if (E.isLeft(ssl)) return ssl
    found.push({ ...common, ...one, ssl: ssl.right })
  }
  return E.right({ hosts: found, schema })
}

const invalid = (reason: string): E.Either<Failure, never> =>
  E.left(failure('CONFIGURATION_INVALID', `the URL of the store cannot be used: ${reason}`))

type Options = { readonly [name: string]: string }

const optionsOf = (query: string): E.Either<Failure, Options> => {
  const options: [string, string][] = []
  for (const [name, value] of new URLSearchParams(query)) {
    // A name that is nearly one of ours is told; any other could be a piece of a password.
    if (!OPTIONS.includes(name))
      return invalid(`an option in it is unknown${hintFor(name, OPTIONS)}: there are ${OPTIONS.join(', ')}`)
    options.push([name, value])
  }
  return E.right(Object.fromEntries(options))
}

type Host = { readonly host: string; readonly port?: number }

/** A name, an address, `[::1]` for IPv6, or the folder of a socket with %2F; with a port or without. */
const hostOf = (text: string): Host | undefined => {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::([0-9]{1,5}))?$/i.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1) return undefined
  return { host: decodeURIComponent(host), ...(port === undefined ? {} : { port: Number(port) }) }
}

const MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/** The modes mean what they mean for PostgreSQL's own programs; those that fall back to no TLS without a word are left out. */
const tlsOf = (
  { sslmode = 'disable', sslrootcert, sslcert, sslkey }: Options,
  host: string,
): E.Either<Failure, object | false> => {
  if (!MODES.includes(sslmode)) return invalid(`sslmode is one of ${MODES.join(', ')}`)
  if (sslmode === 'disable') return E.right(false)
  const file = (name: string, path: string | undefined): object =>
    path === undefined ? {} : { [name]: readFileSync(path) }
  return E.right({
    ...file('ca', sslrootcert),
    ...file('cert', sslcert),
    ...file('key', sslkey),
    ...(host.startsWith('/') ? {} : { servername: host }),
    rejectUnauthorized: sslmode !== 'require',
    ...(sslmode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  })
}
