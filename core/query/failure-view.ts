import type { Failure, FailureCode, Json } from '../failure.ts'

/** gRPC's numbers, by which the wire tells kinds of failure apart. */
export const grpcCode: Record<FailureCode, number> = {
  REQUEST_INVALID: 3,
  REQUEST_TOO_LARGE: 3,
  UNSUPPORTED: 3,
  INVALID_ORGANIZATION_ID: 3,
  ORGANIZATION_NOT_FOUND: 5,
  SIGNATURE_MISSING: 16,
  UNAUTHENTICATED: 16,
  SIGNATURE_INVALID: 16,
  PUBLIC_KEY_NOT_FOUND: 16,
  API_KEY_EXPIRED: 16,
  REQUEST_NOT_AUTHORIZED: 7,
  ACTIVITY_NOT_FOUND: 5,
  RESOURCE_NOT_FOUND: 5,
  ROUTE_NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  RATE_LIMIT_EXCEEDED: 8,
  CONFLICT: 10,
  INTERRUPTED: 10,
  ABORTED: 1,
  ORGANIZATION_CLOSED: 14,
  UNAVAILABLE: 14,
  STORE_LOCKED: 14,
  STORE_UNREADABLE: 13,
  CONFIGURATION_INVALID: 13,
  INTERNAL: 13,
}

/** The public API's own code; where it has none for the case, the code of the category. */
export const turnkeyErrorCode: Record<FailureCode, string> = {
  REQUEST_INVALID: 'REQUEST_INVALID',
  REQUEST_TOO_LARGE: 'REQUEST_INVALID',
  UNSUPPORTED: 'REQUEST_INVALID',
  INVALID_ORGANIZATION_ID: 'INVALID_ORGANIZATION_ID',
  ORGANIZATION_NOT_FOUND: 'ORGANIZATION_NOT_FOUND',
  SIGNATURE_MISSING: 'SIGNATURE_MISSING',
  UNAUTHENTICATED: 'UNAUTHENTICATED',
  SIGNATURE_INVALID: 'SIGNATURE_INVALID',
  PUBLIC_KEY_NOT_FOUND: 'PUBLIC_KEY_NOT_FOUND',
  API_KEY_EXPIRED: 'API_KEY_EXPIRED',
  REQUEST_NOT_AUTHORIZED: 'REQUEST_NOT_AUTHORIZED',
  ACTIVITY_NOT_FOUND: 'REQUEST_INVALID',
  RESOURCE_NOT_FOUND: 'REQUEST_INVALID',
  ROUTE_NOT_FOUND: 'REQUEST_INVALID',
  RESOURCE_EXHAUSTED: 'RATE_LIMIT_EXCEEDED',
  RATE_LIMIT_EXCEEDED: 'RATE_LIMIT_EXCEEDED',
  CONFLICT: 'INTERNAL',
  INTERRUPTED: 'INTERNAL',
  ABORTED: 'INTERNAL',
  ORGANIZATION_CLOSED: 'INTERNAL',
  UNAVAILABLE: 'INTERNAL',
  STORE_LOCKED: 'INTERNAL',
  STORE_UNREADABLE: 'INTERNAL',
  CONFIGURATION_INVALID: 'INTERNAL',
  INTERNAL: 'INTERNAL',
}

/** A failure as the wire carries it, in an error reply and in a failed activity: `details` begins with the error's code. */
export const failureView = (failure: Failure): { readonly [member: string]: Json } => ({
  code: grpcCode[failure.code],
  message: failure.message,
  details: [
    { '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode: turnkeyErrorCode[failure.code] },
    ...(failure.details ?? []),
  ],
})
