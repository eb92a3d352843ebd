import type { Attempts } from '../../core/ports/attempts.ts'
import { refuse } from '../../core/ports/refusal.ts'
import type { MarksStream } from './marks.ts'

/**
 * Looks now and then whether the log still names the database with which the store was opened. Somebody may have given the log another one while
 * this process was running: its leases are seen by nobody any more, so what they keep apart would be done twice.
 */
export type Ownership = {
  /** The same border: it refuses everything while the log belongs to another database. */
  readonly guarded: (border: Attempts) => Attempts
  readonly close: () => void
}

const LOOK_MS = 2_000

export const ownership = (marks: Pick<MarksStream, 'read'>, own: string): Ownership => {
  let isTheirs = false
  let isClosed = false

  const look = async (): Promise<void> => {
    try {
      const { database = own } = await marks.read()
      isTheirs = database !== own
    } catch {
      // Whoever needs the server is told.
    }
  }
  const later = (): NodeJS.Timeout =>
    setTimeout(() => void look().then(() => (isClosed ? undefined : (timer = later()))), LOOK_MS).unref()
  let timer = later()

  const check = (): void => {
    if (isTheirs)
      throw refuse(
        'UNAVAILABLE',
        'the log belongs to other read models now: end this process, and start it with those that the log was given',
      )
  }
  const behind =
    <A>(run: () => Promise<A>) =>
    async (): Promise<A> => {
      check()
      return run()
    }

  return {
    guarded: (border) => ({
      ...border,
      attempt: (run) => border.attempt(behind(run)),
      write: (run) => border.write(behind(run)),
    }),
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
