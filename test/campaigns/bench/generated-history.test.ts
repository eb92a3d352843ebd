import { nodeIds } from 'countersign'
import { auditLog, createEngine, exportLog } from 'countersign/fp'
import { stamper } from 'countersign/signatures'
import { memoryStore } from 'countersign/store-memory'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import type { TranscriptEntry } from '../../../core/log/transcript-reader.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { begun, right } from './begun-history.ts'
import { historyEntries, type Signer } from './generated-history.ts'
import { encode, renaming, stampedBy, type Seed } from './seed.ts'
import { beginnings, renamings } from './stamped.ts'

const it = suite('generated histories')

/** A store with a generated history, imported as the bench imports it. */
const history = async (activities: number, organizations: number): Promise<{ storage: Storage; seed: Seed }> => {
  const { seed, made } = await begun()
  const ports = { digest: nodeDigest(), ids: nodeIds(), now: Date.now }
  const sign: Signer = async (job, from, count) =>
    job === 'renamings' ? renamings({ seed, from, count }) : beginnings({ seed, from, count })
  const batches: (readonly TranscriptEntry[])[] = []
  for await (const batch of historyEntries(ports, { made, activities, organizations }, sign)) batches.push(batch)
  async function* read(): AsyncGenerator<readonly TranscriptEntry[]> {
    yield* batches
  }
  const storage = memoryStore()
  await right(importTranscript({ ...ports, store: storage.store }, read))
  return { storage, seed }
}

it('holds before an audit: chains, parts, stamps, decisions and executions', async () => {
  const { storage } = await history(2100, 30)
  const chunks: Uint8Array[] = []
  for await (const chunk of exportLog(storage.store)) if (E.isRight(chunk)) chunks.push(chunk.right)
  const { findings, counts } = await right(auditLog(chunks))
  assert.equal(findings, [])
  assert.equal([counts.events, counts.stamps], [2 * (2100 + 30 + 1), 2100 + 30 + 1])
})

it('goes on in an engine: the next submit, and a list of what was generated', async () => {
  const { storage, seed } = await history(120, 3)
  const engine = await createEngine({ store: storage })
  const stamp = stamper(seed.key)
  await right(engine.submit('update_user_tag', stampedBy(stamp, renaming(seed, 'next'))))
  const body = encode({ organizationId: seed.organizationId, paginationOptions: { limit: '100' } })
  const listed = await right(engine.query('list_activities', stampedBy(stamp, body)))
  assert.is(Array.isArray(listed['activities']) && listed['activities'].length, 100)
  await engine.close()
})

it.run()
