import { isUuid } from '../codec.ts'
import { failure, fieldViolations, type Failure, type Json } from '../failure.ts'
import { parseStrict } from '../json/strict-json.ts'
import { E, pipe } from '../prelude.ts'

/** What every submitted body says, whatever the activity: the bytes that were stamped, read once. */
export type Envelope = {
  /** Lower case. */
  readonly organizationId: string
  /** Of the activity, or of the vote. */
  readonly type: string
  /** When the caller made it, by the caller's clock. */
  readonly timestampMs: number
  /** For the codec of the operation. */
  readonly parameters: Json
}

/**
 * Reads the body of a submitted request. Members that it does not know are dropped: they stay part of the fingerprint.
 *
 * @returns `INVALID_ORGANIZATION_ID`, else `REQUEST_INVALID` (or `REQUEST_TOO_LARGE` for too deep a nesting)
 */
export const parseEnvelope = (body: Uint8Array): E.Either<Failure, Envelope> =>
  pipe(
    parseStrict(body),
    E.flatMap((json) => E.flatMap((organizationId: string) => envelopeOf(organizationId, json))(organizationOf(json))),
  )

/** The organization that a body is for: known before anything else of it is looked at, its stamp included. */
export const organizationOf = (body: Json): E.Either<Failure, string> => {
  const organizationId = memberOf(body, 'organizationId')
  return typeof organizationId === 'string' && isUuid(organizationId)
    ? E.right(organizationId.toLowerCase())
    : E.left(failure('INVALID_ORGANIZATION_ID', 'malformed organization ID provided'))
}

/** The rest of it, from the parsed body. */
export const envelopeOf = (organizationId: string, body: Json): E.Either<Failure, Envelope> => {
  const type = memberOf(body, 'type')
  if (typeof type !== 'string' || type === '') return invalid('type', 'an activity type')
  const timestampMs = timestampOf(body)
  if (timestampMs === undefined) return invalid('timestampMs', 'milliseconds since the epoch, in a string')
  const parameters = memberOf(body, 'parameters')
  return parameters === undefined
    ? invalid('parameters', 'an object')
    : E.right({ organizationId, type, timestampMs, parameters })
}

/** When the caller made a request, by the caller's clock; undefined where the body does not say. */
export const timestampOf = (body: Json): number | undefined => millisOf(memberOf(body, 'timestampMs'))

/**
 * Whether a body asks for an activity, or votes on one: then its stamp is no question. Such bodies are kept in the log, and
 * shown to everyone who sees the votes.
 */
export const isForActivity = (body: Json): boolean => {
  const type = memberOf(body, 'type')
  return typeof type === 'string' && type.startsWith('ACTIVITY_TYPE_')
}

// Decimal digits as the clients write them; a number, as other encoders of the same schema do. Nothing else: no sign,
// no exponent, no zeros before.
const millisOf = (timestampMs: Json | undefined): number | undefined => {
  if (typeof timestampMs === 'number')
    return Number.isSafeInteger(timestampMs) && timestampMs >= 0 ? timestampMs : undefined
  return typeof timestampMs === 'string' && /^(?:0|[1-9][0-9]{0,14})$/.test(timestampMs)
    ? Number(timestampMs)
    : undefined
}

const memberOf = (json: Json, name: string): Json | undefined =>
  json !== null && typeof json === 'object' && Object.hasOwn(json, name)
    ? (json as { readonly [name: string]: Json })[name] // an array has none of the names above
    : undefined

const invalid = (field: string, expected: string): E.Either<Failure, never> =>
  E.left(
    fieldViolations(`invalid request body at ${field}: expected ${expected}`, [
      { field, description: `expected ${expected}` },
    ]),
  )
