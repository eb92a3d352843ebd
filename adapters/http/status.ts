import type { FailureCode } from '../../core/failure.ts'

/**
 * The HTTP status of every failure: the standard map of gRPC's codes, but 413 where something is too large. 5xx is for what
 * the caller cannot mend; clients repeat those.
 */
export const httpStatus: Record<FailureCode, number> = {
  REQUEST_INVALID: 400,
  REQUEST_TOO_LARGE: 413,
  UNSUPPORTED: 400,
  INVALID_ORGANIZATION_ID: 400,
  ORGANIZATION_NOT_FOUND: 404,
  SIGNATURE_MISSING: 401,
  UNAUTHENTICATED: 401,
  SIGNATURE_INVALID: 401,
  PUBLIC_KEY_NOT_FOUND: 401,
  API_KEY_EXPIRED: 401,
  REQUEST_NOT_AUTHORIZED: 403,
  ACTIVITY_NOT_FOUND: 404,
  RESOURCE_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  RATE_LIMIT_EXCEEDED: 429,
  CONFLICT: 409,
  INTERRUPTED: 409,
  ABORTED: 499,
  ORGANIZATION_CLOSED: 503,
  UNAVAILABLE: 503,
  STORE_LOCKED: 503,
  STORE_UNREADABLE: 500,
  CONFIGURATION_INVALID: 500,
  INTERNAL: 500,
}

/** Those that may go well in a moment, with the seconds to wait. A limit on resources is no such: waiting does not help. */
export const retryAfterSeconds: { readonly [Code in FailureCode]?: number } = {
  RATE_LIMIT_EXCEEDED: 1,
  ORGANIZATION_CLOSED: 30,
  UNAVAILABLE: 1,
  STORE_LOCKED: 1,
}
