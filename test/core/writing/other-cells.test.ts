import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refuse } from '../../../core/definition/refuse.ts'
import type { Event } from '../../../core/log/event.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right, stamped, testClock, type WorldOptions } from '../world/world.ts'
import { audited, exported } from '../audit/logs.ts'
import { after, faultyStore, heldAtAppend, type Fault, type FaultyStorage } from '../command/faulty-store.ts'
import { inTime, isWaiting, until } from '../world/under-way.ts'
import { eventsOf } from '../command/history.ts'
import { secondProcess } from '../command/second-process.ts'
import { moneyOperations, offices, spentResult, withBudgets, type Offices } from './budgets.ts'

const it = suite('turns that read other organizations')

const spend = (w: Offices, cents: number, from: readonly string[] = [w.office]) =>
  w.submit(w.root, 'spend', { cents, from: [...from] })

/** The last event of an organization. */
const head = async (w: Offices, organization: string): Promise<Event> => {
  const last = (await eventsOf({ ...w, organizationId: organization })).at(-1)
  if (last === undefined) throw new Error('no event')
  return last
}
const readOf = async (w: Offices, type: Event['type']): Promise<unknown> => {
  const found = (await eventsOf(w)).findLast((event) => event.type === type)
  return found === undefined ? undefined : 'decision' in found.data ? found.data.decision.basis.read : found.data.read
}
/** A payment whose first attempt finds the bank busy. */
const busyOnce = () => {
  let isBusy = true
  return async (): Promise<{ readonly paid: boolean }> => {
    if (!isBusy) return { paid: true }
    isBusy = false
    throw refuse('UNAVAILABLE', 'busy')
  }
}
const isClean = async (w: Offices, operations = moneyOperations()): Promise<void> => {
  const { findings, counts } = await audited(await exported(w.storage.store), {}, operations)
  assert.equal([findings, counts.believed], [[], 0])
}
const tooLarge: Fault = async (commits) => E.right(commits.map(() => ({ _tag: 'too-large', bytes: 9, bytesMax: 8 })))
const faulty = async (options: WorldOptions = {}): Promise<{ readonly w: Offices; readonly store: FaultyStorage }> => {
  const store = faultyStore({ isShared: options.store !== undefined })
  return { store, w: await offices({ ...options, store }) }
}

it('decide on the states of all of them, and say in their events which, and up to where', async () => {
  const w = await offices()
  await w.allow(100)
  const { sequence } = await head(w, w.office)
  const own = (await head(w, w.organizationId)).sequence
  assert.equal(spentResult(right(await spend(w, 30))), { left: 70, read: [w.office] })
  assert.is(codeOf(await spend(w, 80)), 'REQUEST_INVALID')
  const other = { organization: w.office, sequence: String(sequence) }
  assert.equal(await readOf(w, 'ActivityCreated'), [{ organization: w.organizationId, sequence: String(own) }, other])
  assert.equal(await readOf(w, 'ActivityCompleted'), [other])
  assert.is((await head(w, w.office)).sequence, sequence) // nothing was appended there
  await isClean(w)
  await w.close()
})

it('give nothing where an organization does not exist, and name it as empty; its own and impossible ids are none', async () => {
  const w = await offices()
  await w.allow(100)
  const nobody = '00000000-0000-4000-8000-000000000000'
  const from = [nobody, w.organizationId, w.office, w.office, '', '$all', 'a\0b', 'x'.repeat(201)]
  assert.equal(spentResult(right(await spend(w, 1, from))), { left: 99, read: [w.office] })
  const { sequence } = await head(w, w.office)
  const expected = [
    { organization: nobody, sequence: '0' },
    { organization: w.office, sequence: String(sequence) },
  ]
  assert.equal(
    await readOf(w, 'ActivityCompleted'),
    expected.toSorted((a, b) => (a.organization < b.organization ? -1 : 1)),
  )
  await isClean(w)
  await w.close()
})

it('are refused as a bug of the operation where it names too many, or no list', async () => {
  const many = Array.from({ length: 9 }, (_, n) => `organization ${n}`)
  const wrong: readonly unknown[] = [() => many, () => 'office', async () => [], () => [7]]
  for (const reads of wrong) {
    const w = await offices({ resources: withBudgets(moneyOperations({ reads: reads as never })) }) // as untyped hosts do
    const before = (await eventsOf(w)).length
    assert.is(codeOf(await spend(w, 1)), 'INTERNAL')
    assert.is((await eventsOf(w)).length, before)
    await w.close()
  }
})

it('tell nothing before all that they have read is durable', async () => {
  const { w, store } = await faulty()
  await w.allow(10)
  const allowing = await heldAtAppend(store, () => w.allow(100))
  const accepted = spend(w, 50)
  const refused = spend(w, 500)
  assert.equal([await isWaiting(accepted), await isWaiting(refused)], [true, true])
  allowing.letGo()
  assert.equal(spentResult(right(await accepted)), { left: 50, read: [w.office] })
  assert.is(codeOf(await refused), 'REQUEST_INVALID')
  await allowing.begun
  await isClean(w)
  await w.close()
})

it('decide again where what they have read never came to be', async () => {
  const { w, store } = await faulty()
  await w.allow(10)
  const allowing = await heldAtAppend(store, () => w.allow(100).catch((thrown: unknown) => thrown))
  const pending = [spend(w, 50), spend(w, 5)]
  assert.is(await isWaiting(Promise.all(pending)), true)
  allowing.letGo(tooLarge)
  const [large, small] = await Promise.all(pending)
  assert.is(large && codeOf(large), 'REQUEST_INVALID')
  assert.equal(small && spentResult(right(small)), { left: 5, read: [w.office] })
  await isClean(w)
  await w.close()
})

it('decide again where another process has moved on what they read, refusals too', async () => {
  const { w, store } = await faulty({ store: faultyStore() })
  await w.allow(10)
  right(await spend(w, 1)) // both organizations are in memory now
  const second = await secondProcess({ storage: store, clock: w.clock }, { resources: withBudgets() })
  await w.allowIn(second, 100)
  assert.equal(spentResult(right(await spend(w, 50))), { left: 49, read: [w.office] })
  await w.allowIn(second, 20)
  assert.is(codeOf(await spend(w, 40)), 'REQUEST_INVALID')
  const refused = store.attempts.filter(({ checks }) => checks.length > 0).length
  assert.ok(refused > 2)
  await isClean(w)
  await second.close()
  await w.close()
})

it('are not taken for what another process wrote at the same sequence', async () => {
  const { w, store } = await faulty({ store: faultyStore() })
  await w.allow(10)
  right(await spend(w, 1))
  const second = await secondProcess({ storage: store, clock: w.clock }, { resources: withBudgets() })
  const allowing = await heldAtAppend(store, () => w.allow(100))
  const spending = spend(w, 50) // decided on 100, which will be refused: there is 5 at its sequence then
  assert.is(await isWaiting(spending), true)
  allowing.letGo(after(() => w.allowIn(second, 5)))
  await Promise.all([allowing.begun, spending])
  await isClean(w)
  await second.close()
  await w.close()
})

it('are refused where one of the organizations is closed, and say which', async () => {
  const w = await offices({ resources: withBudgets() })
  await w.allow(10)
  const second = await secondProcess(w, { resources: withBudgets(moneyOperations().slice(1)) })
  const outcome = await second.submit('spend', stamped(w.root, w.body('spend', { cents: 1, from: [w.office] })))()
  assert.ok(E.isLeft(outcome))
  assert.is(outcome.left.code, 'ORGANIZATION_CLOSED')
  assert.match(outcome.left.message, w.office)
  await second.close()
  await w.close()
})

it('show an activity that is there without asking for what it has read', async () => {
  const { w, store } = await faulty()
  await w.allow(10)
  const body = w.body('spend', { cents: 1, from: [w.office] })
  const first = right(await w.send(w.root, 'spend', body))
  const second = await secondProcess({ storage: store, clock: w.clock }, { resources: withBudgets() })
  const again = right(await second.submit('spend', stamped(w.root, body))())
  assert.equal([again.id, again.status], [first.id, 'ACTIVITY_STATUS_COMPLETED'])
  await second.close()
  await w.close()
})

it('read again at each vote, and at each turn of effects outside', async () => {
  const clock = testClock()
  const operations = moneyOperations({}, { pay: busyOnce() })
  const w = await offices({ testClock: clock, resources: withBudgets(operations) })
  const ada = await w.enrol('ada')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  await w.allow(100)
  const waiting = right(await w.submit(w.root, 'spend_outside', { cents: 60, from: [w.office] }))
  assert.is(waiting.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await w.allow(70)
  const voted = await inTime(clock, w.approve(ada, waiting))
  right(voted)
  const concluded = async () => (await w.answer(w.root, 'get_activity', { activityId: waiting.id })).activity
  const isDone = async () => ((await concluded()) as { status: string }).status === 'ACTIVITY_STATUS_COMPLETED'
  await inTime(clock, until(isDone))
  const sequences = (await eventsOf(w))
    .filter(({ activity }) => activity === waiting.id)
    .map(({ type, data }) => [type, ('decision' in data ? data.decision.basis.read : data.read)?.at(-1)?.organization])
  assert.equal(
    sequences,
    ['ActivityCreated', 'ActivityVoted', 'ActivityStarted', 'ActivityStarted', 'ActivityCompleted'].map((type) => [
      type,
      w.office,
    ]),
  )
  await isClean(w, [...operations])
  await w.close()
})

it('refuse another attempt at effects where what they read has changed by then', async () => {
  const clock = testClock()
  const operations = moneyOperations({}, { pay: busyOnce() })
  const w = await offices({ testClock: clock, resources: withBudgets(operations), waitForEffectsMs: 10 })
  await w.allow(100)
  const started = right(await inTime(clock, w.submit(w.root, 'spend_outside', { cents: 60, from: [w.office] }), 5))
  assert.is(started.status, 'ACTIVITY_STATUS_PENDING')
  await w.allow(50)
  const isFailed = async () =>
    ((await w.answer(w.root, 'get_activity', { activityId: started.id })).activity as { status: string }).status ===
    'ACTIVITY_STATUS_FAILED'
  await inTime(clock, until(isFailed))
  await isClean(w, [...operations])
  await w.close()
})

it.run()
