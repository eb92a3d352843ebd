import type { StampedRequest } from '../log/request-part.ts'
import type { Stamp } from '../organization/credential.ts'
import { parseStamp } from '../organization/stamp.ts'

const read = new WeakMap<StampedRequest, Stamp | undefined>()

/** Remembers the parsed stamp of a request: the view of a vote needs it right after it was verified. */
export const rememberStamp = (request: StampedRequest, stamp: Stamp): void => void read.set(request, stamp)

/** The parsed stamp of a request; `undefined` where it cannot be read. Each request in memory is parsed once. */
export const readStamp = (request: StampedRequest): Stamp | undefined => {
  if (read.has(request)) return read.get(request)
  const parsed = parseStamp(request.header, request.stamp)
  const stamp = parsed._tag === 'Right' ? parsed.right : undefined
  read.set(request, stamp)
  return stamp
}
