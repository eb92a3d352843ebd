/** Subscriptions to a stream and to everything: what is there already, and then what comes. */
import { randomUUID } from 'node:crypto'
import type { LogRecord } from './event-log.ts'
import { filterIn, type EventFilter } from './event-filter.ts'
import { caughtUp, checkpoint, confirmation } from './messages.ts'
import { indexOfRevision, type Reading } from './reading.ts'
import { refusals, type Refusal } from './refusals.ts'

/** How many events the server looks at in one page, if the reader does not say. */
const WINDOW = 32

export const subscribe = async (reading: Reading, name: string): Promise<Refusal | undefined> =>
  reading.options.hasAll() ? subscribeToAll(reading) : subscribeToStream(reading, name)

const confirm = (reading: Reading): Promise<boolean> => reading.send(confirmation(randomUUID()))

const subscribeToAll = async (reading: Reading): Promise<Refusal | undefined> => {
  const { log, settings } = reading.node
  const filter = filterIn(reading.options.getFilter())
  const from = reading.options.getAll()
  const position = BigInt(from?.getPosition()?.getCommitPosition() ?? -1)
  // A position that lies behind the end is taken for the end.
  const isAtEnd = from?.hasEnd() === true || position > log.endPosition()
  if (!isAtEnd && position >= 0n && !log.isBoundary(position)) return refusals.threw()
  if (!(await confirm(reading))) return undefined

  let next = isAtEnd ? log.endPosition() : position + 1n
  const interval = filter === undefined ? Infinity : filter.checkpointEvery * (filter.window ?? WINDOW)
  let considered = 0
  let isCaughtUp = false
  let room = Infinity
  while (!reading.isOver()) {
    const record = log.all()[log.indexAt(next)]
    if (record === undefined) {
      // Looked at again after each wait: something may have been appended while the message was sent.
      if (isCaughtUp || !settings.caughtUp) await reading.more()
      else await reading.send(caughtUp())
      isCaughtUp = true
      continue
    }
    const wanted = filter?.matches(record) ?? true
    if (wanted && isCaughtUp) room = roomFor(room, log.all(), log.indexAt(next), settings.liveBufferMax, filter)
    if (room === 0) return refusals.tooSlow()
    next = record.position + 1n
    if (wanted && !(await reading.sendEvent(record))) return undefined
    if (wanted) room -= 1
    considered += 1
    if (considered < interval) continue
    considered = 0
    if (!(await reading.send(checkpoint(record.position)))) return undefined
  }
  return undefined
}

const subscribeToStream = async (reading: Reading, name: string): Promise<Refusal | undefined> => {
  const { log, settings } = reading.node
  const from = reading.options.getStream()
  const begins = log.stream(name)
  if (begins === 'deleted') return refusals.streamDeleted(name)
  if (!(await confirm(reading))) return undefined

  let room = Infinity
  let next = from?.hasRevision() === true ? BigInt(from.getRevision()) + 1n : 0n
  if (from?.hasEnd() === true && begins !== 'missing') next = begins.last + 1n
  let isCaughtUp = false
  while (!reading.isOver()) {
    const stream = log.stream(name)
    if (stream === 'deleted') {
      const tombstone = log.all().findLast((record) => record.stream === name)
      if (tombstone !== undefined) await reading.sendEvent(tombstone)
      return refusals.streamDeleted(name)
    }
    const records = stream === 'missing' ? [] : stream.records
    const record = records[indexOfRevision(records, next)]
    if (record === undefined) {
      // The server says nothing of a stream that is not there yet, unless it is followed from the end.
      const isSilent: boolean = isCaughtUp || !settings.caughtUp || (stream === 'missing' && from?.hasEnd() !== true)
      if (isSilent) await reading.more()
      else await reading.send(caughtUp())
      isCaughtUp ||= !isSilent
      continue
    }
    if (isCaughtUp) room = roomFor(room, records, indexOfRevision(records, next), settings.liveBufferMax)
    if (room === 0) return refusals.tooSlow()
    next = record.revision + 1n
    if (!(await reading.sendEvent(record))) return undefined
    room -= 1
  }
  return undefined
}

/**
 * How many more events are sent before the subscription is dropped; infinite as long as no more are waiting than the server keeps.
 * Servers before 24.2 drop whoever is behind by more once it has caught up, and be it by one large append; later ones catch up again.
 */
const roomFor = (
  room: number,
  records: readonly LogRecord[],
  from: number,
  liveBufferMax: number,
  filter?: EventFilter,
): number => {
  if (room !== Infinity || records.length - from <= liveBufferMax) return room
  const waiting = records.slice(from, from + liveBufferMax * LOOKED_AT)
  const count = filter === undefined ? waiting.length : waiting.filter(filter.matches).length
  return count > liveBufferMax ? liveBufferMax : Infinity
}

/** Not all that is waiting is looked at, which would take long in a log that others fill. */
const LOOKED_AT = 4
