import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import { LEASE_MS, leasing, type Held } from '../../../core/leasing/leasing.ts'
import { memoryLeases } from '../../../core/leasing/memory-leases.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import type { Leases } from '../../../core/ports/leases.ts'
import { E } from '../../../core/prelude.ts'
import { right, testClock } from '../world/world.ts'
import { quiet } from '../world/under-way.ts'

const it = suite('leasing')

/** Two processes on one store with leases; the first one may be cut off from it. */
const stage = () => {
  const clock = testClock()
  const real = memoryLeases(clock.now)
  let isCutOff = false
  const cut: Leases = {
    ...real,
    renew: (...asked) => (isCutOff ? async () => E.left(failure('UNAVAILABLE', 'cut off')) : real.renew(...asked)),
  }
  const held = async (leases: Leases): Promise<Held | undefined> => right(await leasing({ leases, clock }).hold('work'))
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.pass(500)
      await quiet()
    }
  }
  /** A taking whose answer waits. */
  const slow = () => {
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const take: Leases['take'] = (name, forMs) => async () => {
      const taken = await real.take(name, forMs)()
      await answered
      return taken
    }
    return { held: held({ ...real, take }), answer: () => answer() }
  }
  return { slow, here: () => held(cut), there: () => held(real), pass, cutOff: () => (isCutOff = true), clock }
}

it('holds a lease for as long as it is renewed, and no longer than until it is given up', async () => {
  const { here, there, pass } = stage()
  const own = await here()
  await pass(3 * LEASE_MS)
  assert.is(await there(), undefined)
  assert.is(own?.lost.aborted, false)
  await own?.giveUp()
  assert.ok(await there())
})

it('lasts as long as it was told, is renewed in a third of that, and says so to those who wait', async () => {
  const { clock, pass } = stage()
  const leases = memoryLeases(clock.now)
  const short = leasing({ leases, clock }, { leaseMs: 1_500 })
  assert.is(short.askAgainMs, 500)
  const own = right(await short.hold('work'))
  await pass(6_000)
  assert.equal([right(await short.hold('work')), own?.lost.aborted], [undefined, false])
  short.close()
  await pass(1_500)
  assert.ok(right(await short.hold('work')))
})

it('says that a lease is lost before somebody else can have it', async () => {
  const { here, there, pass, cutOff } = stage()
  const own = await here()
  await pass(6_000)
  cutOff()
  for (let tries = 0; own?.lost.aborted === false && tries < 100; tries += 1) {
    assert.is(await there(), undefined)
    await pass(500)
  }
  assert.is(own?.lost.aborted, true)
  assert.is(await there(), undefined)
  await pass(LEASE_MS)
  assert.ok(await there())
})

it('says that a lease is lost when somebody else has it, after the process stood still', async () => {
  const { here, there, clock } = stage()
  const own = await here()
  clock.pass(2 * LEASE_MS)
  assert.ok(await there())
  await quiet()
  assert.is(own?.lost.aborted, true)
})

it('keeps a lease that nobody else has taken while the process stood still', async () => {
  const { here, there, pass, clock } = stage()
  const own = await here()
  clock.pass(LEASE_MS - 1_000)
  await quiet()
  await pass(2 * LEASE_MS)
  assert.is(own?.lost.aborted, false)
  assert.is(await there(), undefined)
})

it('says that a lease is lost soon, if the store does not even answer after the process stood still', async () => {
  const { here, pass, cutOff, clock } = stage()
  const own = await here()
  cutOff()
  clock.pass(LEASE_MS - 1_000)
  await pass(2_500)
  assert.is(own?.lost.aborted, true)
})

it('does not hold a lease that the store was too slow to give, and lets others have it', async () => {
  const { slow, there, pass } = stage()
  const { held, answer } = slow()
  await pass(LEASE_MS)
  answer()
  assert.is(await held, undefined)
  assert.ok(await there())
})

it('is not held by who stood still, and heard that the store did not answer: somebody else may hold it', async () => {
  let nowMs = 0
  const take: Leases['take'] = () => async () => {
    nowMs += LEASE_MS
    return E.left(failure('UNAVAILABLE', 'no answer'))
  }
  const clock = { now: () => nowMs, after: () => () => undefined }
  assert.is(right(await leasing({ leases: { ...memoryLeases(() => nowMs), take }, clock }).hold('work')), undefined)
})

it('gives a lease to everybody where the store has none', async () => {
  const { hold } = leasing({ leases: undefined, clock: testClock() })
  const [one, two] = [right(await hold('work')), right(await hold('work'))]
  assert.ok(one && two)
  await one.giveUp()
})

it('is not held by who stood still, and heard that it was given only when it had ended', async () => {
  const real = memoryLeases(() => nowMs)
  let nowMs = 0
  const take: Leases['take'] = (name, forMs) => async () => {
    const taken = await real.take(name, forMs)()
    nowMs += LEASE_MS // the answer is read before the timers that are due
    return taken
  }
  const clock = { now: () => nowMs, after: () => () => undefined }
  const there = leasing({ leases: real, clock })
  assert.is(right(await leasing({ leases: { ...real, take }, clock }).hold('work')), undefined)
  assert.ok(right(await there.hold('work')), 'and it is free')
})

/** A lease of a process whose timers may be late, as where it stood still. */
const standing = async () => {
  const clock = testClock()
  const late: (() => void)[] = []
  let isStill = false
  const after: Clock['after'] = (delayMs, wake) => clock.after(delayMs, () => (isStill ? void late.push(wake) : wake()))
  let onRenewal = async (): Promise<void> => undefined
  const real = memoryLeases(clock.now)
  const renew: Leases['renew'] = (...asked) => {
    const renewing = real.renew(...asked)
    return async () => {
      await onRenewal()
      return renewing()
    }
  }
  const own = leasing({ leases: { ...real, renew }, clock: { now: clock.now, after } })
  const held = right(await own.hold('work'))
  if (held === undefined) throw new Error('nobody else has the lease')
  return {
    ...held,
    clock,
    there: async () => right(await leasing({ leases: real, clock }).hold('work')),
    close: own.close,
    standStill: () => (isStill = true),
    goOn: () => {
      isStill = false
      for (const wake of late.splice(0)) wake()
    },
    /** Lets answers to renewals wait until the promise is fulfilled. */
    renewsAfter: (promise: Promise<void>) => (onRenewal = () => promise),
  }
}

/** How long a lease counts as held that is not renewed. */
const CERTAIN_MS = 13_000

it('is certain from the taking until shortly before it ends by the clock, although no timer fires', async () => {
  const { isCertain, lost, standStill, clock, there } = await standing()
  standStill()
  assert.is(isCertain(), true)
  clock.pass(CERTAIN_MS - 1)
  assert.is(isCertain(), true)
  clock.pass(1)
  assert.equal([isCertain(), lost.aborted, await there()], [false, false, undefined])
  clock.set(clock.now() - LEASE_MS)
  assert.is(isCertain(), false, 'the clock was turned back to before the taking')
})

it('is certain again after a renewal, for as long as after the taking', async () => {
  const { isCertain, lost, standStill, goOn, clock } = await standing()
  standStill()
  clock.pass(LEASE_MS - 1_000)
  assert.is(isCertain(), false)
  goOn()
  await quiet()
  assert.equal([isCertain(), lost.aborted], [true, false])
  standStill()
  clock.pass(CERTAIN_MS - 1)
  assert.is(isCertain(), true)
  clock.pass(1)
  assert.is(isCertain(), false)
})

it('is certain from before the renewal was asked for, however late the answer comes', async () => {
  const { isCertain, standStill, renewsAfter, clock } = await standing()
  let answer = (): void => undefined
  renewsAfter(new Promise((resolve) => (answer = resolve)))
  clock.pass(5_000) // the renewal is asked for
  standStill()
  clock.pass(CERTAIN_MS - 5_000)
  assert.is(isCertain(), false, 'not by the question alone')
  answer()
  await quiet()
  assert.is(isCertain(), true)
  clock.pass(4_999)
  assert.is(isCertain(), true)
  clock.pass(1)
  assert.is(isCertain(), false)
})

it('is not certain any more where it was given up, lost, or is not renewed any more', async () => {
  const given = await standing()
  const giving = given.giveUp()
  assert.is(given.isCertain(), false, 'also before the store knows')
  await giving
  assert.equal([given.isCertain(), given.lost.aborted], [false, false])

  const lost = await standing()
  lost.standStill()
  lost.clock.pass(2 * LEASE_MS)
  assert.ok(await lost.there())
  lost.goOn()
  await quiet()
  assert.equal([lost.isCertain(), lost.lost.aborted], [false, true])

  const closed = await standing()
  closed.close()
  assert.is(closed.isCertain(), false)
})

it('is certain for ever where the store has no leases', async () => {
  const clock = testClock()
  const own = right(await leasing({ leases: undefined, clock }).hold('work'))
  clock.pass(100 * LEASE_MS)
  assert.is(own?.isCertain(), true)
})

it.run()
