import * as t from 'io-ts'
import { AnyJson, Integer } from '../codec/codec.ts'
import { described, named } from '../codec/described.ts'
import { fields } from '../codec/fields.ts'
import { rowOf, type Failure, type Json } from '../failure.ts'

/** The type of the detail that says what the policies found. Clients look for it at the beginning of `details`. */
export const PERMISSION_ERROR = 'type.googleapis.com/errors.v1.PolicyEnginePermissionError'

/** A failure as the wire carries it, in an error reply and in a failed activity: see `failureView`. */
export const failureMembers = {
  code: described(Integer, 'the number that gRPC has for it'),
  message: t.string,
  details: described(t.readonlyArray(AnyJson), 'the first one has turnkeyErrorCode; of a denial, the second one'),
}
export const FailureView = named('Failure', fields(failureMembers))
export type FailureView = t.TypeOf<typeof FailureView>

/**
 * `details` begins with the error's code. Exception: the details of a denial begin with what the policies found. If the public API has no
 * such code, the last detail has the exact one (google/rpc/error_details.proto).
 */
export const failureView = (failure: Failure): FailureView => {
  const { grpc, wire } = rowOf(failure)
  const own = failure.details ?? []
  const permission = own.filter(isPermissionError)
  return {
    code: grpc,
    message: failure.message,
    details: [
      ...permission,
      { '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode: wire },
      ...(permission.length === 0 ? own : own.filter((detail) => !isPermissionError(detail))),
      ...(failure.code === wire ? [] : [errorInfo(failure.code)]),
    ],
  }
}

const isPermissionError = (detail: Json): boolean =>
  typeof detail === 'object' && detail !== null && '@type' in detail && detail['@type'] === PERMISSION_ERROR

const errorInfo = (reason: string): Json => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'countersign',
})
