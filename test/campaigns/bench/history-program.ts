/*
 * Makes histories fast: logs are generated with real stamps, and imported. Runs in a process of its own, so that its memory is nobody else's.
 */
import { nodeIds } from 'countersign'
import { type Engine, createEngine, sqliteStore } from 'countersign/fp'
import { stamper } from 'countersign/signatures'
import type * as NodeDigest from '../../../adapters/digest/node-digest.ts'
import type * as Import from '../../../core/log/import-transcript.ts'
import type { TranscriptEntry } from '../../../core/log/transcript-reader.ts'
import { begun, right } from './begun-history.ts'
import { built } from './built.ts'
import { doJobs, startChild } from './child.ts'
import { closing, historyEntries, type HistoryPlan } from './generated-history.ts'
import { encode, stampedBy, type Seed } from './seed.ts'
import type { Asked, Stamped } from './stamped.ts'

const { nodeDigest } = await built<typeof NodeDigest>('adapters/digest/node-digest')
const { importTranscript } = await built<typeof Import>('core/log/import-transcript')

export type History = {
  readonly path: string
  /** In one organization. */
  readonly activities: number
  readonly organizations: number
}

/** Tells how many activities were made, those by which organizations begin among them. */
type Passed = (activities: number) => void

/** What was made, and how long the organization took to load for the first time: without a snapshot, its whole log is folded. */
export type MadeHistory = { readonly seed: Seed; readonly foldMs: number }

const make = async ({ path, activities, organizations }: History, passed: Passed): Promise<Seed> => {
  const { seed, made } = await begun()
  await imported(path, seed, { made, activities, organizations }, passed)
  return seed
}

/** The first start on a new history: the organization is folded, and a snapshot of it is left. */
const start = async ({ path, seed }: { readonly path: string; readonly seed: Seed }): Promise<MadeHistory> => {
  const engine = await createEngine({ store: sqliteStore({ path }) })
  try {
    const startedAt = performance.now()
    await loaded(engine, seed)
    return { seed, foldMs: performance.now() - startedAt }
  } finally {
    await engine.close() // writes a snapshot
  }
}

const imported = async (path: string, seed: Seed, plan: HistoryPlan, passed: Passed): Promise<void> => {
  const signer = startChild(new URL('./stamp-program.ts', import.meta.url))
  const { store, readModels } = await right(sqliteStore({ path }))
  const ports = { digest: nodeDigest(), ids: nodeIds(), now: Date.now }
  const sign = (job: string, from: number, count: number) =>
    signer.ask<readonly Stamped[]>(job, { seed, from, count } satisfies Asked)
  let readings = 0
  // An import reads twice, and checks everything before it writes. What is generated here cannot be read twice, and the second reading is
  // checked as strictly: the first gets an empty transcript.
  const read = () => (readings++ === 0 ? empty() : historyEntries(ports, plan, sign))
  try {
    await right(importTranscript({ ...ports, store }, read, { onProgress: (events) => passed(events / EVENTS_EACH) }))
  } finally {
    await signer.close()
    await readModels.close()
    await store.close()
  }
}

/** A commit of the bench has a request and its completion. */
const EVENTS_EACH = 2

async function* empty(): AsyncGenerator<readonly TranscriptEntry[]> {
  yield [closing(0, 0)]
}

const loaded = async (engine: Engine, seed: Seed): Promise<void> => {
  const body = encode({ organizationId: seed.organizationId })
  await right(engine.query('whoami', stampedBy(stamper(seed.key), body)))
}

doJobs({ make, start })
