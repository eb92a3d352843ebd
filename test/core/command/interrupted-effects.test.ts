import { testPorts } from '../world/ports.ts'
import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { failure } from '../../../core/failure.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right, stamped, world } from '../world/world.ts'
import { audited, digest, exported } from '../audit/logs.ts'
import { rewindableStore } from '../writing/rewindable-store.ts'
import { faultyStore, notWritten, type Fault } from './faulty-store.ts'
import { inTime, quiet, until } from '../world/under-way.ts'
import { eventsOf, storyOf } from './history.ts'
import { postNotice, RESUME_AFTER_MS } from './notice.ts'
import { awaited, board, done, office } from './office.ts'
import { secondProcess } from './second-process.ts'

const it = suite('effects without an end, while the engine runs')

const never = new Promise<never>(() => undefined)
const hanging = () => never

type Office = Awaited<ReturnType<typeof office>>

/** A commit of which the store says nothing, and which is carried out when it is told to. */
const late = (): { readonly fault: Fault; readonly land: () => Promise<unknown> } => {
  let land = (): Promise<unknown> => Promise.resolve()
  return {
    fault: async (commits, store) => {
      land = () => store.append(commits)()
      return E.left(failure('UNAVAILABLE', 'the store does not answer'))
    },
    land: () => land(),
  }
}

const unheard = Array.from({ length: 6 }, () => notWritten)

const passes = async ({ clock }: Pick<Office, 'clock'>, ms: number): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await quiet()
  clock.pass(ms)
  for (let n = 0; n < 5; n += 1) await quiet()
}

const attemptsOf = (asked: ReturnType<typeof board>['asked']) => asked.map(({ attempt }) => attempt)

it('are taken up where another process started them and does not conclude', async () => {
  const there = board(never)
  const here = board()
  const w = await office({ run: there.run }, { waitForEffectsMs: 0, isShared: true })
  await w.restart({ run: here.run }) // it runs before the effect is started
  await passes(w, 0)
  const { id } = right(await inTime(w.clock, w.post(), 0))
  await until(() => there.asked.length === 1)
  await passes(w, RESUME_AFTER_MS - 1)
  assert.is(here.asked.length, 0)
  await passes(w, 1)
  await until(async () => (await storyOf(w, id)).length > 3)
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Completed'])
  assert.equal([attemptsOf(there.asked), attemptsOf(here.asked)], [[1], [2]])
})

it('fail where another process started them, and they must not be repeated', async () => {
  const w = await office({ run: hanging, whenInterrupted: 'fail' }, { waitForEffectsMs: 0, isShared: true })
  const here = board()
  await w.restart({ run: here.run })
  await passes(w, 0)
  const { id } = right(await inTime(w.clock, w.post(), 0))
  await passes(w, RESUME_AFTER_MS)
  await until(async () => (await storyOf(w, id)).length > 2)
  assert.equal([await storyOf(w, id), here.asked.length], [['Created', 'Started', 'Failed'], 0])
})

it('are taken up where this process knew the activity before another one started it', async () => {
  const there = board(never)
  const here = board()
  const w = await office({ run: there.run }, { waitForEffectsMs: 0, isShared: true })
  const [ada, policy] = [await w.enrol('ada'), { policyName: 'two', effect: 'EFFECT_ALLOW', notes: '' }]
  await w.done(w.root, 'create_policy', { ...policy, consensus: 'approvers.count() >= 2' })
  const second = await w.restart({ run: here.run })
  const body = w.body('post_notice', { text: 'hello' })
  const waiting = right(await second.submit('post_notice', stamped(ada, body))())
  assert.is(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  right(await inTime(w.clock, w.approve(w.root, waiting), 0))
  await passes(w, RESUME_AFTER_MS)
  await until(() => here.asked.length === 1)
  await until(async () => (await storyOf(w, waiting.id)).at(-1) === 'Completed')
  assert.equal([attemptsOf(there.asked), attemptsOf(here.asked)], [[1], [2]])
})

for (const isShared of [true, false]) {
  it(`are taken up where their start was stored after everybody had given up: ${isShared ? 'shared' : 'sole'}`, async () => {
    const { asked, run } = board()
    const w = await office({ run }, { isShared })
    const { fault, land } = late()
    w.store.plan(fault, ...unheard)
    assert.is(codeOf(await inTime(w.clock, w.post())), 'UNAVAILABLE')
    await passes(w, 1_000) // whoever had asked has looked for it, and has found nothing
    await land()
    // Whom nobody tells of other writers sees it behind what comes next.
    if (!isShared) await w.done(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] })
    await passes(w, 25)
    await passes(w, RESUME_AFTER_MS)
    await until(() => asked.length === 1)
    const { activity } = (await eventsOf(w)).find(({ type }) => type === 'ActivityStarted') ?? { activity: '' }
    await until(async () => (await storyOf(w, activity)).at(-1) === 'Completed')
    assert.equal(await storyOf(w, activity), ['Created', 'Started', 'Started', 'Completed'])
    assert.equal(attemptsOf(asked), [2])
    await w.close()
  })

  it(`are left alone while this process runs them, however long that takes: ${isShared ? 'shared' : 'sole'}`, async () => {
    const { outcome, answer } = awaited()
    const { asked, run } = board(outcome)
    const w = await office({ run }, { waitForEffectsMs: 0, isShared })
    const { id } = right(await inTime(w.clock, w.post(), 0))
    await until(() => asked.length === 1)
    for (let n = 0; n < 3; n += 1) await passes(w, RESUME_AFTER_MS)
    assert.equal([attemptsOf(asked), await storyOf(w, id)], [[1], ['Created', 'Started']])
    answer(done)
    await w.ends(id)
    assert.equal(await storyOf(w, id), ['Created', 'Started', 'Completed'])
    await w.close()
  })
}

it('are taken up once, although the log, a start and a caller all point to them', async () => {
  const here = board()
  const w = await office({ run: hanging }, { waitForEffectsMs: 0, isShared: true })
  const body = w.body('post_notice', { text: 'hello' })
  const { id } = right(await inTime(w.clock, w.send(w.root, 'post_notice', body), 0))
  const second = await w.restart({ run: here.run })
  await passes(w, 0)
  for (let n = 0; n < 3; n += 1) right(await second.submit('post_notice', stamped(w.root, body))())
  await passes(w, RESUME_AFTER_MS)
  right(await second.submit('post_notice', stamped(w.root, body))())
  await passes(w, RESUME_AFTER_MS)
  assert.equal([attemptsOf(here.asked), (await storyOf(w, id)).length], [[2], 4])
})

it('are taken up by one of the processes that see them', async () => {
  const w = await office({ run: hanging }, { waitForEffectsMs: 0, isShared: true })
  const boards = [board(), board(), board()]
  for (const { run } of boards) await w.restart({ run })
  await passes(w, 0)
  const { id } = right(await inTime(w.clock, w.post(), 0))
  await passes(w, RESUME_AFTER_MS)
  await passes(w, RESUME_AFTER_MS)
  await until(async () => (await storyOf(w, id)).at(-1) === 'Completed')
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Completed'])
  assert.equal(
    boards.flatMap(({ asked }) => attemptsOf(asked)),
    [2],
  )
})

it('are left as they are where another installation started them, while those of this one are taken up', async () => {
  const w = await office({ run: hanging }, { waitForEffectsMs: 0 })
  const old = right(await inTime(w.clock, w.post(), 0))
  const copy = memoryStore()
  const text = encodeUtf8(await exported(w.store.store))
  right(await importTranscript({ store: copy.store, digest, ids: nodeIds() }, () => readTranscript(digest, [text]))())
  const storage = faultyStore({ isShared: true, inner: copy })
  const ports = { ...testPorts(), tuning: { waitForEffectsMs: 0 } }
  const engineWith = (run: ReturnType<typeof board>['run']) =>
    secondProcess({ ...w, storage }, { ...ports, resources: withHost([postNotice({ outside: true, run })]) })
  const there = board(never)
  const here = board()
  const first = await engineWith(there.run)
  await engineWith(here.run)
  await passes(w, 0)
  const body = w.body('post_notice', { text: 'again' })
  const sent = right(await inTime(w.clock, first.submit('post_notice', stamped(w.root, body))(), 0))
  for (let n = 0; n < 3; n += 1) await passes(w, RESUME_AFTER_MS)
  const told = { ...w, storage }
  await until(async () => (await storyOf(told, sent.id)).at(-1) === 'Completed')
  assert.equal(
    [there, here].map(({ asked }) => asked.map(({ activityId }) => activityId)),
    [[sent.id], [sent.id]],
  )
  assert.equal(await storyOf(told, old.id), ['Created', 'Started'])
})

it('are not looked for any more by an engine that is closed', async () => {
  const there = board(never)
  const here = board()
  const w = await office({ run: there.run }, { waitForEffectsMs: 0, isShared: true })
  const second = await w.restart({ run: here.run })
  await passes(w, 0)
  const { id } = right(await inTime(w.clock, w.post(), 0))
  await quiet()
  await inTime(w.clock, second.close(), 0)
  await passes(w, RESUME_AFTER_MS)
  assert.equal([here.asked.length, await storyOf(w, id)], [0, ['Created', 'Started']])
})

it('are taken up by a process that knows nothing of them, where the store has lost their end', async () => {
  const { storage, loseAfter, last } = rewindableStore()
  const watchers = new Set<() => void>()
  const watch = (onAppended: () => void) => {
    watchers.add(onAppended)
    return () => void watchers.delete(onAppended)
  }
  const capabilities = { ...storage.store.capabilities, soleWriter: false }
  const own = { capabilities, watch, close: async () => undefined }
  const store = {
    ...storage,
    store: new Proxy(storage.store, { get: (on, name) => Reflect.get({ ...own, __proto__: on }, name) as unknown }),
  }
  const [there, here] = [board(), board()]
  const noticing = ({ run }: ReturnType<typeof board>) => withHost([postNotice({ outside: true, run })])
  const w = await world({ store, resources: noticing(there) })
  await secondProcess({ clock: w.clock, storage: store }, { resources: noticing(here) })
  await passes(w, 0)
  const { id, status } = right(await w.submit(w.root, 'post_notice', { text: 'hello' }))
  assert.is(status, 'ACTIVITY_STATUS_COMPLETED')
  for (const heard of watchers) heard()
  await passes(w, 1_000) // its checkpoint is behind the end
  await w.close()
  await loseAfter((await last()) - 1n)
  for (const heard of watchers) heard()
  await passes(w, RESUME_AFTER_MS)
  await until(async () => (await storyOf(w, id)).length > 3)
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Completed'])
  assert.equal([attemptsOf(there.asked), attemptsOf(here.asked)], [[1], [2]])
})

it('are taken up where the clock of the process that started them is a year ahead', async () => {
  const [there, here] = [board(never), board()]
  const w = await office({ run: here.run }, { waitForEffectsMs: 0, isShared: true })
  await passes(w, 0)
  const year = 365 * 86_400_000
  const ahead = { ...w.clock, now: () => w.clock.now() + year }
  const other = await w.restart({ run: there.run }, { clock: ahead, waitForEffectsMs: 0 })
  const asked = JSON.parse(String(decodeUtf8(w.body('post_notice', { text: 'hello' })))) as Record<string, unknown>
  const body = encodeUtf8(JSON.stringify({ ...asked, timestampMs: String(ahead.now()) }))
  const { id } = right(await inTime(w.clock, other.submit('post_notice', stamped(w.root, body))(), 0))
  await until(() => there.asked.length === 1)
  await passes(w, 2 * RESUME_AFTER_MS)
  await passes(w, 2 * RESUME_AFTER_MS)
  await until(async () => (await storyOf(w, id)).length > 3)
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Completed'])
  assert.equal((await audited(await exported(w.store.store), {}, [postNotice({ outside: true })])).findings, [])
  assert.equal([attemptsOf(there.asked), attemptsOf(here.asked)], [[1], [2]])
})

it.run()
