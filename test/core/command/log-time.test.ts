import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { millis } from '../../../core/log/event.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { E } from '../../../core/prelude.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { audited, codesIn, exported } from '../audit/logs.ts'
import { codeOf, right, stamped, world, type World } from '../world/world.ts'
import { quiet, until } from '../world/under-way.ts'
import { eventsOf } from './history.ts'
import { postNotice, RESUME_AFTER_MS } from './notice.ts'
import { secondProcess } from './second-process.ts'

const it = suite('the time of a log')

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const FIVE_MINUTES_MS = 5 * 60 * 1000

/** For the day on which somebody has to go on. */
const GOES_ON = { clockLagMaxMs: 1_000 * DAY_MS }

const tag = (userTagName: string) => ['create_user_tag', { userTagName, userIds: [] }] as const
const timesOf = async (made: World): Promise<readonly number[]> => (await eventsOf(made)).map(({ at }) => millis(at))
const isSorted = (times: readonly number[]): boolean => times.every((at, index) => at >= (times[index - 1] ?? 0))
const clocksOf = async (made: World): Promise<readonly (string | undefined)[]> =>
  (await eventsOf(made)).flatMap(({ data }) => ('decision' in data ? [data.decision.basis.clock] : []))

it('never goes back, however the clock does', async () => {
  const made = await world(GOES_ON)
  const { clock, done, root, storage } = made
  const start = clock.now()
  for (const [n, jumpMs] of [0, HOUR_MS, -2 * HOUR_MS, 1, -365 * DAY_MS, DAY_MS, 400 * DAY_MS].entries()) {
    clock.pass(jumpMs)
    await done(root, ...tag(`tag ${n}`))
  }
  const times = await timesOf(made)
  assert.ok(isSorted(times))
  assert.is(times.at(-1), clock.now())
  assert.is(times[6], start + HOUR_MS)
  assert.equal((await audited(await exported(storage.store), GOES_ON)).findings, [])
  await made.close()
})

it('says what the clock said where that was behind, and counts it', async () => {
  const made = await world(GOES_ON)
  const { clock, done, root, storage } = made
  const start = clock.now()
  clock.pass(HOUR_MS)
  await done(root, ...tag('ahead'))
  clock.pass(-HOUR_MS)
  await done(root, ...tag('behind'))
  assert.equal(await clocksOf(made), [undefined, undefined, new Date(start).toISOString()])
  const { counts, findings } = await audited(await exported(storage.store), GOES_ON)
  assert.equal([counts.clockBehind, findings], [1, []])
  await made.close()
})

it('does not keep anybody waiting until the clock has come round again: the age of a request is measured by the clock', async () => {
  const made = await world(GOES_ON)
  const { clock, done, root, submit } = made
  clock.pass(365 * DAY_MS)
  await done(root, ...tag('in a year'))
  clock.pass(-365 * DAY_MS)
  await done(root, ...tag('today'))
  const old = await submit(root, ...tag('old'), { timestampMs: String(clock.now() - HOUR_MS) })
  assert.is(codeOf(old), 'REQUEST_INVALID')
  await made.close()
})

it('is a reason to take no commands while the clock is more than five minutes behind it, and to tell the operator', async () => {
  const notices: Notice[] = []
  const made = await world({ onNotice: (notice) => void notices.push(notice) })
  const { clock, done, organizationId, root, submit, storage } = made
  clock.pass(FIVE_MINUTES_MS)
  await done(root, ...tag('ahead'))
  clock.pass(-FIVE_MINUTES_MS)
  const waiting = await done(root, ...tag('five minutes behind'))
  clock.pass(-1)
  assert.equal((await audited(await exported(storage.store))).findings, [])
  for (const refused of [await submit(root, ...tag('more')), await made.reject(root, waiting)]) {
    assert.is(codeOf(refused), 'UNAVAILABLE')
    assert.match(E.isLeft(refused) ? refused.left.message : '', 'the clock of the server is 300 s behind the log')
  }
  assert.equal(
    notices.map(({ level, context }) => [level, context]),
    [['error', { organizationId, lagMs: FIVE_MINUTES_MS + 1 }]],
  )
  const engine = await secondProcess(made, GOES_ON)
  right(await engine.submit('create_user_tag', stamped(root, made.body(...tag('the day'))))())
  const text = await exported(storage.store)
  assert.equal(codesIn(await audited(text)), ['TIME_DIFFERS'])
  assert.equal((await audited(text, GOES_ON)).findings, [])
  await made.close()
})

it('is known to a process that begins with a snapshot', async () => {
  const made = await world({ ...GOES_ON, snapshotEvery: 1 })
  const { clock, done, organizationId, root, storage } = made
  clock.pass(HOUR_MS)
  await done(root, ...tag('ahead'))
  await until(async () => E.isRight(await storage.readModels.snapshot(organizationId)()))
  clock.pass(-HOUR_MS)
  const engine = await secondProcess(made, GOES_ON)
  right(await engine.submit('create_user_tag', stamped(root, made.body(...tag('behind'))))())
  assert.ok(isSorted(await timesOf(made)))
  await made.close()
})

it('is that of effects, too, and their pauses are measured by the clock', async () => {
  let asked = 0
  const notice = postNotice({
    outside: true,
    run: async () => {
      asked += 1
      if (asked === 1) throw refuse('UNAVAILABLE', 'down')
      return { receipt: 'one' }
    },
  })
  const made = await world({ resources: withHost([notice]), waitForEffectsMs: 0, ...GOES_ON })
  const { clock, root, submit } = made
  clock.pass(DAY_MS)
  await made.done(root, ...tag('ahead'))
  clock.pass(-DAY_MS)
  const posted = submit(root, 'post_notice', { text: 'hello' })
  await until(() => asked === 1)
  clock.pass(0)
  right(await posted)
  await quiet()
  clock.pass(RESUME_AFTER_MS)
  await until(() => asked === 2)
  await until(async () => (await eventsOf(made)).at(-1)?.type === 'ActivityCompleted')
  assert.ok(isSorted(await timesOf(made)))
  await made.close()
})

it.run()
