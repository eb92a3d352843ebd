/*
 * Makes histories fast: real commands through a real engine, with real stamps, which nobody verifies on the way in. Runs in
 * a process of its own, so that its memory is nobody else's.
 */
import { createEngine, nodeIds, nodeSignatures, type Engine, type Request } from 'countersign'
import { generateKey } from 'countersign/signatures'
import { sqliteStore } from 'countersign/store-sqlite'
import { doJobs, startChild, type Child } from './child.ts'
import { seedOf, type Seed } from './seed.ts'
import type { Stamped } from './stamp-program.ts'

export type History = {
  readonly path: string
  /** In one organization. */
  readonly activities: number
  readonly organizations: number
}

/** Engines answer together what was committed together: the more wait, the fewer commits it takes. */
const IN_FLIGHT = 1024
/** Requests that are stamped at a time. While one such batch is done, the next is stamped. */
const BATCH = 2048

const make = async ({ path, activities, organizations }: History, progress: (done: number) => void): Promise<Seed> => {
  const signatures = { ...nodeSignatures(), verify: async () => true }
  const engine = await createEngine({ store: sqliteStore({ path }), signatures })
  const signer = startChild(new URL('./stamp-program.ts', import.meta.url))
  const seed = await seedOf(engine, nodeIds().uuid(), generateKey('API_KEY_CURVE_P256'))
  let done = 0
  const passed = (): void => {
    done += 1
    if (done % BATCH === 0) progress(done)
  }
  const begin = async (request: Request): Promise<void> => {
    const answer = await engine.createOrganization(request)()
    if (answer._tag === 'Left') throw new Error(answer.left.message)
    passed()
  }
  const submit = async (request: Request): Promise<void> => {
    const answer = await engine.submit('update_user_tag', request)()
    if (answer._tag === 'Left') throw new Error(answer.left.message)
    passed()
  }
  await inParallel(batches(signer, 'beginnings', seed, organizations - 1), begin)
  await inParallel(batches(signer, 'renamings', seed, activities), submit)
  await signer.close()
  await caughtUp(engine)
  await engine.close()
  return seed
}

/** Stamped requests, a batch ahead of those who take them. */
async function* batches(
  signer: Child,
  job: 'beginnings' | 'renamings',
  seed: Seed,
  total: number,
): AsyncGenerator<Request> {
  const ask = (from: number): Promise<readonly Stamped[]> =>
    signer.ask(job, { seed, from, count: Math.max(0, Math.min(BATCH, total - from)) })
  let next = ask(0)
  for (let from = 0; from < total; from += BATCH) {
    const batch = await next
    next = ask(from + BATCH)
    for (const { body, stamp } of batch) yield { headers: { 'x-stamp': stamp }, body, address: null }
  }
  await next
}

const inParallel = async (
  requests: AsyncGenerator<Request>,
  work: (request: Request) => Promise<void>,
): Promise<void> => {
  const worker = async (): Promise<void> => {
    for (let taken = await requests.next(); taken.done !== true; taken = await requests.next()) await work(taken.value)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

const caughtUp = async (engine: Engine): Promise<void> => {
  const last = await engine.lastPosition()()
  if (last._tag === 'Right') await engine.whenProcessed(last.right, 'activities')()
}

doJobs({ make })
