import { failure, type Failure, type FailureCode } from '../../core/failure.ts'
import { Refusal } from '../../core/ports/refusal.ts'
import { placeOf, withCause } from '../../core/telemetry/cause.ts'

/**
 * Turns what was thrown into a failure. The message never has a text of the server or of the driver: such a text may quote values, and a
 * failed connection names users and hosts. The cause has the code alone.
 */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof Refusal) return error.failure
  const code = codeOf(error)
  const [to, message] = ofPooler(error, code) ?? known[code] ?? known[code.slice(0, 2)] ?? otherwise(error, code)
  return withCause(failure(to, message), () => ({ code: code === '' ? placeOf(error) : code }))
}

/** The SQLSTATE of the server, or the name that the system or TLS gave. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code.slice(0, 100) : ''

/** Whether the server answered the statement with an error, so that the connection can still be used. */
export const isAnswer = (error: unknown): boolean => {
  const code = codeOf(error)
  return /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|57P0|25P03|EPIPE)/.test(code)
}

/** Whether the server refused because of its own state, whatever the statement was: others would be refused, too. */
export const isBusy = (error: unknown): boolean => /^(?:25|40|53|55|57)/.test(codeOf(error))

/** Whether the statement would have written what a unique index has already. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === '23505'

type Known = readonly [FailureCode, string]

/** PgBouncer gives everything that it refuses one code; only its texts differ. */
const ofPooler = (error: unknown, code: string): Known | undefined => {
  if (code !== '08P01' || !(error instanceof Error)) return undefined
  if (/authentication failed|no such user|auth failed/i.test(error.message)) return NO_PASSWORD
  if (/no such database/i.test(error.message)) return NO_DATABASE
  if (/statement pooling/i.test(error.message)) return STATEMENTS
  if (/no more connections|query_wait_timeout|too many/i.test(error.message)) return FULL
  return undefined
}

const otherwise = (error: unknown, code: string): Known => {
  const message = error instanceof Error ? error.message : ''
  if (/^SASL|password/i.test(message)) return NO_PASSWORD
  if (/SSL/.test(message) || /^(?:ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(code)) return NO_TLS
  if (/^Connection terminated|^Query read timeout|timeout|Client has encountered|^Cannot use a pool/i.test(message))
    return LOST
  if (code !== '') return ['UNAVAILABLE', `the database does not answer (${code})`]
  return ['INTERNAL', 'the store failed in an unexpected way']
}

const LOST: Known = ['UNAVAILABLE', 'the connection to the database was lost: try again']
const NO_PASSWORD: Known = ['CONFIGURATION_INVALID', 'the database refuses the user or the password of the store']
const NO_DATABASE: Known = ['CONFIGURATION_INVALID', 'there is no such database']
const STATEMENTS: Known = [
  'CONFIGURATION_INVALID',
  'the pooler before the database allows no transactions: set its pool_mode to transaction or session',
]
const NO_TLS: Known = [
  'CONFIGURATION_INVALID',
  'the server does not speak TLS, or its certificate is not trusted: check sslmode',
]
const NO_RIGHTS: Known = [
  'CONFIGURATION_INVALID',
  'the user of the store has not the rights that it needs on the schema',
]
const DAMAGED: Known = ['STORE_UNREADABLE', 'the tables of the store are not as they were made: restore a backup']
const BUSY: Known = ['UNAVAILABLE', 'the database was too busy to finish in time: try again']
const FULL: Known = ['UNAVAILABLE', 'the database has no room or no connection left: make room and try again']
const STARTING: Known = ['UNAVAILABLE', 'the database is starting or stopping: try again']
const NO_SERVER: Known = ['UNAVAILABLE', 'the database cannot be reached: check that it runs, and the address']

/** By SQLSTATE, by its class, or by the system's name. */
const known: { readonly [code: string]: Known } = {
  '28': NO_PASSWORD,
  '3D000': NO_DATABASE,
  '42501': NO_RIGHTS,
  '42P01': DAMAGED,
  '42703': DAMAGED,
  '42804': DAMAGED,
  '3F000': DAMAGED,
  '23': DAMAGED,
  XX: ['STORE_UNREADABLE', 'the database is damaged: restore a backup'],
  '25006': ['UNAVAILABLE', 'the database takes no writes: it is a standby, or set to read only'],
  '55P03': BUSY,
  '57014': BUSY,
  '25P03': BUSY,
  '25P02': BUSY,
  '40': BUSY,
  '53': FULL,
  '57P01': STARTING,
  '57P02': STARTING,
  '57P03': STARTING,
  '08': LOST,
  ECONNREFUSED: NO_SERVER,
  ENOTFOUND: NO_SERVER,
  EAI_AGAIN: NO_SERVER,
  EHOSTUNREACH: NO_SERVER,
  ENETUNREACH: NO_SERVER,
  ETIMEDOUT: NO_SERVER,
  ENOENT: NO_SERVER,
  ECONNRESET: LOST,
  EPIPE: LOST,
}
