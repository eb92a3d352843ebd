import { setTimeout as pause } from 'node:timers/promises'
import type { Notice } from '../../core/engine.ts'
import type { Failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'

/** How long a command waits for a server that is starting, and what makes it wait no longer. */
export type Waiting = { readonly ms: number; readonly until: Promise<unknown> }

type Opening<A> = Promise<E.Either<Failure, A>>

/** Opens a store; if `waiting` is given, again and again while its server is away. */
export const waitForServer = async <A>(
  open: () => Opening<A>,
  onNotice: (notice: Notice) => void,
  waiting: Waiting | undefined,
): Opening<A> => {
  let opened = await open()
  if (!isAway(opened) || waiting === undefined) return opened
  onNotice({ level: 'warn', message: `waiting up to ${waiting.ms / 1000} s for the store: ${messageOf(opened)}` })
  const endMs = Date.now() + waiting.ms
  while (isAway(opened) && Date.now() < endMs) {
    if (await isEndedWithin(waiting.until, AGAIN_MS)) break
    opened = await open()
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
