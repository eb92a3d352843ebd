import { failure, type Failure } from '../failure.ts'
import { allocate, encodeUtf8 } from '../bytes.ts'
import { E } from '../prelude.ts'
import { STAMP_HEADERS, type StampHeader } from '../request.ts'

/** The stamped bytes of a request, as they arrived. An audit verifies them again. */
export type StampedRequest = {
  /** The header that carried the stamp: it selects the kind of the credential. */
  readonly header: StampHeader
  readonly stamp: string
  readonly body: Uint8Array
}

const decoder = new TextDecoder('utf-8', { fatal: true })
const LINE_FEED = 0x0a

/** The bytes of part `request`: one line of JSON with the header, then the body untouched. */
export const encodeRequestPart = (request: StampedRequest): Uint8Array => {
  const head = encodeUtf8(`${JSON.stringify({ header: request.header, stamp: request.stamp })}\n`)
  const bytes = allocate(head.length + request.body.length)
  bytes.set(head)
  bytes.set(request.body, head.length)
  return bytes
}

export const decodeRequestPart = (bytes: Uint8Array): E.Either<Failure, StampedRequest> => {
  const end = bytes.indexOf(LINE_FEED)
  if (end < 0) return unreadable
  try {
    const head: unknown = JSON.parse(decoder.decode(bytes.subarray(0, end)))
    if (typeof head !== 'object' || head === null || !('header' in head) || !('stamp' in head)) return unreadable
    const header = STAMP_HEADERS.find((name) => name === head.header)
    if (header === undefined || typeof head.stamp !== 'string') return unreadable
    return E.right({ header, stamp: head.stamp, body: bytes.subarray(end + 1) })
  } catch {
    return unreadable
  }
}

const unreadable = E.left(failure('STORE_UNREADABLE', 'a request part is not in the form that this version writes'))
