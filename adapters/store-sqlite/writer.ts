/*
 * The worker of an SQLite store: its only writer. It takes all requests that wait as one group, and answers them when
 * they are on the disk.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { emptyLog, openForWriting, type Connection } from './connection.ts'
import { holdLock } from './lock.ts'
import { done, reasonOf, refused, type Done, type Refused } from './reason.ts'
import type { Asked, LaneOptions, Told } from './requests.ts'
import { prepareForWriting } from './schema.ts'
import { groupWriter } from './write-group.ts'

/** Bounds how long the first of a group waits for the last, and what a rollback has to do again. */
const GROUP_MAX = 1024

const port = parentPort
if (port === null) throw new Error('writer.ts runs as a worker of the SQLite store')
const tell = (told: Told): void => port.postMessage(told)

const open = (path: string): Done<Connection> | Refused => {
  try {
    const db = openForWriting(path)
    const reason = prepareForWriting(db)
    return reason === undefined ? done(db) : refused(reason)
  } catch (error) {
    return refused(reasonOf(error))
  }
}

const serve = (db: Connection, options: LaneOptions, freeLock: () => void): void => {
  const write = groupWriter(db, options)
  port.on('message', (first: Asked) => {
    const group = [first]
    while (group.length < GROUP_MAX) {
      const next = receiveMessageOnPort(port)
      if (next === undefined) break
      group.push(next.message as Asked) // the store sends nothing else
    }
    const answers = write(group.map(({ request }) => request))
    const isLast = group.some(({ request }) => request._tag === 'close')
    if (isLast) end(db, freeLock)
    tell({
      _tag: 'answered',
      answers: group.flatMap(({ ticket }, i) => (answers[i] ? [{ ticket, answer: answers[i] }] : [])),
    })
    if (isLast) port.close()
  })
}

const end = (db: Connection, freeLock: () => void): void => {
  emptyLog(db) // leaves one file, unless somebody still reads
  db.close()
  freeLock()
}

const options = workerData as LaneOptions // the lane starts us with nothing else
const lock = holdLock(options.path)
if (lock._tag === 'refused') tell({ _tag: 'not-opened', reason: lock.reason })
else {
  const db = open(options.path)
  if (db._tag === 'refused') {
    lock.value()
    tell({ _tag: 'not-opened', reason: db.reason })
  } else {
    serve(db.value, options, lock.value)
    tell({ _tag: 'opened' })
  }
}
