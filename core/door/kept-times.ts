import { encodeUtf8 } from '../bytes.ts'
import { boundedMap, type BoundedMap } from '../collections/bounded-map.ts'
import { CountersignError } from '../countersign-error.ts'
import { fieldViolations, type Json } from '../failure.ts'
import { fingerprintOfBody } from '../view/shown-request.ts'
import type { Stamper } from './transport.ts'

/** The times of requests with an idempotency key. */
export type KeptTimes = BoundedMap<string, KeptTime>

type KeptTime = {
  readonly timestampMs: number
  /** Of the request without its time. */
  readonly fingerprint: string
}

/** How many keys are kept; the one that was used least recently is forgotten first. */
const KEYS_MAX = 10_000

export const keptTimes = (): KeptTimes => boundedMap(KEYS_MAX)

type Request = {
  readonly stamper: Stamper
  readonly request: { readonly type: string; readonly organizationId: string; readonly parameters: Json }
  readonly timestampMs?: number
  readonly idempotencyKey?: string
}

/**
 * The time of a request: that of its options, or the one that its idempotency key has already, or a new one.
 *
 * @throws CountersignError with the code `REQUEST_INVALID` if the key has the time of another request
 */
export const timeOf = (
  { nextMs, kept }: { readonly nextMs: () => number; readonly kept: KeptTimes },
  { stamper, request, timestampMs, idempotencyKey }: Request,
): number => {
  if (idempotencyKey === undefined) return timestampMs ?? nextMs()
  if (timestampMs !== undefined) throw wrongKey('give an idempotencyKey or a timestampMs, not both')
  if (typeof idempotencyKey !== 'string' || idempotencyKey === '') throw wrongKey('expected a text that is not empty')
  // Not by the key alone: the same request with the stamp of another user is an approval.
  const name = JSON.stringify([nameOf(stamper), request.organizationId, idempotencyKey])
  const fingerprint = fingerprintOfBody(encodeUtf8(JSON.stringify(request)))
  const found = kept.get(name)
  if (found === undefined) {
    const fresh = { timestampMs: nextMs(), fingerprint }
    kept.set(name, fresh)
    return fresh.timestampMs
  }
  if (found.fingerprint !== fingerprint)
    throw wrongKey(
      'it was given with another operation or other parameters: a request of its own needs a key of its own',
    )
  return found.timestampMs
}

const wrongKey = (description: string): CountersignError =>
  new CountersignError(
    fieldViolations(`nothing was sent: idempotencyKey: ${description}`, [{ field: 'idempotencyKey', description }]),
  )

const names = new WeakMap<Stamper, string>()
let named = 0

/** The public key of a stamper; if it does not say that, a name of its own. */
const nameOf = (stamper: Stamper): string => {
  const name = stamper.publicKey ?? names.get(stamper) ?? `stamper ${(named += 1)}`
  names.set(stamper, name)
  return name
}
