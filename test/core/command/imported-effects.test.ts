import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import { tuned, type TestOptions } from '../world/tuned.ts'
import { failure } from '../../../core/failure.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { TE } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { codeOf, right, stamped, type Signer } from '../world/world.ts'
import { audited, codesIn, digest, exported } from '../audit/logs.ts'
import { testPorts } from '../world/ports.ts'
import { keptOpen } from '../world/test-store.ts'
import { inTime, quiet, until } from '../world/under-way.ts'
import { storyOf } from './history.ts'
import { postNotice, RESUME_AFTER_MS, type NoticeOptions } from './notice.ts'
import { board, office } from './office.ts'

const it = suite('imported effects')

const never = new Promise<never>(() => undefined)

type Office = Awaited<ReturnType<typeof office>>

/** An installation that has started two effects, and has one activity that waits for a vote. */
const elsewhere = async () => {
  const w = await office({ run: () => never }, { waitForEffectsMs: 0 })
  const ada = await w.enrol('ada')
  const policy = { policyName: 'two', effect: 'EFFECT_ALLOW', consensus: 'approvers.count() >= 2', notes: '' }
  await w.done(w.root, 'create_policy', policy)
  const sent = w.body('post_notice', { text: 'one' })
  const one = right(await inTime(w.clock, w.send(w.root, 'post_notice', sent), 0))
  const two = right(await inTime(w.clock, w.submit(w.root, 'post_notice', { text: 'two' }), 0))
  const waiting = right(await w.submit(ada, 'post_notice', { text: 'three' }))
  return { ...w, ada, sent, one, two, waiting }
}

const imported = async ({ store }: Office): Promise<Storage> => {
  const storage = keptOpen(memoryStore())
  const text = encodeUtf8(await exported(store.store))
  right(
    await importTranscript({ store: storage.store, digest, ids: nodeIds() }, () => readTranscript(digest, [text]))(),
  )
  return storage
}

/** An engine on another store, with what its board was asked and what it told. */
type More = Partial<Pick<NoticeOptions, 'run' | 'whenInterrupted'> & TestOptions>

const started = async (w: Office, storage: Storage, { run: given, whenInterrupted, ...more }: More = {}) => {
  const { asked, run } = board()
  const notices: Notice[] = []
  const engine = await createEngine({
    ...testPorts(),
    clock: w.clock,
    resources: withHost([
      postNotice({ outside: true, run: given ?? run, ...(whenInterrupted === undefined ? {} : { whenInterrupted }) }),
    ]),
    onNotice: (notice) => void notices.push(notice),
    ...tuned({ waitForEffectsMs: 1_000, ...more }),
    store: storage,
  })
  const send = (person: Signer, path: string, body: Uint8Array) => engine.submit(path, stamped(person, body))()
  const story = ({ id }: Pick<ActivityView, 'id'>) => storyOf({ ...w, storage }, id)
  return { engine, asked, notices, send, story, passes: () => passes(w, RESUME_AFTER_MS) }
}

const passes = async ({ clock }: Pick<Office, 'clock'>, ms: number): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await quiet()
  clock.pass(ms)
  for (let n = 0; n < 5; n += 1) await quiet()
}

const idOf = ({ organizationId }: Office, { id }: Pick<ActivityView, 'id'>) => ({ organizationId, activityId: id })
const listed = async (engine: Engine) => right(await engine.importedEffects()())

it('are not taken up by a start, nor by whoever asks for them, and the operator is told how many they are', async () => {
  const w = await elsewhere()
  const here = await started(w, await imported(w))
  await here.passes()
  assert.is(right(await here.send(w.root, 'post_notice', w.sent)).status, 'ACTIVITY_STATUS_PENDING')
  await here.passes()
  assert.equal([here.asked.length, await here.story(w.one)], [0, ['Created', 'Started']])
  assert.equal(await listed(here.engine), [idOf(w, w.one), idOf(w, w.two)])
  const [notice, ...others] = here.notices
  assert.equal([notice?.level, notice?.context, others], ['warn', { effects: 2 }, []])
  assert.match(notice?.message ?? '', /resumeImported.*failImported/)
  await here.engine.close()
})

it('are only what was started there: what is approved or asked for here begins here, and is taken up here', async () => {
  const w = await elsewhere()
  const storage = await imported(w)
  const here = await started(w, storage, { run: () => never, waitForEffectsMs: 0 })
  const approval = w.body('approve_activity', { fingerprint: w.waiting.fingerprint })
  const approved = await inTime(w.clock, here.send(w.root, 'approve_activity', approval), 0)
  assert.is(right(approved).status, 'ACTIVITY_STATUS_PENDING')
  const next = await started(w, storage) // the engine before is left to itself, as a process that hangs
  await next.passes()
  await until(async () => (await next.story(w.waiting)).at(-1) === 'Completed')
  assert.equal(
    next.asked.map(({ activityId, attempt }) => [activityId, attempt]),
    [[w.waiting.id, 2]],
  )
  await next.engine.close()
})

it('wait whatever is built anew beside the log', async () => {
  const w = await elsewhere()
  const storage = await imported(w)
  const first = await started(w, storage)
  await first.passes()
  await first.engine.close()
  for (const name of right(await storage.readModels.projections()())) right(await storage.readModels.drop(name)())
  right(await storage.readModels.dropSnapshots()())
  const next = await started(w, storage)
  await next.passes()
  assert.is(next.asked.length, 0)
  assert.is((await listed(next.engine)).length, 2)
  await next.engine.close()
})

it("are all taken up when somebody says so, and stay this installation's own", async () => {
  const w = await elsewhere()
  const storage = await imported(w)
  const here = await started(w, storage, { run: () => never })
  assert.is(right(await here.engine.resumeImported()()), 2)
  await here.passes()
  assert.equal(await here.story(w.two), ['Created', 'Started', 'Started'])
  const next = await started(w, storage)
  await next.passes()
  await until(async () => (await next.story(w.one)).at(-1) === 'Completed')
  await until(async () => (await next.story(w.two)).at(-1) === 'Completed')
  assert.equal(
    next.asked.map(({ attempt }) => attempt),
    [3, 3],
  )
  assert.equal([next.notices, await listed(next.engine)], [[], []])
  await next.engine.close()
})

it('are taken up one by one, too, no sooner than the other installation had left for it', async () => {
  const w = await elsewhere()
  const here = await started(w, await imported(w))
  assert.is(right(await here.engine.resumeImported(idOf(w, w.two))()), 1)
  await quiet()
  assert.is(here.asked.length, 0)
  await here.passes()
  await until(async () => (await here.story(w.two)).at(-1) === 'Completed')
  assert.equal([here.asked.length, await listed(here.engine)], [1, [idOf(w, w.one)]])
  assert.is(right(await here.engine.resumeImported(idOf(w, w.two))()), 0)
  await here.engine.close()
})

it('fail when somebody says so, one by one or all, in a log that an audit accepts', async () => {
  const w = await elsewhere()
  const storage = await imported(w)
  const here = await started(w, storage)
  assert.is(right(await here.engine.failImported(idOf(w, w.two))()), 1)
  assert.equal(await here.story(w.two), ['Created', 'Started', 'Failed'])
  assert.equal(await listed(here.engine), [idOf(w, w.one)])
  assert.is(right(await here.engine.failImported()()), 1)
  assert.equal([await listed(here.engine), here.asked.length], [[], 0])
  const report = await audited(await exported(storage.store), {}, [postNotice({ outside: true })])
  assert.equal(codesIn(report), [])
  await here.engine.close()
})

it('are recognized in a copy of the files, where the host says that it is one', async () => {
  const w = await elsewhere()
  const copy = keptOpen(w.store)
  const here = await started(w, copy, { storeIsCopy: true })
  await here.passes()
  assert.equal([here.asked.length, (await listed(here.engine)).length], [0, 2])
  const next = await started(w, copy)
  await next.passes()
  assert.is(next.asked.length, 0, 'it was kept')
})

it('keep an engine from a store whose import did not finish', async () => {
  const w = await elsewhere()
  const storage = keptOpen(memoryStore())
  const { append } = storage.store
  let groups = 0
  const failing = {
    ...storage.store,
    append: (commits: Parameters<typeof append>[0]) =>
      (groups += 1) > 1 ? TE.left(failure('UNAVAILABLE', 'the disk is full')) : append(commits),
  }
  for (let n = 0; n < 6; n += 1) {
    const more = 'x'.repeat(900_000) // more than is written at once
    await w.done(w.root, 'create_user_tag', { userTagName: `${n}`, userIds: [], more })
  }
  const text = encodeUtf8(await exported(w.store.store))
  const read = () => readTranscript(digest, [text])
  assert.is(codeOf(await importTranscript({ store: failing, digest, ids: nodeIds() }, read)()), 'UNAVAILABLE')
  assert.ok(right(await storage.store.lastPosition()()) > 0n)
  const refused = await started(w, storage).catch((error: unknown) => error)
  assert.equal((refused as { readonly code?: string }).code, 'STORE_UNREADABLE')
})

it.run()
