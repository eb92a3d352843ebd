/*
 * The worker of an SQLite store: its only writer. It takes all requests that wait as one group, and answers them when
 * they are on the disk.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { emptyLog, openForWriting, type Connection } from './connection.ts'
import { makePrivate, removeDatabase } from './files.ts'
import { holdLock, type Lock } from './lock.ts'
import { done, reasonOf, refused, type Done, type Refused } from './reason.ts'
import type { Asked, Discard, LaneOptions, Told } from './requests.ts'
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

const serve = (db: Connection, options: LaneOptions, end: (discard: Discard) => void): void => {
  const write = groupWriter(db, options)
  port.on('message', (first: Asked) => {
    const group = [first]
    while (group.length < GROUP_MAX) {
      const next = receiveMessageOnPort(port)
      if (next === undefined) break
      group.push(next.message as Asked) // the store sends nothing else
    }
    const answers = write(group.map(({ request }) => request))
    const last = group.map(({ request }) => request).find((request) => request._tag === 'close')
    if (last !== undefined) end(last.discard)
    tell({
      _tag: 'answered',
      answers: group.flatMap(({ ticket }, i) => (answers[i] ? [{ ticket, answer: answers[i] }] : [])),
    })
    if (last !== undefined) port.close()
  })
}

/** @param isNew  whether this opening has made the file */
const end =
  (db: Connection, { path }: LaneOptions, isNew: boolean, lock: Lock) =>
  (discard: Discard): void => {
    const isUnwanted = isNew && (discard === 'all' || (discard === 'if-empty' && isEmpty(db)))
    emptyLog(db) // leaves one file, unless somebody still reads
    db.close()
    if (isUnwanted) removeDatabase(path)
    if (discard === 'nothing') lock.free()
    else lock.remove()
  }

const isEmpty = (db: Connection): boolean => {
  try {
    return db.query('SELECT 1 FROM events LIMIT 1').get([]) === undefined
  } catch {
    return false // what cannot be read may hold something
  }
}

const options = workerData as LaneOptions // the lane starts us with nothing else
const lock = holdLock(options.path)
if (lock._tag === 'refused') tell({ _tag: 'not-opened', reason: lock.reason })
else {
  const isNew = makePrivate(options.path) === 'made' // under the lock: nobody else uses what is made here
  const db = open(options.path)
  if (db._tag === 'refused') {
    if (isNew) removeDatabase(options.path)
    lock.value.remove()
    tell({ _tag: 'not-opened', reason: db.reason })
  } else {
    serve(db.value, options, end(db.value, options, isNew, lock.value))
    tell({ _tag: 'opened' })
  }
}
