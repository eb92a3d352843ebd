/*
 * Makes histories fast: real commands through a real engine, with real stamps, which nobody verifies on the way in. Runs in
 * a process of its own, so that its memory is nobody else's.
 */
import { createEngine, nodeIds, nodeSignatures, type Engine } from 'countersign'
import { sqliteStore } from 'countersign/store-sqlite'
import { stamper } from 'countersign/signatures'
import { doJobs } from './child.ts'
import { beginOrganization, newKey, renaming, seedOf, stampedBy, type Seed } from './seed.ts'

export type History = {
  readonly path: string
  /** In one organization. */
  readonly activities: number
  readonly organizations: number
}

/** Engines answer together what was committed together: the more wait, the fewer commits it takes. */
const IN_FLIGHT = 512

const make = async ({ path, activities, organizations }: History): Promise<Seed> => {
  const signatures = { ...nodeSignatures(), verify: async () => true }
  const engine = await createEngine({ store: sqliteStore({ path }), signatures })
  const key = newKey()
  const seed = await seedOf(engine, nodeIds().uuid(), key)
  const stamp = stamper(key)
  await inParallel(organizations - 1, () => beginOrganization(engine, nodeIds().uuid(), key, stamp))
  await inParallel(activities, (n) => submit(engine, stampedBy(stamp, renaming(seed, `${n}`))))
  await caughtUp(engine)
  await engine.close()
  return seed
}

const submit = async (engine: Engine, request: ReturnType<typeof stampedBy>): Promise<void> => {
  const answer = await engine.submit('update_user_tag', request)()
  if (answer._tag === 'Left') throw new Error(answer.left.message)
}

const caughtUp = async (engine: Engine): Promise<void> => {
  const last = await engine.lastPosition()()
  if (last._tag === 'Right') await engine.whenProcessed(last.right, 'activities')()
}

const inParallel = async (count: number, work: (n: number) => Promise<void>): Promise<void> => {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

doJobs({ make })
