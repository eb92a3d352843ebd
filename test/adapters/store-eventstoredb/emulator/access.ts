/** Who may do what: passwords, and the lists in the metadata of streams. */
import type { Metadata } from '@grpc/grpc-js'
import type { EventLog } from './event-log.ts'
import type { Action } from './node.ts'
import { refusals, type Refusal } from './refusals.ts'

export type Users = Readonly<Record<string, { readonly password: string; readonly groups?: readonly string[] }>>

type Caller = { readonly name: string; readonly groups: readonly string[] }

const ADMINS = '$admins'
const EVERYBODY = '$all'

/** Why the caller may not do this to the stream. Callers without a name may do nothing, as on servers from 23.10 on. */
export const deniedTo = (
  users: Users,
  log: EventLog,
  headers: Metadata,
  action: Action,
  stream: string,
): Refusal | undefined => {
  const caller = callerOf(users, headers)
  if (caller === 'wrong') return refusals.unauthenticated()
  if (caller === 'nobody') return refusals.accessDenied()
  if (caller.groups.includes(ADMINS)) return undefined
  if (stream === '$all' && action !== 'read') return refusals.accessDenied()
  const allowed = allowedIn(log, stream, action)
  const may = [EVERYBODY, caller.name, ...caller.groups].some((name) => allowed.includes(name))
  return may ? undefined : refusals.accessDenied()
}

const callerOf = (users: Users, headers: Metadata): Caller | 'nobody' | 'wrong' => {
  const header = headers.get('authorization')[0]
  if (header === undefined) return 'nobody'
  const encoded = /^Basic (.+)$/.exec(header.toString())?.[1] ?? ''
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const user = Object.hasOwn(users, name) ? users[name] : undefined
  if (user === undefined || user.password !== password.join(':')) return 'wrong'
  return { name, groups: user.groups ?? [] }
}

const KEYS = { read: '$r', write: '$w', delete: '$d' } as const
const KEYS_OF_METADATA = { read: '$mr', write: '$mw', delete: '$md' } as const

/** What the stream's metadata says; else what holds for all streams: those of the system are for administrators. */
const allowedIn = (log: EventLog, stream: string, action: Action): readonly string[] => {
  const isMetadata = stream.startsWith('$$')
  const name = isMetadata ? stream.slice(2) : stream
  const key = isMetadata ? KEYS_OF_METADATA[action] : KEYS[action]
  const listed = log.metadataOf(name).acl?.[key] ?? (name.startsWith('$') ? ADMINS : EVERYBODY)
  return typeof listed === 'string' ? [listed] : listed
}
