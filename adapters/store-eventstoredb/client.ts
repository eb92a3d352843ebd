import { followThrough } from './client-follow.ts'
import { reconnecting, type Limit } from './client-connection.ts'
import { errorOf } from './client-thread.ts'
import { LogClientError, type LogClient, type StreamEvent } from './log-client.ts'
import { clientDefaults, EVENT_BYTES_MAX, type ClientSettings } from './settings.ts'
import { targetOf } from './url.ts'
import { unpackStored } from './worker-pack.ts'
import type { Answer, Request } from './worker-messages.ts'

/**
 * Connects to the leader, in a thread of its own: the client library keeps what it waits for in one table for all its connections of a
 * thread, and an error of one of them would fail the appends of another. If the connection ends, the next call makes a new one.
 *
 * @throws `LogClientError`, with one line that says what is wrong
 */
export const connectClient = async (settings: ClientSettings): Promise<LogClient> => {
  const {
    connectionString,
    checkStream = clientDefaults.checkStream,
    readOnly = false,
    connectTimeoutMs = clientDefaults.connectTimeoutMs,
    appendTimeoutMs = clientDefaults.appendTimeoutMs,
    readTimeoutMs = clientDefaults.readTimeoutMs,
  } = settings
  const connection = await reconnecting(() => targetOf(connectionString), { checkStream, readOnly, connectTimeoutMs })
  const reading = { timeoutMs: readTimeoutMs, isWriting: false, isRepeatable: true }
  const writing = { timeoutMs: appendTimeoutMs, isWriting: true, isRepeatable: true }

  const ask = async <Tag extends Answer['_tag']>(
    tag: Tag,
    request: Request,
    limit: Limit,
    events?: readonly StreamEvent[],
  ): Promise<Extract<Answer, { readonly _tag: Tag }>> => {
    const answer = await connection.ask(request, limit, events)
    if (answer._tag === 'refused') throw errorOf(answer)
    if (isTagged(answer, tag)) return answer
    throw new Error(`the thread has answered a request with ${answer._tag}`)
  }
  const read = async (request: Request) => {
    const { packed } = await ask('read', request, reading)
    return typeof packed === 'string' ? packed : unpackStored(packed)
  }

  return {
    append: async (stream, expected, events, { signal, first = [] } = {}) => {
      if (events.some(isTooLarge) || first.some(({ event }) => isTooLarge(event)))
        throw new LogClientError(TOO_LARGE, 'an event is larger than any server takes')
      const names = first.map((one) => one.stream)
      const request: Request = { _tag: 'append', stream, expected, count: events.length, first: names }
      // The server knows the ids of an earlier sending only if it looks at the place where they must be.
      const timeoutMs = first.length === 0 ? appendTimeoutMs : 2 * appendTimeoutMs // one append behind the other
      const limit = { ...writing, timeoutMs, isRepeatable: expected !== 'any', signal }
      const all = first.length === 0 ? events : [...first.map(({ event }) => event), ...events]
      const { revision, position } = await ask('appended', request, limit, all)
      return { revision, position }
    },
    positions: async (stream, from, count) => [
      ...(await ask('placed', { _tag: 'positions', stream, from, count }, reading)).positions,
    ],
    readStream: (stream, page) => read({ _tag: 'readStream', stream, page }),
    readAll: async (page) => {
      const events = await read({ _tag: 'readAll', page })
      if (typeof events === 'string')
        throw new LogClientError({ _tag: 'unusable' }, 'the server has no log of all events')
      return events
    },
    follow: (from, listener) => followThrough(connection, from, listener),
    tombstone: async (stream) => void (await ask('done', { _tag: 'tombstone', stream }, writing)),
    deleteSoftly: async (stream, last) => void (await ask('done', { _tag: 'deleteSoftly', stream, last }, writing)),
    checkLeader: async () =>
      void (await ask(
        'done',
        { _tag: 'checkLeader', stream: checkStream },
        { ...reading, timeoutMs: appendTimeoutMs },
      )),
    connections: connection.made,
    close: connection.close,
  }
}

const isTagged = <Tag extends Answer['_tag']>(answer: Answer, tag: Tag): answer is Extract<Answer, { _tag: Tag }> =>
  answer._tag === tag

const TOO_LARGE = { _tag: 'too-large', bytesMax: EVENT_BYTES_MAX } as const

const isTooLarge = ({ data, metadata }: StreamEvent): boolean => data.byteLength + metadata.byteLength > EVENT_BYTES_MAX
