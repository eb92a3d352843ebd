import type { Failure } from '../../../core/failure.ts'
import { encodeEvent, instant, type Event } from '../../../core/log/event.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E, type TE } from '../../../core/prelude.ts'
import { anyEvent, projection } from '../../../core/definition/projection.ts'
import type { Positioned } from '../../../core/following/feed.ts'
import { runner, type Runner } from '../../../core/projection/runner.ts'
import { testStore } from '../world/test-store.ts'
import { right, testClock } from '../world/world.ts'

export const eventAt = (n: number): Event => ({
  organization: 'organization',
  sequence: BigInt(n),
  activity: `activity ${n}`,
  revision: 1n,
  version: 1,
  id: `event ${n}`,
  at: instant(0),
  previous: '',
  parts: {},
  type: 'ActivityStarted',
  data: { attempt: n, resumeAt: instant(0), revision: 1 },
})
export const positioned = (n: number): Positioned => ({ event: eventAt(n), position: BigInt(n) })
export const upTo = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** A row for each event: none may be missing, and none come twice. */
export const seen = projection({
  name: 'seen',
  version: 1,
  on: [
    anyEvent(({ sequence }, { position }) => [
      { _tag: 'put', organization: '*', key: String(sequence), order: position, facets: {}, value: null },
    ]),
  ],
})

/** A store with so many events, a runner over it, and faults of both. */
export const scene = async (events = 0, { soleWriter = true } = {}) => {
  const { store, readModels } = await testStore()
  const clock = testClock()
  /** Calls are refused, begin when they are let go, or end when they are. */
  const faults: { moves?: Failure; reads?: Failure; held?: Promise<void>; late?: Promise<void> } = {}
  const refusing =
    <A>(fault: () => Failure | undefined, task: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
    async () => {
      await faults.held
      const refusal = fault()
      const answer = refusal === undefined ? await task() : E.left(refusal)
      await faults.late
      return answer
    }
  const storage: Storage = {
    store: {
      ...store,
      capabilities: { ...store.capabilities, soleWriter },
      readAll: (...asked) => refusing(() => faults.reads, store.readAll(...asked)),
    },
    readModels: { ...readModels, move: (...asked) => refusing(() => faults.moves, readModels.move(...asked)) },
  }
  const append = async (...numbers: readonly number[]): Promise<void> => {
    const commits = numbers.map((n) => ({
      organization: 'organization',
      expected: 'any' as const,
      events: [{ id: `event ${n}`, activity: `activity ${n}`, revision: 1n, line: encodeEvent(eventAt(n)), parts: [] }],
      checks: [],
    }))
    right(await store.append(commits)())
  }
  await append(...upTo(1, events))
  const rows = async (): Promise<readonly number[]> =>
    right(await readModels.rows('seen@1', '*', { limit: 100_000, ascending: true })()).map(({ key }) => Number(key))
  return {
    storage,
    clock,
    faults,
    append,
    rows,
    run: async (): Promise<Runner> => right(await runner({ storage, clock }, seen)),
  }
}
