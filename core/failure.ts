import * as t from 'io-ts'

/** A JSON value, as the wire and the log carry it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * Every way in which Countersign can refuse or fail. Codes are API: hosts may switch on them; messages are for people
 * and may change. What a code becomes on the wire is decided by the HTTP adapter's table.
 */
export const FailureCode = t.keyof({
  /** The request is malformed, or a parameter is missing or invalid. */
  REQUEST_INVALID: null,
  /** The body, a header or a nesting is larger than the configured limit. */
  REQUEST_TOO_LARGE: null,
  /** The request names something of the public API that this version does not offer. */
  UNSUPPORTED: null,
  /** The organization id is not a UUID. */
  INVALID_ORGANIZATION_ID: null,
  /** No organization has this id. */
  ORGANIZATION_NOT_FOUND: null,
  /** The request carries no stamp. */
  SIGNATURE_MISSING: null,
  /** The stamp cannot be read. */
  UNAUTHENTICATED: null,
  /** The signature does not fit the body and the key. */
  SIGNATURE_INVALID: null,
  /** No credential of the organization has this public key. */
  PUBLIC_KEY_NOT_FOUND: null,
  /** The credential's lifetime is over. */
  API_KEY_EXPIRED: null,
  /** The caller may not do this: denied by policy, or not eligible to vote. */
  REQUEST_NOT_AUTHORIZED: null,
  /** No activity has this id or fingerprint. */
  ACTIVITY_NOT_FOUND: null,
  /** A user, tag, key or policy that the request names does not exist. */
  RESOURCE_NOT_FOUND: null,
  /** The route does not exist. */
  ROUTE_NOT_FOUND: null,
  /** A limit on the number of resources is reached. */
  RESOURCE_EXHAUSTED: null,
  /** Too many requests at once; try again. */
  RATE_LIMIT_EXCEEDED: null,
  /** Another process kept changing the organization; try again. */
  CONFLICT: null,
  /** An effect was interrupted, and its operation says that it must not be repeated. */
  INTERRUPTED: null,
  /** The caller took too long, or took its request back. */
  ABORTED: null,
  /** The organization's log holds something that this version does not know: it takes no commands. */
  ORGANIZATION_CLOSED: null,
  /** The store or a service behind it does not answer now; the outcome may be unknown. */
  UNAVAILABLE: null,
  /** Another process holds the store for writing. */
  STORE_LOCKED: null,
  /** The store, or a file, cannot be read as what it should be. */
  STORE_UNREADABLE: null,
  /** An option, a flag or an operation's definition is wrong. */
  CONFIGURATION_INVALID: null,
  /** A bug of ours, or of the host's code. */
  INTERNAL: null,
})
export type FailureCode = t.TypeOf<typeof FailureCode>

const details: t.Type<readonly Json[]> = new t.Type(
  'a list of any JSON',
  (u): u is readonly Json[] => Array.isArray(u),
  (u, c) => (Array.isArray(u) ? t.success(u as readonly Json[]) : t.failure(u, c)), // JSON by construction: read from a log line
  (a) => a,
)

export const Failure = t.exact(
  t.intersection([t.type({ code: FailureCode, message: t.string }), t.partial({ details })]),
)

/** A refusal or failure as data: `code` first, then what was expected and what to do; never a secret, never the input. */
export type Failure = { readonly code: FailureCode; readonly message: string; readonly details?: readonly Json[] }

export const failure = (code: FailureCode, message: string, details?: readonly Json[]): Failure =>
  details === undefined ? { code, message } : { code, message, details }

/** One field of `parameters` that breaks a rule; `field` is its path, dots between. */
export type FieldViolation = { readonly field: string; readonly description: string }

/** The failure of a request whose fields break rules, with the violations as the wire carries them. */
export const fieldViolations = (message: string, violations: readonly FieldViolation[]): Failure =>
  failure('REQUEST_INVALID', message, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations.map((v) => ({ ...v })) },
  ])
