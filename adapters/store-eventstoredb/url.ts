import { readFileSync } from 'node:fs'
import { E } from '../../core/prelude.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { hintFor } from '../../core/options.ts'

/** What a URL names, in the terms of the client. It can be sent to a thread. */
export type Target = {
  readonly hosts: readonly Host[]
  /** Whether the one host only tells where the nodes of the cluster are. */
  readonly discovers: boolean
  /** `undefined`: without TLS. */
  readonly tls: Tls | undefined
  readonly credentials: Credentials | undefined
  readonly options: TargetOptions
}

export type Host = { readonly address: string; readonly port: number }
export type Credentials = { readonly username: string; readonly password: string }
/** The contents of files in PEM. Without a `ca`, the certificates that Node trusts count. */
export type Tls = {
  readonly ca?: Uint8Array
  readonly cert?: Uint8Array
  readonly key?: Uint8Array
}
export type TargetOptions = {
  readonly connectionName?: string
  readonly maxDiscoverAttempts?: number
  readonly discoveryInterval?: number
  readonly gossipTimeout?: number
  readonly keepAliveInterval?: number
  readonly keepAliveTimeout?: number
}

const PORT = 2113
const SCHEME = /^(?:esdb|kurrentdb)(\+discover)?:\/\//i

/**
 * Reads a URL such as `esdb://user:password@one:2113,two:2113?tlsCAFile=ca.crt`. KurrentDB's `kurrentdb:` and `kurrentdb+discover:` mean
 * the same.
 *
 * @returns `CONFIGURATION_INVALID` with a message that never has any of the URL
 */
export const targetOf = (url: string): E.Either<Failure, Target> => {
  try {
    return read(url.trim())
  } catch (error) {
    return invalid(
      error instanceof URIError ? 'a % in it is not followed by two hex digits' : 'a file that it names cannot be read',
    )
  }
}

const invalid = (reason: string): E.Either<Failure, never> =>
  E.left(failure('CONFIGURATION_INVALID', `the URL of the store cannot be used: ${reason}`))

const read = (url: string): E.Either<Failure, Target> => {
  const scheme = SCHEME.exec(url)
  if (scheme === null) return invalid('it begins with esdb://, esdb+discover://, kurrentdb:// or kurrentdb+discover://')
  const discovers = scheme[1] !== undefined
  const [, before = '', query = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(url.slice(scheme[0].length)) ?? []
  // A password may have a slash that is not escaped: only one behind the hosts is none of it.
  const authority = before.replace(/\/+$/, '')
  const at = authority.lastIndexOf('@')
  const credentials = credentialsOf(at < 0 ? undefined : authority.slice(0, at))
  if (E.isLeft(credentials)) return credentials
  const hosts = hostsOf(authority.slice(at + 1))
  if (E.isLeft(hosts)) return hosts
  if (discovers && hosts.right.length > 1)
    return invalid('with +discover it names one host; a list of hosts needs no +discover')
  const options = optionsOf(query)
  if (E.isLeft(options)) return options
  const tls = tlsOf(options.right.texts)
  if (E.isLeft(tls)) return tls
  return E.right({
    hosts: hosts.right,
    discovers,
    tls: tls.right,
    credentials: credentials.right,
    options: options.right.target,
  })
}

const credentialsOf = (text: string | undefined): E.Either<Failure, Credentials | undefined> => {
  if (text === undefined) return E.right(undefined)
  const colon = text.indexOf(':')
  if (colon < 1 || colon === text.length - 1)
    return invalid('a user in it has a name and a password, as name:password@')
  return E.right({
    username: decodeURIComponent(text.slice(0, colon)),
    password: decodeURIComponent(text.slice(colon + 1)),
  })
}

const hostsOf = (text: string): E.Either<Failure, readonly Host[]> => {
  if (text === '') return invalid('it names no host')
  const entries = text.split(',')
  const hosts: Host[] = []
  for (const [index, entry] of entries.entries()) {
    // An entry that cannot be read is not repeated: it may be a password whose user or @ was forgotten.
    const which = entries.length === 1 ? 'the host in it' : `entry ${index + 1} of its ${entries.length} hosts`
    if (entry.startsWith('[') || entry.split(':').length > 2)
      return invalid(`${which} is not host:port; an IPv6 address needs a name, since the client reads none`)
    const [, address, port] = /^([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?$/.exec(entry) ?? []
    if (address === undefined) return invalid(`${which} is not host or host:port`)
    const number = port === undefined ? PORT : Number(port)
    if (number < 1 || number > 65_535) return invalid(`${which} has a port that is not from 1 to 65535`)
    hosts.push({ address, port: number })
  }
  return E.right(hosts)
}

/** The options that a URL may have behind its question mark, and what each may be. */
const KINDS = {
  tls: 'boolean',
  tlsCAFile: 'text',
  tlsVerifyCert: 'boolean',
  userCertFile: 'text',
  userKeyFile: 'text',
  connectionName: 'text',
  maxDiscoverAttempts: 1,
  discoveryInterval: 0,
  gossipTimeout: 1,
  keepAliveInterval: -1,
  keepAliveTimeout: -1,
  nodePreference: 'text',
  throwOnAppendFailure: 'boolean',
} as const
const NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[] // the keys of an object that is written above

type Texts = { readonly [Name in keyof typeof KINDS]?: string }

const optionsOf = (query: string): E.Either<Failure, { readonly texts: Texts; readonly target: TargetOptions }> => {
  const found = new Map<keyof typeof KINDS, string>()
  for (const pair of query === '' ? [] : query.split('&')) {
    const equals = pair.indexOf('=')
    const given = decodeURIComponent(equals < 0 ? pair : pair.slice(0, equals))
    const name = NAMES.find((known) => flat(known) === flat(given))
    // A name that is nearly one of ours is told; any other could be a piece of a password.
    if (name === undefined)
      return invalid(`an option in it is unknown${hintFor(given, NAMES)}: there are ${NAMES.join(', ')}`)
    if (found.has(name)) return invalid(`${name} stands in it more than once`)
    const value = equals < 0 ? '' : decodeURIComponent(pair.slice(equals + 1)).trim()
    const wrong = wrongOption(name, value)
    if (wrong !== undefined) return invalid(wrong)
    found.set(name, value)
  }
  const texts: Texts = Object.fromEntries(found)
  const number = (name: keyof Texts & keyof TargetOptions): object => {
    const value = texts[name]
    return value === undefined ? {} : { [name]: Number(value) }
  }
  const { connectionName } = texts
  return E.right({
    texts,
    target: {
      connectionName: connectionName ?? 'countersign',
      ...number('maxDiscoverAttempts'),
      ...number('discoveryInterval'),
      ...number('gossipTimeout'),
      ...number('keepAliveInterval'),
      ...number('keepAliveTimeout'),
    },
  })
}

/** The client takes names in any case, and with dashes and underscores in them. */
const flat = (name: string): string => name.trim().toLowerCase().replace(/[_-]/g, '')

const wrongOption = (name: keyof typeof KINDS, value: string): string | undefined => {
  const kind = KINDS[name]
  if (value === '') return `${name} has no value`
  if (kind === 'boolean' && value !== 'true' && value !== 'false') return `${name} is true or false`
  if (typeof kind === 'number' && !(/^-?[0-9]{1,9}$/.test(value) && Number(value) >= kind))
    return `${name} is a whole number from ${kind} on`
  if (name === 'nodePreference' && flat(value) !== 'leader')
    return 'nodePreference is leader: the store reads and writes there only'
  if (name === 'throwOnAppendFailure' && value === 'false')
    return 'throwOnAppendFailure is true: without it the server does not tell why it refuses'
  if (name === 'tlsVerifyCert' && value === 'false')
    return 'tlsVerifyCert=false is not known to the client: name the certificate of its authority with tlsCAFile'
  return undefined
}

const tlsOf = (texts: Texts): E.Either<Failure, Tls | undefined> => {
  const { tls, tlsCAFile, userCertFile, userKeyFile } = texts
  if (tls === 'false')
    return tlsCAFile === undefined && userCertFile === undefined && userKeyFile === undefined
      ? E.right(undefined)
      : invalid('with tls=false it can name no certificate and no key')
  if ((userCertFile === undefined) !== (userKeyFile === undefined))
    return invalid('userCertFile and userKeyFile are given together')
  return E.right({
    ...(tlsCAFile === undefined ? {} : { ca: readFileSync(tlsCAFile) }),
    ...(userCertFile === undefined ? {} : { cert: readFileSync(userCertFile) }),
    ...(userKeyFile === undefined ? {} : { key: readFileSync(userKeyFile) }),
  })
}
