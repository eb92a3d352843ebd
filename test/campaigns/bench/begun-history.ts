/** What histories are generated after: an organization that an engine has begun. Runs on what was built. */
import { nodeIds } from 'countersign'
import { createEngine } from 'countersign/fp'
import { generateKey, stamper } from 'countersign/signatures'
import { memoryStore } from 'countersign/store-memory'
import { FIRST, type HistoryPlan } from './generated-history.ts'
import { renaming, seedOf, stampedBy, type Seed } from './seed.ts'

/** An organization with its log: its beginning, its tag, and one renaming of it by `FIRST`. */
export const begun = async (): Promise<{ readonly seed: Seed; readonly made: HistoryPlan['made'] }> => {
  const memory = memoryStore()
  const engine = await createEngine({ store: memory })
  const seed = await seedOf(engine, nodeIds().uuid(), generateKey('API_KEY_CURVE_P256'))
  await right(engine.submit('update_user_tag', stampedBy(stamper(seed.key), renaming(seed, FIRST))))
  const made = await right(memory.store.readLog(seed.organizationId, 0n, 1_000))
  await engine.close()
  return { seed, made }
}

type Outcome<A> =
  { readonly _tag: 'Right'; readonly right: A } | { readonly _tag: 'Left'; readonly left: { readonly message: string } }

/** Runs the task and gives its value; throws what failed. */
export const right = async <A>(task: () => Promise<Outcome<A>>): Promise<A> => {
  const outcome = await task()
  if (outcome._tag === 'Left') throw new Error(outcome.left.message)
  return outcome.right
}
