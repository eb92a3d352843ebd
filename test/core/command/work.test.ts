import * as t from '../../../core/codec/t.ts'
import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { failure } from '../../../core/failure.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { E, TE } from '../../../core/prelude.ts'
import { InOrganization } from '../../../core/resources/in-organization.ts'
import { query } from '../../../core/definition/query.ts'
import { codeOf, begin, right, stamped } from '../world/world.ts'
import { inTime, isWaiting, quiet, until } from '../world/under-way.ts'
import { eventsOf, storyOf } from './history.ts'
import { RESUME_AFTER_MS, type Receipt } from './notice.ts'
import { awaited, board, done, down, office } from './office.ts'

const it = suite('work')

type Office = Awaited<ReturnType<typeof office>>

const never = new Promise<never>(() => undefined)

/** Work that counts how much of it runs at once, and ends when it is told to. */
const counted = () => {
  const ends: (() => void)[] = []
  let [now, most] = [0, 0]
  const run = async (): Promise<Receipt> => {
    now += 1
    most = Math.max(most, now)
    await new Promise<void>((resolve) => ends.push(resolve))
    now -= 1
    return done
  }
  return { run, now: () => now, most: () => most, endOne: () => ends.shift()?.() }
}

/** Somebody of another organization, who posts notices there. */
const neighbour = async (w: Office) => {
  const { root, organizationId } = await begin(w)
  return (text = 'hello') => w.submit(root, 'post_notice', { text }, { organizationId })
}

it('makes so many callers of an organization wait for effects, and answers the next PENDING at once', async () => {
  const w = await office({ run: () => never }, { waitForEffectsMax: 3 })
  const fromNextDoor = await neighbour(w)
  const waiting = Array.from({ length: 3 }, () => w.post())
  await quiet()
  assert.is(right(await w.post()).status, 'ACTIVITY_STATUS_PENDING')
  assert.is(right(await w.post()).status, 'ACTIVITY_STATUS_PENDING')
  assert.is(await isWaiting(fromNextDoor()), true)
  assert.is(await isWaiting(Promise.race(waiting)), true)
  w.clock.pass(5_000)
  for (const each of waiting) assert.is(right(await each).status, 'ACTIVITY_STATUS_PENDING')
  assert.is(await isWaiting(w.post()), true)
  await inTime(w.clock, w.close(), 1_000)
})

it('refuses work without effects outside when so many callers of the organization wait for it', async () => {
  const w = await office({ run: () => never, outside: false }, { waitForEffectsMax: 3 })
  const fromNextDoor = await neighbour(w)
  const waiting = Array.from({ length: 3 }, () => w.post())
  await quiet()
  assert.is(codeOf(await w.post()), 'RATE_LIMIT_EXCEEDED')
  assert.is(await isWaiting(fromNextDoor()), true)
  right(await w.submit(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] }))
  await inTime(w.clock, w.close(), 1_000)
  for (const each of waiting) assert.is(codeOf(await each), 'UNAVAILABLE')
})

it('does so much at once of all organizations and of each, and the rest in turn', async () => {
  const { run, now, most, endOne } = counted()
  const options = { waitForEffectsMs: 0, effectsAtOnce: 5, effectsAtOncePerOrganization: 3 }
  const w = await office({ run }, options)
  const fromNextDoor = await neighbour(w)
  const posted = []
  for (let n = 0; n < 8; n += 1) posted.push(right(await inTime(w.clock, w.post(), 0)))
  await quiet()
  assert.is(now(), 3)
  for (let n = 0; n < 4; n += 1) right(await inTime(w.clock, fromNextDoor(), 0))
  await until(() => now() === 5)
  for (let n = 0; n < 12; n += 1) {
    endOne()
    await quiet()
  }
  for (const { id } of posted) await w.ends(id)
  assert.equal([most(), now()], [5, 0])
  assert.equal(await storyOf(w, posted[7]?.id ?? ''), ['Created', 'Started', 'Completed'])
  await w.close()
})

it('takes up what was interrupted a few at a time, with an attempt that begins when it is its turn', async () => {
  const w = await office({ run: () => never }, { waitForEffectsMs: 0 })
  const ids: string[] = []
  for (let n = 0; n < 9; n += 1) ids.push(right(await inTime(w.clock, w.post(), 0)).id)
  const { run, now, most, endOne } = counted()
  const second = await w.restart({ run }, { effectsAtOncePerOrganization: 2 })
  w.clock.pass(RESUME_AFTER_MS)
  await until(() => now() === 2)
  await quiet()
  const begun = await Promise.all(ids.map(async (id) => (await storyOf(w, id)).length))
  assert.is(begun.filter((events) => events === 3).length, 2, 'attempts that have begun')
  for (let n = 0; n < 9; n += 1) {
    endOne()
    await until(
      async () =>
        (await Promise.all(ids.map((id) => storyOf(w, id)))).flat().filter((e) => e === 'Completed').length > n,
    )
  }
  assert.is(most(), 2)
  await inTime(w.clock, second.close(), 1_000)
})

it('takes up what was interrupted although the store does not answer at the start', async () => {
  const w = await office({ run: () => never }, { waitForEffectsMs: 0 })
  const { id } = right(await inTime(w.clock, w.post(), 0))
  let failures = 3
  const { pending } = w.store.store
  const store: EventStore = {
    ...w.store.store,
    pending: (after, limit) =>
      (failures -= 1) >= 0 ? TE.left(failure('UNAVAILABLE', 'the store does not answer')) : pending(after, limit),
  }
  const notices: Notice[] = []
  const options = { store: { ...w.store, store }, onNotice: (notice: Notice) => void notices.push(notice) }
  const second = await w.restart({ run: board().run }, options)
  await inTime(
    w.clock,
    until(async () => (await storyOf(w, id)).length > 3),
    10_000,
  )
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Completed'])
  assert.is(notices.length, 1)
  await second.close()
})

it('closes while work ignores its signal, and says of which operation and how much', async () => {
  for (const outside of [false, true]) {
    const notices: Notice[] = []
    const { outcome, answer } = awaited()
    const { asked, run } = board(outcome, never, never)
    const w = await office({ run, outside }, { closeWithinMs: 700, onNotice: (notice) => void notices.push(notice) })
    const posted = [w.post(), w.post(), w.post()]
    await until(() => asked.length === 3)
    const closed = w.close()
    assert.is(await isWaiting(closed), true)
    answer(done) // this one ends in time
    await quiet()
    await inTime(w.clock, closed, 100)
    const left = notices.filter(({ message }) => message.includes('left behind'))
    assert.equal(
      left.map(({ level, context }) => [level, context]),
      [['warn', { ACTIVITY_TYPE_POST_NOTICE: 2 }]],
    )
    const answers = await inTime(w.clock, Promise.all(posted), 1_000)
    const codes = answers.map((each) => (E.isRight(each) ? each.right.status : each.left.code))
    const unfinished = outside ? 'ACTIVITY_STATUS_PENDING' : 'UNAVAILABLE'
    assert.equal(codes.toSorted(), ['ACTIVITY_STATUS_COMPLETED', unfinished, unfinished])
  }
})

it('closes while a query of the host does not end, and says of which and how many', async () => {
  const notices: Notice[] = []
  const endless = query({
    path: 'endless',
    summary: 'Never answers.',
    request: InOrganization,
    answer: t.fields({}),
    run: () => never,
  })
  const w = await office(
    {},
    { resources: withHost([], [endless]), onNotice: (notice) => void notices.push(notice), closeWithinMs: 700 },
  )
  const asked = w.ask(w.root, 'endless')
  await quiet()
  await inTime(w.clock, w.close(), 100)
  assert.equal(notices, [
    { level: 'warn', message: 'requests that do not end were left behind', context: { endless: 1 } },
  ])
  assert.is(await isWaiting(asked), true)
})

it('fails an effect that brings more than the store takes', async () => {
  const { asked, run } = board({ receipt: 'x'.repeat(17 * 1024 * 1024) })
  const w = await office({ run })
  const posted = right(await w.post())
  assert.equal([posted.status, posted.failure?.code], ['ACTIVITY_STATUS_FAILED', 'REQUEST_TOO_LARGE'])
  assert.equal([asked.length, await storyOf(w, posted.id)], [1, ['Created', 'Started', 'Failed']])
  await w.close()
})

it('leaves an effect as it is where its conclusion throws, and lets the next start take it up', async () => {
  const notices: Notice[] = []
  const onConclusion = (): never => {
    throw new Error('a bug of the host')
  }
  const w = await office({ onConclusion }, { onNotice: (notice) => void notices.push(notice) })
  const { id, status } = right(await w.post())
  assert.equal([status, await storyOf(w, id)], ['ACTIVITY_STATUS_PENDING', ['Created', 'Started']])
  assert.match(notices.map(({ message }) => message).join(), `the effect of activity ${id} threw`)
  await w.restart({ onConclusion: () => undefined }) // the bug was mended
  w.clock.pass(RESUME_AFTER_MS)
  await until(async () => (await storyOf(w, id)).length > 3)
  assert.equal(await storyOf(w, id), ['Created', 'Started', 'Started', 'Completed'])
  await w.close()
})

it('performs work without effects outside before it commits, and not again', async () => {
  const { asked, run } = board()
  const w = await office({ run, outside: false })
  const body = w.body('post_notice', { text: 'hello' })
  const request = stamped(w.root, body)
  const told = await Promise.all([1, 2].map(() => w.engine.submit('post_notice', request)()))
  assert.is(new Set(told.map((each) => right(each).id)).size, 1)
  const performed = asked.length
  right(await w.engine.submit('post_notice', request)())
  assert.is(asked.length, performed, 'not again for what is done')
  assert.equal(await storyOf(w, right(told[0] ?? E.left(failure('INTERNAL', 'none'))).id), ['Created', 'Completed'])
  await w.close()
})

it('refuses a request whose key has expired while its work was done', async () => {
  const { outcome, answer } = awaited()
  const { asked, run } = board(outcome)
  const w = await office({ run, outside: false })
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKey = { apiKeyName: 'an hour', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }
  const apiKeys = [{ ...apiKey, expirationSeconds: '3600' }]
  await w.done(w.root, 'create_api_keys', { userId: w.root.userId, apiKeys })
  const before = (await eventsOf(w)).length
  const posted = w.submit({ key }, 'post_notice', { text: 'late' })
  await until(() => asked.length === 1)
  w.clock.pass(3_600_000)
  answer(done)
  assert.is(codeOf(await posted), 'API_KEY_EXPIRED')
  assert.is((await eventsOf(w)).length, before)
  await w.close()
})

it('refuses a vote, and keeps its activity, while work without effects outside is not available', async () => {
  const { run } = board(down)
  const w = await office({ run, outside: false })
  const ada = await w.enrol('ada')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const pending = right(await w.post())
  assert.is(codeOf(await w.approve(ada, pending)), 'UNAVAILABLE')
  assert.is((await w.seen(pending.id)).votes.length, 1)
  assert.is(right(await w.approve(ada, pending)).status, 'ACTIVITY_STATUS_COMPLETED')
  await w.close()
})

it.run()
