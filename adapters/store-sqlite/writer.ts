/*
 * The worker of an SQLite store: its only writer. It takes all waiting requests as one group, and answers them when they are on the disk.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { emptyLog, openForWriting, type Connection } from './connection.ts'
import { makePrivate, removeDatabase } from './files.ts'
import { holdLock, type Lock } from './lock.ts'
import { done, refused, refusedBy, type Done, type Refused } from './reason.ts'
import type { Ticketed, Discard, WriterOptions, Told } from './requests.ts'
import { prepareForWriting } from './schema.ts'
import { groupWriter } from './write-group.ts'

/** The most requests of a group. It bounds how long the first waits for the last, and how much a rollback has to repeat. */
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
    return refusedBy(error)
  }
}

const serve = (db: Connection, options: WriterOptions, end: (discard: Discard) => void): void => {
  const write = groupWriter(db, options)
  port.on('message', (first: Ticketed) => {
    const group = [first]
    while (group.length < GROUP_MAX) {
      const next = receiveMessageOnPort(port)
      if (next === undefined) break
      group.push(next.message as Ticketed) // the store sends nothing else
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
  (db: Connection, { path }: WriterOptions, isNew: boolean, lock: Lock) =>
  (discard: Discard): void => {
    const isUnwanted = isNew && (discard === 'all' || (discard === 'if-empty' && isEmpty(db)))
    emptyLog(db) // leaves one file, unless another process still reads
    db.close()
    if (isUnwanted) removeDatabase(path)
    if (discard === 'nothing') lock.free()
    else lock.remove()
  }

const isEmpty = (db: Connection): boolean => {
  try {
    return db.query('SELECT 1 FROM events UNION ALL SELECT 1 FROM sealed LIMIT 1').get([]) === undefined
  } catch {
    return false // a store that cannot be read may have events
  }
}

const options = workerData as WriterOptions // the store starts us with nothing else
const lock = holdLock(options.path)
if (lock._tag === 'refused') tell({ _tag: 'not-opened', refused: lock })
else {
  const isNew = makePrivate(options.path) === 'made' // under the lock, so that no other process uses the new file
  const db = open(options.path)
  if (db._tag === 'refused') {
    if (isNew) removeDatabase(options.path)
    lock.value.remove()
    tell({ _tag: 'not-opened', refused: db })
  } else {
    serve(db.value, options, end(db.value, options, isNew, lock.value))
    tell({ _tag: 'opened' })
  }
}
