/*
 * A process that a trial starts, and may kill. Its first line on standard input says what to do: the URL is not among the arguments, which
 * others on the machine can read. It prints lines, and ends when its input ends.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Commit } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { anyCommit, anyEvent } from '../../testing/any.ts'
import { right } from '../../testing/expect.ts'
import { closed } from '../../testing/store-case.ts'
import { RACE_GROUPS, RACE_PLACES } from './race.ts'
import { openTrialStore, type TrialStore } from './trial-store.ts'

/** What a process does. */
export type Task = 'append without end' | 'race' | 'hold the lock'

const tell = (line: string): void => void writeSync(1, `${line}\n`)

/** Prints an id once its commit is acknowledged, until the process is killed. */
const appendWithoutEnd = async ({ store }: Storage): Promise<never> => {
  const appending = async (organization: string): Promise<never> => {
    for (;;) {
      const events = [anyEvent(), anyEvent()]
      await right(store.append([anyCommit({ organization, events })]))
      tell(events.map(({ id }) => id).join('\n'))
    }
  }
  return Promise.race(['a', 'b', 'c'].map(appending))
}

const AT_ONCE = 8

/** Appends to logs that the other process appends to, in any place and in exact ones, and prints every id that was acknowledged. */
const race = async ({ store }: Storage): Promise<void> => {
  const acknowledged = async (commit: Commit): Promise<boolean> => {
    const [answer] = await right(store.append([commit]))
    if (answer?._tag === 'committed') tell(commit.events.map(({ id }) => id).join('\n'))
    return answer?._tag === 'committed'
  }
  for (let group = 0; group < RACE_GROUPS; group++)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        acknowledged(anyCommit({ organization: `log ${n % 3}`, events: [anyEvent(), anyEvent()] })),
      ),
    )
  for (let won = 0; won < RACE_PLACES;) {
    const head = await right(store.head('contended'))
    const expected = head?.sequence ?? 'none'
    if (await acknowledged(anyCommit({ organization: 'contended', expected }))) won += 1
  }
}

/** Stops in the middle of a transaction that has the lock of the store. */
const holdTheLock = async ({ url, schema }: TrialStore & { readonly kind: 'postgres' }): Promise<void> => {
  const { holdLock } = await import('../../store-postgres/hold-lock.ts')
  await holdLock(url, schema)
  tell('holding')
}

const main = async (): Promise<void> => {
  const lines = createInterface(process.stdin)
  const ended = once(lines, 'close')
  const [first] = (await once(lines, 'line')) as [string]
  void ended.then(() => process.exit(0)) // whoever has started us is gone
  const { task, store } = JSON.parse(first) as { readonly task: Task; readonly store: TrialStore } // of our own program
  if (task === 'hold the lock') return store.kind === 'postgres' ? holdTheLock(store) : undefined
  const storage = await right(openTrialStore(store))
  tell('ready')
  await once(lines, 'line') // both begin at once
  if (task === 'append without end') return appendWithoutEnd(storage)
  await race(storage)
  await closed(storage)
  tell('done')
  process.exit(0) // our input is still open
}

await main()
