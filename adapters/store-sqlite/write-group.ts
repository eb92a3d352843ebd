import { emptyLog, type Connection } from './connection.ts'
import { crashPoint } from './crash-point.ts'
import { unpack } from './pack.ts'
import type { Answer, LaneOptions, Request } from './requests.ts'
import { done, reasonOf, refused } from './reason.ts'
import { logWriter } from './write-log.ts'
import { rowsWriter } from './write-rows.ts'

/**
 * Does all requests in one transaction, which costs one fsync. What it answers is durable. When a statement fails that
 * the rules did not foresee, each request gets a transaction of its own, so that only the one at fault fails.
 */
export const groupWriter = (
  db: Connection,
  options: LaneOptions,
): ((requests: readonly Request[]) => readonly Answer[]) => {
  const log = logWriter(db, options)
  const rows = rowsWriter(db)
  const begin = db.command('BEGIN IMMEDIATE')
  const commit = db.command('COMMIT')
  const rollback = db.command('ROLLBACK')

  const perform = (request: Request, isTrusting: boolean): Answer => {
    switch (request._tag) {
      case 'append':
        return done(log.append(unpack(request.packed), isTrusting))
      case 'erasePart':
        return done(log.erasePart(request.organization, request.sequence, request.part))
      case 'setImportedTo':
        return done(log.setImportedTo(request.position))
      case 'move':
        return rows.move(request)
      case 'drop':
        return done(rows.drop(request.projection))
      case 'saveSnapshot':
        return done(rows.saveSnapshot(request.snapshot))
      case 'dropSnapshots':
        return done(rows.dropSnapshots())
      case 'close':
        return done(undefined)
      default:
        return request satisfies never
    }
  }

  const inOneTransaction = (requests: readonly Request[], isTrusting: boolean): readonly Answer[] => {
    try {
      begin.run([])
      const answers = requests.map((request) => perform(request, isTrusting))
      log.flush()
      for (const { _tag } of requests) if (withinPoints[_tag] !== undefined) crashPoint(withinPoints[_tag])
      commit.run([])
      log.settle()
      return answers
    } catch (error) {
      if (db.isInTransaction()) rollback.run([]) // a full disk has rolled back already
      log.forget()
      rows.forget()
      throw error
    }
  }

  const alone = (request: Request): Answer => {
    try {
      return inOneTransaction([request], false)[0] ?? done(undefined)
    } catch (error) {
      return refused(reasonOf(error))
    }
  }

  /** What was overwritten in the file still stands in older frames of the write-ahead log: an erasure empties that, too. */
  const erasedForEver = (requests: readonly Request[], answers: readonly Answer[]): readonly Answer[] => {
    const reason = requests.some(({ _tag }) => _tag === 'erasePart') ? emptyLog(db) : undefined
    if (reason === undefined) return answers
    return answers.map((answer, i) => (requests[i]?._tag === 'erasePart' ? refused(reason) : answer))
  }

  return (requests) => {
    const hasAppend = requests.some(({ _tag }) => _tag === 'append')
    if (hasAppend) crashPoint('before-append')
    const answers = firstThatWorks(
      () => inOneTransaction(requests, true),
      (error) => (reasonOf(error).startsWith('SQLITE_CONSTRAINT') ? inOneTransaction(requests, false) : undefined),
      () => requests.map(alone),
    )
    if (hasAppend) crashPoint('after-append')
    return erasedForEver(requests, answers)
  }
}

const withinPoints: { readonly [Tag in Request['_tag']]?: string } = {
  append: 'within-group',
  move: 'within-move',
  saveSnapshot: 'within-snapshot',
}

/** Tries trust, then no trust where trust was the trouble, then each request by itself. */
const firstThatWorks = <A>(trusting: () => A, looking: (error: unknown) => A | undefined, apart: () => A): A => {
  try {
    return trusting()
  } catch (error) {
    try {
      return looking(error) ?? apart()
    } catch {
      return apart()
    }
  }
}
