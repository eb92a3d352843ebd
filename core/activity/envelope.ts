import { isUuid } from '../codec/codec.ts'
import { failure, fieldViolations, type Failure, type Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import { parseStrict } from '../json/strict-json.ts'
import { E, pipe } from '../prelude.ts'

/** The members that every submitted body has, for every operation. */
export type Envelope = {
  /** In lower case. */
  readonly organizationId: string
  /** The type of the activity, or of the vote. */
  readonly type: string
  /** When the caller made the request, by the caller's clock. */
  readonly timestampMs: number
  /** The input of the operation's codec. */
  readonly parameters: Json
}

/**
 * Reads the body of a submitted request. Unknown members are dropped; they are still part of the fingerprint.
 *
 * @returns `INVALID_ORGANIZATION_ID`, else `REQUEST_INVALID` (or `REQUEST_TOO_LARGE` for too deep a nesting)
 */
export const parseEnvelope = (body: Uint8Array): E.Either<Failure, Envelope> =>
  pipe(
    parseStrict(body),
    E.flatMap((json) => E.flatMap((organizationId: string) => envelopeOf(organizationId, json))(organizationOf(json))),
  )

/** The organization of a body. It is read before anything else, also before the stamp. */
export const organizationOf = (body: Json): E.Either<Failure, string> => {
  const organizationId = memberOf(body, 'organizationId')
  return typeof organizationId === 'string' && isUuid(organizationId)
    ? E.right(organizationId.toLowerCase())
    : E.left(failure('INVALID_ORGANIZATION_ID', 'malformed organization ID provided'))
}

/** The type that a body names; the empty text if it names none. */
export const typeOf = (body: Json): string => {
  const type = memberOf(body, 'type')
  return typeof type === 'string' ? type : ''
}

/** The other members, from the parsed body. */
export const envelopeOf = (organizationId: string, body: Json): E.Either<Failure, Envelope> => {
  const type = typeOf(body)
  if (type === '') return E.left(invalid('type', 'an activity type'))
  const timestampMs = timestampOf(body)
  if (timestampMs === undefined) return E.left(invalid('timestampMs', 'milliseconds since the epoch, in a string'))
  const parameters = memberOf(body, 'parameters')
  return parameters === undefined
    ? E.left(invalid('parameters', 'an object'))
    : E.right({ organizationId, type, timestampMs, parameters })
}

/** Whether a body wants app proofs; a refusal where it does not say so in the right form. */
export const wantsProofs = (body: Json): E.Either<Failure, boolean> => {
  const wanted = memberOf(body, PROOFS) ?? false // null is the absent member of other encoders
  return typeof wanted === 'boolean' ? E.right(wanted) : E.left(invalid(PROOFS, 'a boolean'))
}

/** As `wantsProofs`, for the text of a body that was accepted. Few want proofs, and most others are not read again. */
export const textWantsProofs = (text: string): boolean =>
  (text.includes(PROOFS) || text.includes('\\u')) && memberOf(parseJson(text) as Json, PROOFS) === true // it is JSON

const PROOFS = 'generateAppProofs'

/** When the caller made a request, by the caller's clock; undefined if the body has no valid `timestampMs`. */
export const timestampOf = (body: Json): number | undefined => millisOf(memberOf(body, 'timestampMs'))

/**
 * Whether a body requests an activity, or votes on one. Then it must not be accepted as a query: the log keeps such bodies, and everyone
 * who sees the votes sees them.
 */
export const isForActivity = (body: Json): boolean => typeOf(body).startsWith('ACTIVITY_TYPE_')

// Accepts decimal digits in a string, as clients write them, or a number, as other encoders of the same schema write it. It accepts no
// sign, no exponent and no leading zeros.
const millisOf = (timestampMs: Json | undefined): number | undefined => {
  if (typeof timestampMs === 'number')
    return Number.isSafeInteger(timestampMs) && timestampMs >= 0 ? timestampMs : undefined
  return typeof timestampMs === 'string' && /^(?:0|[1-9][0-9]{0,14})$/.test(timestampMs)
    ? Number(timestampMs)
    : undefined
}

const memberOf = (json: Json, name: string): Json | undefined =>
  json !== null && typeof json === 'object' && Object.hasOwn(json, name)
    ? (json as { readonly [name: string]: Json })[name] // an array has no member of these names
    : undefined

const invalid = (field: string, expected: string): Failure =>
  fieldViolations(`invalid request body at ${field}: expected ${expected}`, [
    { field, description: `expected ${expected}` },
  ])
