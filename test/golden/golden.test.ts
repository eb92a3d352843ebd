import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEngine } from '../../core/create-engine.ts'
import type { Engine } from '../../core/engine.ts'
import { decodeUtf8, encodeUtf8 } from '../../core/bytes.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { importTranscript } from '../../core/log/import-transcript.ts'
import { readTranscript } from '../../core/log/transcript-reader.ts'
import { publicApi } from '../../core/operations/public-api.ts'
import { nodeDigest } from '../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../adapters/ids/node-ids.ts'
import { nodeSignatures } from '../../adapters/signatures/node-signatures.ts'
import { stampedRequest } from '../../adapters/signatures/stamped-request.ts'
import { memoryStore } from '../../adapters/store-memory/index.ts'
import { sqliteStore } from '../../adapters/store-sqlite/index.ts'
import { audited, codesIn, exported } from '../core/audit/logs.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { right, testClock } from '../world.ts'
import { answersOf, asFarAs, goldenLogs, keyOf, stateOf, type GoldenLog } from './golden.ts'
import { LIMITS } from './history.ts'
import { hostOperations } from './host-operations.ts'

/*
 * Logs that were written by the code of then, and are never written again. Whatever the code becomes, they have to audit
 * without a finding, replay to the same state, answer the same, and export byte for byte.
 */
const it = suite('golden logs')

const operations = hostOperations({ answers: [] })
/** Those of the two processes that wrote these logs. */
const limits = [{ limits: {} }, { limits: LIMITS }]
const digest = nodeDigest()

const imported = async ({ text }: GoldenLog, storage: Storage): Promise<void> => {
  right(
    await importTranscript({ store: storage.store, digest, ids: nodeIds() }, () => readTranscript(digest, [text]))(),
  )
}

/** An engine on a golden log, at a time after its end. */
const engineOn = (store: Storage): Promise<Engine> =>
  createEngine({
    store,
    clock: testClock(Date.parse('2026-06-01T00:00:00.000Z')),
    ids: nodeIds(),
    signatures: nodeSignatures(),
    operations: [...publicApi, ...operations],
  })

for (const golden of goldenLogs()) {
  const { name, text, facts } = golden
  const organizationIds = facts.roots.map(({ organizationId }) => organizationId)

  it(`${name}: has some 300 events in less than 500 kB`, async () => {
    const { counts } = await audited(text, { limits }, operations)
    assert.ok(counts.events >= 290 && text.length < 500_000, `${counts.events} events, ${text.length} bytes`)
  })

  it(`${name}: audits without a finding, and with the same counts`, async () => {
    const { counts, findings } = await audited(text, { limits }, operations)
    assert.equal(findings, [])
    const { activities, stamps, decisions, executions, erased } = counts
    assert.equal({ activities, stamps, decisions, executions, erased }, facts.audit)
  })

  it(`${name}: replays to the same state, and answers the same`, async () => {
    const storage = memoryStore()
    await imported(golden, storage)
    const engine = await engineOn(storage)
    for (const organizationId of organizationIds) {
      const state = facts.states[organizationId] ?? null
      assert.equal(asFarAs(state, await stateOf(engine, organizationId)), state)
      const answers = await answersOf(engine, storage.store, organizationId, keyOf(facts, organizationId))
      assert.equal(answers, facts.answers[organizationId])
    }
    await engine.close()
  })

  it(`${name}: exports byte for byte, from memory and from SQLite`, async () => {
    const folder = await temporaryFolder()
    for (const storage of [memoryStore(), right(await sqliteStore({ path: `${folder.path}/golden.db` })())]) {
      await imported(golden, storage)
      assert.is(await exported(storage.store), decodeUtf8(text))
      await storage.readModels.close()
      await storage.store.close()
    }
    await folder.remove()
  })

  it(`${name}: goes on with the rules of today, and still audits without a finding`, async () => {
    const storage = memoryStore()
    await imported(golden, storage)
    const engine = await engineOn(storage)
    for (const organizationId of organizationIds) {
      const body = {
        type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
        timestampMs: String(Date.parse('2026-06-01T00:00:00.000Z')),
        organizationId,
        parameters: { userTagName: 'of today', userIds: [] },
      }
      right(await engine.submit('create_user_tag', stampedRequest(keyOf(facts, organizationId), body))())
    }
    const after = await exported(storage.store)
    await engine.close()
    assert.ok(after.length > text.length)
    assert.equal(codesIn(await audited(encodeUtf8(after), { limits }, operations)), [])
  })
}

it('are there', () => assert.ok(goldenLogs().length > 0))

it.run()
