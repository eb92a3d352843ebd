import { setTimeout as pause } from 'node:timers/promises'
import type { Notice } from '../../core/engine.ts'
import type { Failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import type { Storage } from '../../core/ports/storage.ts'
import type { PostgresStorage } from '../store-postgres/open.ts'

/** How long a command waits for a server that is starting, and what makes it wait no longer. */
export type Waiting = { readonly ms: number; readonly until: Promise<unknown> }

type Opening<A> = Promise<E.Either<Failure, A>>

/** Opens an existing store in a database, and makes nothing in it. */
export const readPostgres = (url: string): Opening<Storage> => openPostgres(url, true)

/** Opens a store in a database, and makes its tables if there are none. */
export const writePostgres = async (
  url: string,
  onNotice: (notice: Notice) => void,
  waiting: Waiting | undefined,
): Opening<PostgresStorage> => {
  let opened = await openPostgres(url, false)
  if (!isAway(opened) || waiting === undefined) return opened
  onNotice({ level: 'warn', message: `waiting up to ${waiting.ms / 1000} s for the store: ${messageOf(opened)}` })
  const endMs = Date.now() + waiting.ms
  while (isAway(opened) && Date.now() < endMs) {
    if (await isEndedWithin(waiting.until, AGAIN_MS)) break
    opened = await openPostgres(url, false)
  }
  return opened
}

const AGAIN_MS = 1_000

const isAway = (opened: E.Either<Failure, unknown>): boolean => E.isLeft(opened) && opened.left.code === 'UNAVAILABLE'
const messageOf = (opened: E.Either<Failure, unknown>): string => (E.isLeft(opened) ? opened.left.message : '')

const isEndedWithin = async (until: Promise<unknown>, ms: number): Promise<boolean> => {
  const rest = new AbortController()
  try {
    return await Promise.race([until.then(() => true), pause(ms, false, { signal: rest.signal })])
  } finally {
    rest.abort()
  }
}

/** Whoever lists the processes of the machine would otherwise read the password, if the URL was given as a flag. */
export const hideArguments = (url: string): void => {
  const place = url.slice(url.indexOf(':'))
  if (process.argv.some((argument) => argument.includes(place))) process.title = 'countersign'
}

const openPostgres = async (url: string, readOnly: boolean): Opening<PostgresStorage> => {
  hideArguments(url)
  return (await import('../store-postgres/open.ts')).openPostgresStore({ url, readOnly })()
}
