import { CountersignError, failureOf, orThrow, type Retry } from '../countersign-error.ts'
import type { FailureCode } from '../failure-codes.ts'
import { keepThrown } from '../telemetry/cause.ts'
import type { ActivityView } from '../view/activity-view.ts'
import type { Stamped, Transport } from './transport.ts'

/**
 * Sends an activity or a vote, and finishes with its answer. If the outcome is unknown, the error can send the same bytes again, and finishes
 * in the same way.
 */
export const sending = <A>(
  transport: Pick<Transport, 'submit'>,
  path: string,
  request: Stamped,
  finish: (activity: ActivityView, signal: AbortSignal | undefined) => A | Promise<A>,
): Retry<A> => {
  const send: Retry<A> = async ({ signal } = {}) => {
    try {
      return await finish(orThrow(await transport.submit(path, request, signal)), signal)
    } catch (error) {
      throw error instanceof CountersignError && UNKNOWN.has(error.code) ? withRetry(error, send) : error
    }
  }
  return send
}

/** After all other failures it is certain that nothing was done, or the failure is the outcome. */
const UNKNOWN: ReadonlySet<string> = new Set<FailureCode>(['UNAVAILABLE', 'ABORTED', 'INTERNAL'])

const withRetry = (error: CountersignError, retry: Retry): CountersignError => {
  const { message, cause } = error
  const joint = /[.?!]$/.test(message) ? ' The' : '; the'
  const told = `${message}${joint} outcome is unknown: retry() sends the same bytes`
  const failure = { ...(failureOf(error) ?? { code: error.code }), message: told }
  return keepThrown(error, new CountersignError(failure, { cause, retry }))
}
