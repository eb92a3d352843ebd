import type { StampedRequest } from '../log/request-part.ts'
import { parseStamp, type Stamp } from '../stamp/stamp.ts'

const read = new WeakMap<StampedRequest, Stamp | undefined>()

/** Remembers what a request's stamp was read as: the view of a vote needs it, right after it was verified. */
export const rememberStamp = (request: StampedRequest, stamp: Stamp): void => void read.set(request, stamp)

/** What a request's stamp says; `undefined` where it cannot be read. Read once per request in memory. */
export const readStamp = (request: StampedRequest): Stamp | undefined => {
  if (read.has(request)) return read.get(request)
  const parsed = parseStamp(request.stamp)
  const stamp = parsed._tag === 'Right' ? parsed.right : undefined
  read.set(request, stamp)
  return stamp
}
