import * as t from 'io-ts'
import { failureCodes, type FailureCode as Code, type FailureRow } from './failure-codes.ts'

/** A JSON value, as the wire and the log carry it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export const FailureCode = t.keyof(failureCodes)
export type FailureCode = Code

const details: t.Type<readonly Json[]> = new t.Type(
  'a list of any JSON',
  (u): u is readonly Json[] => Array.isArray(u),
  (u, c) => (Array.isArray(u) ? t.success(u as readonly Json[]) : t.failure(u, c)), // JSON by construction: read from a log line
  (a) => a,
)

/** A refusal or failure as data. `message` says what was expected and what to do; it contains no secret and no input. */
export type Failure = {
  /** A code of Countersign, or one of the host. */
  readonly code: Code | (string & {})
  readonly message: string
  readonly details?: readonly Json[]
  /** Beside a code of the host: the code of Countersign whose form it has on the wire. */
  readonly like?: Code
}

/** Whether it is a code of Countersign, and not one of a host. */
export const isOwnCode = (code: string): code is Code => Object.hasOwn(failureCodes, code)

const HOST_CODE = /^[A-Z][A-Z0-9_]{0,63}$/

/** Whether the failure has a code of ours, or one of a host. Any other code was written by a newer version. */
export const hasKnownCode = ({ code, like }: { readonly code: string; readonly like?: unknown }): boolean =>
  isOwnCode(code) || (typeof like === 'string' && isOwnCode(like) && HOST_CODE.test(code))

export const Failure: t.Type<Failure, Failure, unknown> = t.refinement(
  t.exact(t.intersection([t.type({ code: t.string, message: t.string }), t.partial({ details, like: FailureCode })])),
  hasKnownCode,
  'Failure',
)

/** The failure with a code of Countersign. */
export const failure = (code: Code, message: string, details?: readonly Json[]): Failure =>
  details === undefined ? { code, message } : { code, message, details }

/**
 * A failure with a code of the host, for its operations, queries and work.
 *
 * @param code  in capitals, such as `INSUFFICIENT_FUNDS`
 * @param like  a code of Countersign with the same status on the wire, such as `CONFLICT`
 * @throws if the code is not written in capitals, or is a code of Countersign
 */
export const hostFailure = (code: string, like: Code, message: string, details?: readonly Json[]): Failure => {
  if (!HOST_CODE.test(code) || isOwnCode(code))
    throw new Error(`expected a code in capitals that Countersign does not have: ${code}`)
  return ordered({ code, like, message, ...(details === undefined ? {} : { details }) })
}

/** The failure with its members in one order, and no others. */
export const ordered = ({ code, message, details, like }: Failure): Failure => ({
  code,
  message,
  ...(details === undefined ? {} : { details }),
  ...(like === undefined ? {} : { like }),
})

/** The form of the failure on the wire. */
export const rowOf = ({ code, like }: Pick<Failure, 'code' | 'like'>): FailureRow =>
  failureCodes[isOwnCode(code) ? code : (like ?? 'INTERNAL')]

/** One field of `parameters` that breaks a rule; `field` is its path, dots between. */
export type FieldViolation = { readonly field: string; readonly description: string }

/** The failure of a request whose fields break rules, with the violations as the wire carries them. */
export const fieldViolations = (message: string, violations: readonly FieldViolation[]): Failure =>
  failure('REQUEST_INVALID', message, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations.map((v) => ({ ...v })) },
  ])
