import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { hostState } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import type { PerformContext } from '../../../core/definition/operation.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { codeOf, right } from '../world/world.ts'
import { conflicts, held, heldAtAppend, notWritten, writtenUnseen } from './faulty-store.ts'
import { inTime, isWaiting, quiet, until } from '../world/under-way.ts'
import { eventsOf, recordsOf, replayed, storyOf } from './history.ts'
import { RESUME_AFTER_MS, type Receipt } from './notice.ts'
import { awaited, board, done, down, office } from './office.ts'

const it = suite('effects')

const never = new Promise<never>(() => undefined)

it('performs an effect only when its start is durable, and concludes in turn', async () => {
  const { asked, run } = board()
  const w = await office({ run })
  const { begun: posted, letGo } = await heldAtAppend(w.store, () => w.post())
  assert.is(await isWaiting(posted), true)
  assert.is(asked.length, 0)
  letGo()
  const activity = right(await posted)
  assert.equal(
    [activity.status, activity.result],
    ['ACTIVITY_STATUS_COMPLETED', { postNoticeResult: { receipt: 'one' } }],
  )
  assert.equal(await storyOf(w, activity.id), ['Created', 'Started', 'Completed'])
  assert.equal([asked[0]?.activityId, asked[0]?.attempt, asked[0]?.requester], [activity.id, 1, w.root.userId])
  assert.is(hostState.of(replayed(w.organizationId, await recordsOf(w), w.engine.catalogue)).get('notice hello'), 'one')
  await w.close()
})

it('shows an effect what is durable, and nothing that may never be', async () => {
  const tagsShown: (readonly [number, number])[] = []
  const run = async (_text: string, _context: PerformContext, tags: number): Promise<Receipt> => {
    const durable = replayed(w.organizationId, await recordsOf(w), w.engine.catalogue)
    tagsShown.push([tags, userTags.of(durable).size])
    return done
  }
  const w = await office({ run, tellsTags: true })
  const [first, second] = [held(), held()]
  w.store.plan(first.fault, second.fault)
  const posted = w.post()
  await first.begun
  const tagged = w.submit(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] })
  assert.is(await isWaiting(tagged), true)
  first.letGo()
  await second.begun
  await quiet()
  second.letGo(conflicts)
  right(await posted)
  right(await tagged)
  assert.is(tagsShown.length, 1)
  for (const [shown, durable] of tagsShown) assert.ok(shown <= durable)
  await w.close()
})

it('answers PENDING after its wait, and completes later', async () => {
  const { outcome, answer } = awaited()
  const { asked, run } = board(outcome)
  const w = await office({ run }, { waitForEffectsMs: 1_000 })
  const posted = w.post()
  await until(() => asked.length === 1)
  w.clock.pass(999)
  assert.is(await isWaiting(posted), true)
  w.clock.pass(1)
  const pending = right(await posted)
  assert.is(pending.status, 'ACTIVITY_STATUS_PENDING')
  answer(done)
  await w.ends(pending.id)
  assert.is((await w.seen(pending.id)).status, 'ACTIVITY_STATUS_COMPLETED')
  await w.close()
})

it('tries again what was not available, each time as the next attempt of the same activity', async () => {
  const { asked, run } = board(down, down)
  const w = await office({ run }, { waitForEffectsMs: 0 })
  const { id } = right(await inTime(w.clock, w.post(), 0))
  await until(() => asked.length === 1)
  await quiet()
  for (const attempt of [1, 2]) {
    w.clock.pass(RESUME_AFTER_MS - 1)
    await quiet()
    assert.is(asked.length, attempt)
    w.clock.pass(1)
    await until(() => asked.length > attempt)
    await quiet()
  }
  await w.ends(id)
  assert.equal(
    asked.map((each) => [each.activityId, each.attempt]),
    [
      [id, 1],
      [id, 2],
      [id, 3],
    ],
  )
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Started', 'Completed'])
  await w.close()
})

it('fails after the last attempt, and at once for any other failure', async () => {
  const { asked, run } = board(down, down, refuse('RESOURCE_NOT_FOUND', 'no such board'))
  const w = await office({ run, attemptsMax: 2 })
  const first = right(await w.post())
  w.clock.pass(RESUME_AFTER_MS)
  await w.ends(first.id)
  assert.equal([(await w.seen(first.id)).status, asked.length], ['ACTIVITY_STATUS_FAILED', 2])
  assert.equal((await storyOf(w, first.id)).slice(-1), ['Failed'])
  const second = right(await w.submit(w.root, 'post_notice', { text: 'again' }))
  assert.equal([second.status, second.failure?.code], ['ACTIVITY_STATUS_FAILED', 'RESOURCE_NOT_FOUND'])
  assert.is(hostState.of(replayed(w.organizationId, await recordsOf(w), w.engine.catalogue)).size, 0)
  await w.close()
})

it('takes what a host throws for a service that does not answer', async () => {
  let calls = 0
  const run = async (): Promise<Receipt> => {
    calls += 1
    if (calls === 1) throw new TypeError('fetch failed: https://secret@board')
    return done
  }
  const w = await office({ run })
  const pending = right(await w.post())
  assert.is(pending.status, 'ACTIVITY_STATUS_PENDING')
  w.clock.pass(RESUME_AFTER_MS)
  await w.ends(pending.id)
  assert.is((await w.seen(pending.id)).status, 'ACTIVITY_STATUS_COMPLETED')
  await w.close()
})

for (const whenInterrupted of ['retry', 'fail'] as const) {
  it(`takes up what a process that died had started: ${whenInterrupted}`, async () => {
    const { asked, run } = board(never)
    const w = await office({ run, whenInterrupted }, { waitForEffectsMs: 0 })
    const { id } = right(await inTime(w.clock, w.post(), 0))
    await until(() => asked.length === 1)
    await w.restart() // the first engine is left to itself, as a process that hangs
    w.clock.pass(RESUME_AFTER_MS - 1)
    await quiet()
    assert.is(asked.length, 1)
    w.clock.pass(1)
    await until(async () => (await storyOf(w, id)).length > (whenInterrupted === 'retry' ? 3 : 2))
    assert.equal(
      await storyOf(w, id),
      whenInterrupted === 'retry' ? ['Created', 'Started', 'Started', 'Completed'] : ['Created', 'Started', 'Failed'],
    )
    assert.equal(
      asked.map(({ attempt }) => attempt),
      whenInterrupted === 'retry' ? [1, 2] : [1],
    )
  })
}

it('takes up what was started in a store that has no standings yet', async () => {
  const { asked, run } = board(never)
  const w = await office({ run }, { waitForEffectsMs: 0 })
  const { id } = right(await inTime(w.clock, w.post(), 0))
  await until(() => asked.length === 1)
  const lost = { organization: w.organizationId, activity: id, status: '' }
  right(await w.store.store.setStandings([lost], 0n)())
  await w.restart()
  w.clock.pass(RESUME_AFTER_MS)
  await until(async () => (await storyOf(w, id)).length > 3)
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Completed'])
})

it('lets no superseded attempt conclude', async () => {
  const [first, second] = [awaited(), awaited()]
  const { asked, run } = board(first.outcome, second.outcome)
  const w = await office({ run }, { waitForEffectsMs: 0, isShared: true })
  const { id } = right(await inTime(w.clock, w.post(), 0))
  await w.restart()
  w.clock.pass(RESUME_AFTER_MS)
  await until(() => asked.length === 2)
  first.answer({ receipt: 'one' })
  await quiet()
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started'])
  second.answer({ receipt: 'two' })
  await w.ends(id)
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Completed'])
  assert.equal((await w.seen(id)).result, { postNoticeResult: { receipt: 'two' } })
})

it('concludes at its close what has an outcome, and leaves the rest to the next start', async () => {
  const { outcome, answer } = awaited()
  const { asked, run } = board(outcome)
  const w = await office({ run })
  const posted = w.post()
  await until(() => asked.length === 1)
  const closed = w.engine.close()
  assert.is(asked[0]?.signal.aborted, true)
  assert.is(w.engine.close(), closed)
  assert.is(await isWaiting(closed), true)
  assert.is(codeOf(await w.post()), 'UNAVAILABLE')
  answer(done)
  await closed
  assert.is(right(await posted).status, 'ACTIVITY_STATUS_COMPLETED')
})

it('does not wait for ever, when it closes, for work that does not heed its signal', async () => {
  const { asked, run } = board(never)
  const w = await office({ run })
  const posted = w.post()
  await until(() => asked.length === 1)
  await inTime(w.clock, w.engine.close(), 1_000)
  assert.is(right(await posted).status, 'ACTIVITY_STATUS_PENDING')
})

it('takes up an effect whose start was stored although the store did not answer', async () => {
  const { asked, run } = board()
  const w = await office({ run })
  w.store.plan(writtenUnseen, ...Array.from({ length: 6 }, () => notWritten))
  assert.is(codeOf(await inTime(w.clock, w.post())), 'UNAVAILABLE')
  w.clock.pass(RESUME_AFTER_MS)
  await until(async () => (await eventsOf(w)).at(-1)?.type === 'ActivityCompleted' && asked.length === 1)
  const [created] = (await eventsOf(w)).slice(-4)
  assert.equal(await storyOf(w, created?.activity ?? ''), ['Created', 'Started', 'Started', 'Completed'])
  assert.equal(
    asked.map(({ attempt }) => attempt),
    [2],
  )
  await w.close()
})

it('keeps the outcome of an effect until the store takes it', async () => {
  const { outcome, answer } = awaited()
  const { asked, run } = board(outcome)
  const w = await office({ run }, { waitForEffectsMs: 0 })
  const { id } = right(await inTime(w.clock, w.post(), 0))
  await until(() => asked.length === 1)
  w.store.outage = failure('UNAVAILABLE', 'the store does not answer')
  w.clock.after(2_500, () => (w.store.outage = undefined)) // longer than the writer tries
  answer(done)
  await inTime(
    w.clock,
    until(() => w.store.outage === undefined),
  )
  await inTime(w.clock, w.ends(id))
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Completed'])
  await w.close()
})

it('lets interrupted work fail that has had its last attempt', async () => {
  const { asked, run } = board(never, never)
  const w = await office({ run, attemptsMax: 2 }, { waitForEffectsMs: 0 })
  const { id } = right(await inTime(w.clock, w.post(), 0))
  await until(() => asked.length === 1)
  await w.restart() // the engines before are left to themselves, as processes that hang
  w.clock.pass(RESUME_AFTER_MS)
  await until(() => asked.length === 2)
  await w.restart()
  w.clock.pass(RESUME_AFTER_MS)
  await until(async () => (await storyOf(w, id)).length > 3)
  await quiet()
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Failed'])
  assert.match(JSON.stringify((await eventsOf(w)).at(-1)?.data), 'INTERRUPTED')
  assert.is(asked.length, 2)
})

it.run()
