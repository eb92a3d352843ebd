import { invalidAt } from '../codec/codec.ts'
import { CountersignError } from '../countersign-error.ts'
import { failure, fieldViolations, hostFailure, type Failure, type FailureCode, type Json } from '../failure.ts'
import type { Organization } from '../organization/state.ts'
import type { E } from '../prelude.ts'
import { keepCause } from '../telemetry/cause.ts'

/** The same symbol in every copy of the package: a program may have two, and each must know the refusals of the other. */
const MARK = Symbol.for('countersign.refusal')

/** What a function of a definition throws to refuse. It has no stack, because making one takes forty times as long as all the rest. */
export class Refusal extends CountersignError {}
Object.assign(Refusal.prototype, { [MARK]: true })

export const isRefusal = (thrown: unknown): thrown is Refusal =>
  typeof thrown === 'object' && thrown !== null && MARK in thrown

/** The failure as a refusal. Its cause stays beside it. */
export const refusal = (of: Failure): Refusal => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return keepCause(of, new Refusal(of))
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The value; throws the failure as a refusal. */
export const valueOf = <A>(outcome: E.Either<Failure, A>): A => {
  if (outcome._tag === 'Left') throw refusal(outcome.left)
  return outcome.right
}

export const missing = (what: string, id: string, { organizationId }: Organization): Failure =>
  failure('RESOURCE_NOT_FOUND', `unable to find ${what} ${id} in organization ${organizationId}`)

export const overQuota = (countMax: number, what: string): Failure =>
  failure(
    'RESOURCE_EXHAUSTED',
    `this organization cannot execute activities because it is over its allotted quota: at most ${countMax} ${what}`,
  )

const MUST_BE_UNIQUE = 'This field must be unique.'

/**
 * A refusal, for the functions of a definition to throw. The message says what was expected; it contains no secret.
 *
 * @example throw refuse('REQUEST_INVALID', 'this is the motto already')
 */
export const refuse = Object.assign(
  (code: FailureCode, message: string, details?: readonly Json[]): Refusal => refusal(failure(code, message, details)),
  {
    /**
     * With a code of the host.
     *
     * @param code  in capitals, such as `INSUFFICIENT_FUNDS`
     * @param like  a code of Countersign with the same status on the wire, such as `CONFLICT`
     * @throws if the code is not written in capitals, or is a code of Countersign
     */
    as: (code: string, like: FailureCode, message: string, details?: readonly Json[]): Refusal =>
      refusal(hostFailure(code, like, message, details)),

    /** For a member of the request. @param expected  completes the sentence "expected …" */
    field: (member: string, expected: string): Refusal =>
      refusal(invalidAt('parameters', [{ field: member, description: `expected ${expected}` }])),

    /** For a thing that the organization does not have. Ids are no secrets: a message may name them. */
    notFound: (what: string, id: string, organization: Organization): Refusal =>
      refusal(missing(what, id, organization)),

    /** For a second thing with a name or key that must be unique. */
    notUnique: (member: string, message = `invalid parameters at ${member}: ${MUST_BE_UNIQUE}`): Refusal =>
      refusal(fieldViolations(message, [{ field: member, description: MUST_BE_UNIQUE }])),

    /** For more things than the organization may have. */
    overQuota: (countMax: number, what: string): Refusal => refusal(overQuota(countMax, what)),

    /** For a part of the public API that this version does not offer. */
    unsupported: (what: string): Refusal => refuse('UNSUPPORTED', `${what} are not supported`),
  },
)
