import { emptyLog, type Connection } from './connection.ts'
import { crashPoint } from '../crash-point.ts'
import { unpack } from './pack.ts'
import type { Answer, WriterOptions, Request } from './requests.ts'
import { done, reasonOf, refused, refusedBy } from './reason.ts'
import { logWriter } from './write-log.ts'
import { rowsWriter } from './write-rows.ts'
import { sealedWriter } from './write-sealed.ts'

/**
 * Runs all requests in one transaction, which costs one fsync. Its answers are durable. If a statement fails unexpectedly, each request
 * gets a transaction of its own, so that only the faulty one fails.
 */
export const groupWriter = (
  db: Connection,
  options: WriterOptions,
): ((requests: readonly Request[]) => readonly Answer[]) => {
  const log = logWriter(db, options)
  const rows = rowsWriter(db)
  const sealed = sealedWriter(db)
  const begin = db.command('BEGIN IMMEDIATE')
  const commit = db.command('COMMIT')
  const rollback = db.command('ROLLBACK')

  const perform = (request: Request, isTrusting: boolean): Answer => {
    switch (request._tag) {
      case 'append':
        return done(log.append(unpack(request.packed), isTrusting))
      case 'eraseParts':
        return done(log.eraseParts(request.organization, request.parts))
      case 'setImportedTo':
        return done(log.setImportedTo(request.position))
      case 'setStandings':
        return done(log.setStandings(request.standings, request.version))
      case 'move':
        return rows.move(request)
      case 'drop':
        return done(rows.drop(request.projection))
      case 'saveSnapshot':
        return rows.saveSnapshot(request)
      case 'dropSnapshot':
        return done(rows.dropSnapshot(request.organization))
      case 'dropSnapshots':
        return done(rows.dropSnapshots())
      case 'putSealed':
        return done(sealed.put(request.row))
      case 'replaceSealed':
        return done(sealed.replace(request.row, request.by))
      case 'deleteSealed':
        return done(sealed.delete(request.place))
      case 'deleteAllSealed':
        return done(sealed.deleteAll(request.organization))
      case 'tryWriting':
        return done(rows.tryWriting(request.bytes))
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
      return refusedBy(error)
    }
  }

  /** Older frames of the write-ahead log still have the bytes that were overwritten in the file, so an erasure also empties that log. */
  const erasedForEver = (requests: readonly Request[], answers: readonly Answer[]): readonly Answer[] => {
    if (!requests.some(isErasure)) return answers
    crashPoint('after-erasure')
    const reason = emptyLog(db)
    crashPoint('log-emptied')
    if (reason === undefined) return answers
    return answers.map((answer, i) => {
      const request = requests[i]
      return request !== undefined && isErasure(request) ? refused(reason) : answer
    })
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

const ERASURES: ReadonlySet<Request['_tag']> = new Set([
  'eraseParts',
  'dropSnapshot',
  'deleteSealed',
  'deleteAllSealed',
])
const isErasure = ({ _tag }: Request): boolean => ERASURES.has(_tag)

const withinPoints: { readonly [Tag in Request['_tag']]?: string } = {
  append: 'within-group',
  move: 'within-move',
  saveSnapshot: 'within-snapshot',
  eraseParts: 'within-erasure',
  dropSnapshot: 'within-drop',
}

/** Tries with `trusting`, then without it if that was the cause of the error, then each request by itself. */
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
