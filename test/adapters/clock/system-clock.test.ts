import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../adapters/clock/system-clock.ts'

const it = suite('the system clock')

/** Resolves when the clock wakes. A timer that would be due before has fired then. */
const woken = (delayMs: number): Promise<void> => new Promise((resolve) => systemClock().after(delayMs, resolve, true))

/** How often a clock has woken when others have that began later and take longer. */
const wakes = async (delayMs: number, isCalledOff = false): Promise<number> => {
  let count = 0
  const callOff = systemClock().after(delayMs, () => (count += 1))
  if (isCalledOff) callOff()
  for (let n = 0; n < 3; n += 1) await woken(10)
  callOff()
  return count
}

it('says the time of day', () => {
  const [before, now, after] = [Date.now(), systemClock().now(), Date.now()]
  assert.ok(before <= now && now <= after)
})

it('wakes once', async () => assert.is(await wakes(5), 1))

it('wakes at once for a time that has passed', async () => assert.is(await wakes(-5), 1))

it('does not wake early for a delay of more than 31 bits', async () => {
  assert.is(await wakes(2 ** 31), 0)
  assert.is(await wakes(2 ** 40), 0)
})

it('can be called off', async () => assert.is(await wakes(5, true), 0))

/** A process that has nothing but a timer. */
const alone = (call: string) => {
  const clock = new URL('../../../adapters/clock/system-clock.ts', import.meta.url).href
  const program = `import(${JSON.stringify(clock)}).then(({ systemClock }) => systemClock().${call})`
  return spawnSync(process.execPath, ['--import', 'tsx', '-e', program], { encoding: 'utf8' })
}

it('does not keep a process alive', () => {
  const { status, stdout } = alone(`after(60_000, () => console.log('woken'))`)
  assert.equal([status, stdout], [0, ''])
})

it('keeps a process alive if a caller waits', () => {
  assert.is(alone(`after(20, () => console.log('woken'), true)`).stdout, 'woken\n')
})

it.run()
