import type { Asking, Pool } from './pool.ts'

type Waiting<Key, Answer> = {
  readonly key: Key
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Statements under way at a time: while one waits for the server, the next one gathers. */
const AT_ONCE = 2

/**
 * One statement answers all who asked before it began: many ask at once, and there are few connections.
 *
 * @param read  the answers, in the order of the keys
 * @param atMost  the keys of one statement
 */
export const gathering = <Key, Answer>(
  pool: Pool,
  read: (on: Asking, keys: readonly Key[]) => Promise<readonly Answer[]>,
  atMost = Infinity,
): ((key: Key) => Promise<Answer>) => {
  const waiting: Waiting<Key, Answer>[] = []
  let underWay = 0

  const answerOnce = async (): Promise<void> => {
    let these: readonly Waiting<Key, Answer>[] = []
    try {
      const answers = await pool.lend((on) => {
        these = waiting.splice(0, atMost)
        return read(
          on,
          these.map(({ key }) => key),
        )
      })
      these.forEach(({ resolve }, index) => resolve(answers[index] as Answer)) // one for each key
    } catch (error) {
      // Without a connection, nobody has been taken yet: then all who wait are told.
      if (these.length === 0) these = waiting.splice(0)
      for (const { reject } of these) reject(error)
    }
  }

  const answer = async (): Promise<void> => {
    while (waiting.length > 0) await answerOnce()
    underWay--
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (underWay >= AT_ONCE) return
      underWay++
      // A turn later, so that those who ask in this turn are in the first statement, too.
      void Promise.resolve().then(answer)
    })
}
