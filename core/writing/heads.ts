import type { Failure } from '../failure.ts'
import type { EventStore, Head } from '../ports/event-store.ts'
import type { E } from '../prelude.ts'

/** Reads the last events of logs. */
export type Heads = {
  /** The last event of the organization's log, at a moment after the call; `undefined` if the log is empty. */
  readonly read: (organization: string) => Promise<Answer>
}

type Answer = E.Either<Failure, Head | undefined>

/**
 * One read serves all who asked before it began. A read that had begun says nothing about those who came later, so they share the
 * next one. However many ask, there are at most two reads of a log at a time.
 */
export const heads = ({ head }: Pick<EventStore, 'head'>): Heads => {
  const begun = new Map<string, Promise<Answer>>()
  const waiting = new Map<string, Promise<Answer>>()

  const begin = (organization: string): Promise<Answer> => {
    const read = head(organization)()
    begun.set(organization, read)
    const end = (): void => {
      if (begun.get(organization) === read) begun.delete(organization)
    }
    read.then(end, end)
    return read
  }

  const beginAfter = async (organization: string, before: Promise<Answer>): Promise<Answer> => {
    await Promise.allSettled([before])
    waiting.delete(organization)
    return begin(organization)
  }

  return {
    read: (organization) => {
      const before = begun.get(organization)
      if (before === undefined) return begin(organization)
      const joined = waiting.get(organization) ?? beginAfter(organization, before)
      waiting.set(organization, joined)
      return joined
    },
  }
}
