import type { Trouble } from './log-client.ts'
import type { Refused } from './worker-messages.ts'

/** Texts of ours: none of the server or of the client comes out, since those name streams, hosts and users. */
export const refused = (trouble: Trouble, message: string, isLost = false): Refused => ({
  _tag: 'refused',
  trouble,
  message,
  ...(isLost ? { isLost } : {}),
})

/** What the client throws: an error of its own with a `type`, or one of gRPC with a `code`. */
type Thrown = {
  readonly type: string
  readonly code: number | string | undefined
  readonly message: string
  readonly error: object
}

/**
 * Turns what the client threw into a refusal.
 *
 * @param isWriting  whether the server may have done it although it was not acknowledged
 */
export const refusalOf = (error: unknown, isWriting: boolean): Refused => {
  const thrown = thrownOf(error)
  return byType(thrown) ?? byText(thrown) ?? byCode(thrown) ?? lostOr(thrown, isWriting)
}

/** Whether the client would now look for another connection, so that this one can be used no more. */
export const isConnectionLost = (error: unknown): boolean => {
  const { type, code, message } = thrownOf(error)
  // The server says that it is busy with the code of one that cannot be reached.
  if (/Cancelled on client|Server Is (?:Too )?Busy/.test(message)) return false
  return LOST_TYPES.has(type) || code === UNAVAILABLE || code === CANCELLED || /write after end/.test(message)
}

export const isNotLeader = (error: unknown): boolean => thrownOf(error).type === 'not-leader'

const CANCELLED = 1
const INVALID_ARGUMENT = 3
const PERMISSION_DENIED = 7
const UNIMPLEMENTED = 12
const UNAVAILABLE = 14
const UNAUTHENTICATED = 16

const LOST_TYPES = new Set(['unavailable', 'cancelled', 'not-leader'])

const thrownOf = (error: unknown): Thrown => {
  if (typeof error !== 'object' || error === null) return { type: '', code: undefined, message: '', error: {} }
  const type = 'type' in error && typeof error.type === 'string' ? error.type : exceptionOf(error)
  const code =
    'code' in error && (typeof error.code === 'number' || typeof error.code === 'string') ? error.code : undefined
  return { type, code, message: 'message' in error ? String(error.message) : '', error }
}

/** The name that the server has given an error of gRPC which the client did not convert. */
const exceptionOf = (error: object): string => {
  if (!('metadata' in error && isMetadata(error.metadata))) return ''
  const [name] = error.metadata.get('exception')
  return typeof name === 'string' ? name : ''
}

type Metadata = { readonly get: (name: string) => readonly unknown[] }

const isMetadata = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function'

const byType = ({ type, code, error }: Thrown): Refused | undefined => {
  switch (type) {
    case 'wrong-expected-version': {
      const actual = 'actualVersion' in error ? error.actualVersion : undefined
      return refused(
        { _tag: 'wrong-end', actual: typeof actual === 'bigint' && actual >= 0n ? actual : 'none' },
        'the stream does not end where the append expects it',
      )
    }
    case 'maximum-append-size-exceeded':
      return tooLarge('maxAppendSize' in error ? Number(error.maxAppendSize) : NaN)
    case 'stream-deleted':
      return refused({ _tag: 'deleted' }, 'the stream was ended for ever')
    case 'access-denied':
      return code === UNAUTHENTICATED ? WRONG_PASSWORD : NO_RIGHTS
    case 'invalid-argument':
    case 'unsupported':
      return UNSUITABLE
    default:
      return undefined
  }
}

const tooLarge = (bytesMax: number): Refused =>
  refused(
    { _tag: 'too-large', ...(Number.isSafeInteger(bytesMax) && bytesMax > 0 ? { bytesMax } : {}) },
    'the append is larger than the server takes',
  )

/** The server tells these with a text only. Of what it is too busy or not ready for, it has done nothing. */
const byText = ({ message }: Thrown): Refused | undefined => {
  if (/Server Is (?:Too )?Busy/i.test(message)) return TOO_BUSY
  if (/Server Is Not Ready/i.test(message)) return NOT_READY
  if (/No leader info/i.test(message)) return NO_LEADER
  const size = /Maximum Append (?:Event )?Size of ([0-9]+)/i.exec(message)
  if (size !== null) return tooLarge(Number(size[1]))
  if (/size .*exceed|exceed.* size/i.test(message) && !/received message/i.test(message)) return tooLarge(NaN)
  return /Failed to discover/.test(message) ? NOT_FOUND : undefined
}

const TOO_BUSY = refused({ _tag: 'unavailable' }, 'the server is too busy: try again')
const NOT_READY = refused({ _tag: 'unavailable' }, 'the server is not ready yet: try again', true)
const NO_LEADER = refused({ _tag: 'unavailable' }, 'the cluster has no leader at the moment: try again', true)
const NOT_FOUND = refused(
  { _tag: 'unavailable' },
  'no host of the cluster told where its leader is, in as many attempts as the URL allows',
  true,
)

/** Whether a leader is to be expected soon. */
export const isElecting = (refusal: Refused): boolean => refusal === NOT_READY || refusal === NO_LEADER

const byCode = ({ code }: Thrown): Refused | undefined => {
  switch (code) {
    case UNAUTHENTICATED:
      return WRONG_PASSWORD
    case PERMISSION_DENIED:
      return NO_RIGHTS
    case UNIMPLEMENTED:
    case INVALID_ARGUMENT:
      return UNSUITABLE
    default:
      return undefined
  }
}

const WRONG_PASSWORD = refused(
  { _tag: 'denied' },
  'the server refuses the user, the password or the certificate of the store',
)
const NO_RIGHTS = refused({ _tag: 'denied' }, 'the user of the store has not the rights that it needs on the server')
const UNSUITABLE = refused({ _tag: 'unusable' }, 'the server does not know what the store asks it for')

const lostOr = (thrown: Thrown, isWriting: boolean): Refused => {
  const isLost = isConnectionLost(thrown.error)
  if (isWriting)
    return refused({ _tag: 'unknown' }, 'the connection to the server ended before it acknowledged: try again', isLost)
  return refused({ _tag: 'unavailable' }, isLost ? LOST : 'the server did not answer: try again', isLost)
}

const LOST = 'the connection to the server was lost: try again'
