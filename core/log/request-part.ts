import { failure, type Failure } from '../failure.ts'
import { allocate, encodeUtf8 } from '../bytes.ts'
import { E } from '../prelude.ts'

/** The stamped bytes of a request, as they arrived: what a decision answers, and what an audit verifies again. */
export type StampedRequest = {
  /** The header that carried the stamp. */
  readonly header: 'X-Stamp'
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
    const text = decoder.decode(bytes.subarray(0, end))
    const stamp = writtenStamp(text)
    if (stamp !== undefined) return E.right({ header: 'X-Stamp', stamp, body: bytes.subarray(end + 1) })
    const head: unknown = JSON.parse(text)
    if (typeof head !== 'object' || head === null || !('header' in head) || !('stamp' in head)) return unreadable
    if (head.header !== 'X-Stamp' || typeof head.stamp !== 'string') return unreadable
    return E.right({ header: head.header, stamp: head.stamp, body: bytes.subarray(end + 1) })
  } catch {
    return unreadable
  }
}

/** The stamp of a head that stands as `encodeRequestPart` writes it, of characters that JSON writes as they are. */
const writtenStamp = (head: string): string | undefined => {
  const stamp = head.slice(TO_STAMP.length, -2)
  return head.startsWith(TO_STAMP) && head.endsWith('"}') && PLAIN.test(stamp) ? stamp : undefined
}

const TO_STAMP = '{"header":"X-Stamp","stamp":"'
const PLAIN = /^[A-Za-z0-9_+/=-]+$/

const unreadable = E.left(failure('STORE_UNREADABLE', 'a request part is not in the form that this version writes'))
