/** `Read`: pages of a stream or of everything, both ways. Subscriptions go on behind them. */
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { LAST_REVISION, type LogRecord } from './event-log.ts'
import { isNoStream, nameIn, streamNotFound } from './messages.ts'
import { refusalBy, unreadyFor, type Node } from './node.ts'
import { indexOfRevision, readingOf, type ReadCall, type Reading } from './reading.ts'
import { refusals, type Refusal } from './refusals.ts'
import { subscribe } from './subscriptions.ts'

export const read = (node: Node) => (call: ReadCall) => {
  const options = call.request.getOptions() ?? new streams.ReadReq.Options()
  const subscribes = options.hasSubscription()
  const name = options.hasAll() ? '$all' : nameIn(options.getStream()?.getStreamIdentifier())
  const fault = node.faults.take(subscribes ? 'subscribe' : 'read', name)
  const refused =
    node.denied(call.metadata, 'read', name) ??
    // What is followed from the end on, every node gives, whatever the caller asks for.
    (subscribes && startsAtEnd(options) ? undefined : unreadyFor(node, call.metadata, 'read')) ??
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

const startsAtEnd = (options: streams.ReadReq.Options): boolean =>
  options.getAll()?.hasEnd() === true || options.getStream()?.hasEnd() === true

const isBackwards = (options: streams.ReadReq.Options): boolean =>
  options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS

/** What is appended meanwhile is not part of the page. */
const sendPage = async (reading: Reading, from: number, records: readonly LogRecord[]): Promise<undefined> => {
  const count = Number(reading.options.getCount())
  const page = isBackwards(reading.options)
    ? records.slice(Math.max(0, from + 1 - count), from + 1).toReversed()
    : records.slice(from, from + count)
  for (const record of page) if (!(await reading.sendEvent(record))) return undefined
  return undefined
}

const readStream = async (reading: Reading, name: string): Promise<Refusal | undefined> => {
  if (isNoStream(name)) return refusals.threw()
  const stream = reading.node.log.stream(name)
  if (stream === 'deleted') return refusals.streamDeleted(name)
  if (stream === 'missing') {
    await reading.send(streamNotFound(name))
    return undefined
  }
  const { records } = stream
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
  const records = log.all()
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
