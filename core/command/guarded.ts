import { failure, type Failure } from '../failure.ts'
import { hostOutcome } from '../operations/host-outcome.ts'
import type { TellNotice } from '../ports/notice.ts'
import { E, type TE } from '../prelude.ts'

/** Tells the operator that something threw: a bug of the host's, or of ours. */
export type TellThrown = (what: string, thrown: unknown) => void

/**
 * Tells of what was thrown by its name and by the places that it came through. Its message was written by others, and may
 * hold a secret.
 */
export const tellThrown =
  (tell: TellNotice): TellThrown =>
  (what, thrown) =>
    tell({ level: 'error', message: `${what} threw`, context: { thrown: nameOf(thrown), at: placesOf(thrown) } })

const PLACES_MAX = 10

// An error of a host may have anything in place of its members.
const nameOf = (thrown: unknown): string => {
  const name: unknown = thrown instanceof Error ? thrown.name : undefined
  return typeof name === 'string' ? name : typeof thrown
}

const placesOf = (thrown: unknown): readonly string[] => {
  const stack: unknown = thrown instanceof Error ? thrown.stack : undefined
  if (typeof stack !== 'string') return []
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return places.slice(0, PLACES_MAX).map((line) => line.trim())
}

/**
 * A task that never rejects and never gives what is no outcome, whatever the code of the host does that runs in it. Nothing is
 * stored because of a bug: the caller gets `INTERNAL`, and may send the same request again when the bug is mended.
 *
 * @param what  names the task to the operator
 */
export const guarded =
  (tell: TellThrown) =>
  <A>(what: string, task: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
  async () => {
    try {
      return hostOutcome(what, await task())
    } catch (thrown) {
      tell(what, thrown)
      return E.left(bug)
    }
  }

const bug = failure('INTERNAL', 'a bug was met while this was answered; the operator was told of it')

/** What a host wants to be told of; that it throws is its own affair. */
export const quietly =
  (tell: TellNotice = () => undefined): TellNotice =>
  (notice) => {
    try {
      tell(notice)
    } catch {
      // There is nobody else whom one could tell.
    }
  }
