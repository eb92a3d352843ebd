/** `Read`: pages of a stream or of everything, both ways, and subscriptions, which go on. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerWritableStream } from '@grpc/grpc-js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { LAST_REVISION, type EventLog, type LogRecord } from './event-log.ts'
import { filterIn, type EventFilter } from './event-filter.ts'
import { caughtUp, checkpoint, confirmation, nameIn, readEvent, streamNotFound, type Resolved } from './messages.ts'
import type { Fault } from './faults.ts'
import { refusalBy, unreadyFor, type Node } from './node.ts'
import { refusals, type Refusal } from './refusals.ts'

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>

type Reading = {
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

export const read = (node: Node) => (call: ReadCall) => {
  const options = call.request.getOptions() ?? new streams.ReadReq.Options()
  const subscribes = options.hasSubscription()
  const name = options.hasAll() ? '$all' : nameIn(options.getStream()?.getStreamIdentifier())
  const fault = node.faults.take(subscribes ? 'subscribe' : 'read', name)
  const refused =
    node.denied(call.metadata, 'read', name) ??
    unreadyFor(node, call.metadata, 'read') ??
    (fault === undefined ? undefined : refusalBy(fault))
  if (refused !== undefined) {
    call.emit('error', refused)
    return
  }

  const reading = readingOf(node, call, options, fault)
  const run = subscribes ? subscribe : options.hasAll() ? readAll : readStream
  run(reading, name).then(
    (refusal) => (reading.isOver() ? undefined : refusal === undefined ? call.end() : call.emit('error', refusal)),
    () => call.emit('error', refusals.threw()),
  )
}

const readingOf = (node: Node, call: ReadCall, options: streams.ReadReq.Options, fault: Fault | undefined): Reading => {
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
    const { name, after = 0, delayMs = 10 } = fault
    if (name === 'slow' && sent === 0) await delay(delayMs)
    if (name === 'slow-stream') await delay(delayMs)
    if (sent < after) return
    if (name === 'cut-read') node.cut(call)
    if (name === 'drop-subscription') {
      over.abort()
      call.emit('error', refusals.timeout(TOO_SLOW))
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

const TOO_SLOW = 'Consumer too slow to handle event while live. Client resubscription required.'

/** What a link points to, beside it. Nothing beside it if that is gone. */
const resolve = (log: EventLog, link: LogRecord): Resolved => {
  const at = link.type === '$>' ? /^(-?\d+)@(.*)$/s.exec(Buffer.from(link.data).toString('utf8')) : null
  if (at === null) return { event: link }
  const target = log.stream(at[2] ?? '')
  const event = typeof target === 'string' ? undefined : recordAt(target.records, BigInt(at[1] ?? 0))
  return event === undefined ? { link } : { event, link }
}

/** The first record with this revision or a later one. */
const indexOfRevision = (records: readonly LogRecord[], revision: bigint): number => {
  const index = records.findIndex((record) => record.revision >= revision)
  const first = records[0]
  // Numbers of a stream have no gaps behind what was held back.
  if (first !== undefined && revision >= first.revision)
    return Math.min(Number(revision - first.revision), records.length)
  return index === -1 ? records.length : index
}

const recordAt = (records: readonly LogRecord[], revision: bigint): LogRecord | undefined => {
  const record = records[indexOfRevision(records, revision)]
  return record?.revision === revision ? record : undefined
}

const isBackwards = (options: streams.ReadReq.Options): boolean =>
  options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS

const sendPage = async (reading: Reading, from: number, records: readonly LogRecord[]): Promise<undefined> => {
  const count = BigInt(reading.options.getCount())
  const step = isBackwards(reading.options) ? -1 : 1
  let sent = 0n
  for (let index = from; sent < count; index += step) {
    const record = records[index]
    if (record === undefined || !(await reading.sendEvent(record))) return undefined
    sent += 1n
  }
  return undefined
}

const readStream = async (reading: Reading, name: string): Promise<Refusal | undefined> => {
  const stream = reading.node.log.stream(name)
  if (stream === 'deleted') return refusals.streamDeleted(name)
  if (stream === 'missing') {
    await reading.send(streamNotFound(name))
    return undefined
  }
  // What is appended meanwhile is not part of the page.
  const records = [...stream.records]
  const from = reading.options.getStream()
  const backwards = isBackwards(reading.options)
  if (reading.options.getCount() === '0') return refusals.unexpected('ReadStreamResult')
  if (from?.hasEnd() === true)
    return backwards ? sendPage(reading, records.length - 1, records) : refusals.unexpected('ReadStreamResult')
  const revision = from?.hasRevision() === true ? BigInt(from.getRevision()) : 0n
  if (revision > LAST_REVISION) return refusals.threw()
  const index = indexOfRevision(records, revision)
  const at = records[index]
  const isLater = at === undefined || at.revision > revision
  return sendPage(reading, backwards && isLater ? index - 1 : index, records)
}

const readAll = async (reading: Reading): Promise<Refusal | undefined> => {
  const { log } = reading.node
  const records = [...log.all()]
  const from = reading.options.getAll()
  const backwards = isBackwards(reading.options)
  if (reading.options.getCount() === '0') return reading.silence()
  if (from?.hasPosition() !== true) {
    const begins = from?.hasEnd() === true ? records.length : 0
    return sendPage(reading, backwards ? begins - 1 : begins, records)
  }
  // Forwards, the record at the position is the first one; backwards, it is the one before it.
  const position = BigInt(from.getPosition()?.getCommitPosition() ?? 0)
  const isBehind = position > log.endPosition()
  if (isBehind ? backwards : !log.isBoundary(position)) return refusals.unexpected('ReadAllResult')
  const index = log.indexAt(position)
  return sendPage(reading, backwards ? index - 1 : index, records)
}

/** How many events the server looks at in one page, if the reader does not say. */
const WINDOW = 32

const subscribe = async (reading: Reading, name: string): Promise<Refusal | undefined> => {
  const { node, options } = reading
  if (!(await reading.send(confirmation(randomUUID())))) return undefined
  return options.hasAll()
    ? subscribeToAll(reading, filterIn(options.getFilter()))
    : subscribeToStream(node, reading, name)
}

const subscribeToAll = async (reading: Reading, filter: EventFilter | undefined): Promise<undefined> => {
  const { log, settings } = reading.node
  const from = reading.options.getAll()
  const position = from?.getPosition()
  let next =
    from?.hasEnd() === true
      ? log.endPosition()
      : position === undefined
        ? 0n
        : BigInt(position.getCommitPosition()) + 1n
  const interval = filter === undefined ? Infinity : filter.checkpointEvery * (filter.window ?? WINDOW)
  let considered = 0
  let isCaughtUp = false
  while (!reading.isOver()) {
    const record = log.all()[log.indexAt(next)]
    if (record === undefined) {
      // Looked at again after each wait: something may have been appended while the message was sent.
      if (isCaughtUp || !settings.caughtUp) await reading.more()
      else await reading.send(caughtUp())
      isCaughtUp = true
      continue
    }
    next = record.position + 1n
    const wanted = filter?.matches(record) ?? true
    if (wanted && !(await reading.sendEvent(record))) return undefined
    considered += 1
    if (considered < interval) continue
    considered = 0
    if (!(await reading.send(checkpoint(record.position)))) return undefined
  }
  return undefined
}

const subscribeToStream = async (node: Node, reading: Reading, name: string): Promise<Refusal | undefined> => {
  const from = reading.options.getStream()
  const begins = node.log.stream(name)
  let next = from?.hasRevision() === true ? BigInt(from.getRevision()) + 1n : 0n
  if (from?.hasEnd() === true && typeof begins !== 'string') next = begins.last + 1n
  let isCaughtUp = false
  while (!reading.isOver()) {
    const stream = node.log.stream(name)
    if (stream === 'deleted') return refusals.streamDeleted(name)
    const record = stream === 'missing' ? undefined : stream.records[indexOfRevision(stream.records, next)]
    if (record === undefined || record.revision === LAST_REVISION) {
      if (isCaughtUp || !node.settings.caughtUp) await reading.more()
      else await reading.send(caughtUp())
      isCaughtUp = true
      continue
    }
    next = record.revision + 1n
    if (!(await reading.sendEvent(record))) return undefined
  }
  return undefined
}
