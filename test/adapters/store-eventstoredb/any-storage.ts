/* What tests of the store begin with, where other processes and tools are against it. */
import * as assert from 'uvu/assert'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Commit } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { until } from '../../until.ts'
import type { Lender } from './under-test.ts'

export const organization = 'acme'
export const to = (...events: Commit['events']) => anyCommit({ organization, events })
export const tagsOf = async ({ store }: Storage, ...commits: readonly Commit[]) =>
  (await right(store.append(commits))).map(({ _tag }) => _tag)
export const closeAll = async (...all: readonly Storage[]): Promise<void> => {
  for (const { readModels, store } of all) {
    await readModels.close()
    await store.close()
  }
}
/** What is said until it is not UNAVAILABLE any more. */
export const untilAvailable = async <A>(task: () => Promise<E.Either<{ readonly code: string }, A>>): Promise<A> => {
  const answer = await until(async () => {
    const outcome = await task()
    if (E.isRight(outcome)) return outcome
    assert.is(outcome.left.code, 'UNAVAILABLE')
    return undefined
  })
  return answer.right
}
/** Read models that a test changes behind the back of the store. */
export const openLender = () => {
  const { readModels, leases, sealed } = memoryStore()
  const lender: Lender = {
    borrow: async () => ({ readModels: { ...readModels, close: async () => undefined }, leases, sealed }),
    dispose: async () => undefined,
  }
  return { readModels, lender }
}
