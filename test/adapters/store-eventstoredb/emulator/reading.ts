/** One call of `Read`: how messages are sent to a reader that may be slow, may go away, or may be let down on purpose. */
import { once } from 'node:events'
import type { ServerWritableStream } from '@grpc/grpc-js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { EventLog, LogRecord } from './event-log.ts'
import type { Fault } from './faults.ts'
import { readEvent, type Resolved } from './messages.ts'
import type { Node } from './node.ts'
import { refusals } from './refusals.ts'

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>

export type Reading = {
  readonly node: Node
  readonly options: streams.ReadReq.Options
  readonly fault: Fault | undefined
  /** Sends a message as soon as the reader has room. False: the reading is over. */
  readonly send: (message: streams.ReadResp) => Promise<boolean>
  /** Sends an event, with what goes wrong at events. */
  readonly sendEvent: (record: LogRecord) => Promise<boolean>
  readonly isOver: () => boolean
  /** Until the reading is over, with no message. */
  readonly silence: () => Promise<undefined>
  /** Resolves when there is something new in the log, or the reading is over. */
  readonly more: () => Promise<void>
}

export const readingOf = (
  node: Node,
  call: ReadCall,
  options: streams.ReadReq.Options,
  fault: Fault | undefined,
): Reading => {
  const over = new AbortController()
  call.on('cancelled', () => over.abort())
  call.on('error', () => over.abort())
  let sent = 0

  const send = async (message: streams.ReadResp): Promise<boolean> => {
    if (over.signal.aborted) return false
    if (!call.write(message)) await once(call, 'drain', { signal: over.signal }).catch(() => undefined)
    return !over.signal.aborted
  }
  const silence = async (): Promise<undefined> => {
    if (!over.signal.aborted) await once(over.signal, 'abort')
  }
  const hit = async (): Promise<void> => {
    if (fault === undefined) return
    const { name, after = 0, gate } = fault
    await gate
    if (sent < after) return
    if (name === 'cut-read') node.cut(call)
    if (name === 'drop-subscription') {
      over.abort()
      call.emit('error', refusals.tooSlow())
    }
    if (name === 'silent-read') await silence()
  }
  return {
    node,
    options,
    fault,
    send,
    sendEvent: async (record) => {
      await hit()
      sent += 1
      const resolved = options.getResolveLinks() ? resolve(node.log, record) : { event: record }
      return send(readEvent(resolved, options.hasAll() || node.settings.positionsInStreams))
    },
    silence,
    isOver: () => over.signal.aborted,
    more: () =>
      new Promise<void>((resolve) => {
        const done = (): void => {
          stop()
          over.signal.removeEventListener('abort', done)
          resolve()
        }
        const stop = node.log.onAppended(done)
        over.signal.addEventListener('abort', done)
        if (over.signal.aborted) done()
      }),
  }
}

/** What a link points to, beside it. Nothing beside it if that is gone. */
const resolve = (log: EventLog, link: LogRecord): Resolved => {
  const at = link.type === '$>' ? /^(-?\d+)@(.*)$/s.exec(Buffer.from(link.data).toString('utf8')) : null
  if (at === null) return { event: link }
  const target = log.stream(at[2] ?? '')
  const event = typeof target === 'string' ? undefined : recordAt(target.records, BigInt(at[1] ?? 0))
  return event === undefined ? { link } : { event, link }
}

/** The first record with this revision or a later one. */
export const indexOfRevision = (records: readonly LogRecord[], revision: bigint): number => {
  const first = records[0]
  // Numbers of a stream have no gaps behind what was held back.
  if (first !== undefined && revision >= first.revision)
    return Math.min(Number(revision - first.revision), records.length)
  return first === undefined ? records.length : 0
}

const recordAt = (records: readonly LogRecord[], revision: bigint): LogRecord | undefined => {
  const record = records[indexOfRevision(records, revision)]
  return record?.revision === revision ? record : undefined
}
