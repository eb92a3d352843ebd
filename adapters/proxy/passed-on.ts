import { CountersignError } from '../../core/countersign-error.ts'
import { Refusal } from '../../core/definition/refuse.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { errorReply, jsonReply, type Reply } from '../http/reply.ts'

/** What the API has answered, as it came. */
export type Told = { readonly status: number; readonly body: string; readonly retryAfter: string | null }

/** A refusal of the API, on its way to the client: body and status as they came. */
export class PassedOn extends Refusal {
  readonly told: Told

  constructor(of: Failure, told: Told) {
    super(of)
    this.told = told
  }
}

/** A refusal of the proxy itself with a status, or with headers, that its code does not have. */
export class ProxyRefusal extends Refusal {
  readonly status: number | undefined
  readonly headers: { readonly [name: string]: string }

  constructor(of: Failure, { status, headers = {} }: ProxyRefusalOptions) {
    super(of)
    this.status = status
    this.headers = headers
  }
}

type ProxyRefusalOptions = { readonly status?: number; readonly headers?: { readonly [name: string]: string } }

const BAD_GATEWAY = 502
const GATEWAY_TIMEOUT = 504

export const unreachable = (message: string): Refusal =>
  new ProxyRefusal(failure('UNAVAILABLE', message), { status: BAD_GATEWAY })

export const tooSlow = (): Refusal =>
  new ProxyRefusal(failure('UNAVAILABLE', 'the API takes too long; the outcome is unknown'), {
    status: GATEWAY_TIMEOUT,
  })

/** The reply with what was thrown. Throws it again if it is no refusal: then it is a bug. */
export const replyOf = (thrown: unknown): Reply => {
  if (!(thrown instanceof CountersignError)) throw thrown
  const { code, message, details, like } = thrown
  const of: Failure = { code, message, details, ...(like === undefined ? {} : { like }) }
  if (thrown instanceof PassedOn) return passedOn(of, thrown.told)
  if (!(thrown instanceof ProxyRefusal)) return errorReply(of)
  const { status, headers } = thrown
  return errorReply(of, { headers, ...(status === undefined ? {} : { status }) })
}

const passedOn = (of: Failure, { status, body, retryAfter }: Told): Reply => {
  const { headers } = errorReply(of)
  return {
    ...jsonReply(body),
    status,
    headers: { ...headers, ...(retryAfter === null ? {} : { 'Retry-After': retryAfter }) },
    code: of.code,
  }
}
