import { trustedBy } from './client-address.ts'
import type { Exchange } from './exchange.ts'

/** Gives a request its id. It stands in the answer, in the log, in notices and in the span of the command. */
export type RequestId = (request: Pick<Exchange, 'header' | 'connectedAddress'>) => string

/**
 * The id is that of `X-Request-Id` if a trusted proxy sent it and it is well formed; otherwise it is made here. Anybody else could take the
 * id of another request, and the log would tell a false story.
 *
 * @param trustedProxies  addresses and CIDR blocks
 */
export const requestIds = (trustedProxies: readonly string[]): RequestId => {
  const isTrusted = trustedBy(trustedProxies)
  return (request) => {
    const given = request.header('x-request-id')
    return given !== undefined && isWellFormed(given) && isTrusted(request.connectedAddress()) ? given : newRequestId()
  }
}

/** It is random, because a counter would tell each caller how many requests there are. It costs less than a microsecond. */
export const newRequestId = (): string => crypto.randomUUID()

/** A header that was sent twice is joined with a comma, which no id contains. */
const isWellFormed = (given: string): boolean => /^[A-Za-z0-9._-]{1,64}$/.test(given)
