import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../adapters/clock/system-clock.ts'

const it = suite('the system clock')

/** Keeps this process alive: the clock's timers do not. */
const wakes = async (delayMs: number, waitMs: number): Promise<number> => {
  let count = 0
  const callOff = systemClock().after(delayMs, () => (count += 1))
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  callOff()
  return count
}

it('says the time of day', () => assert.ok(Math.abs(systemClock().now() - Date.now()) < 1000))

it('wakes once', async () => assert.is(await wakes(5, 60), 1))

it('wakes at once for a time that has passed', async () => assert.is(await wakes(-5, 60), 1))

it('does not wake early for a delay of more than 31 bits', async () => {
  assert.is(await wakes(2 ** 31, 30), 0)
  assert.is(await wakes(2 ** 40, 30), 0)
})

it('can be called off', async () => {
  let woken = false
  systemClock().after(5, () => (woken = true))()
  await new Promise((resolve) => setTimeout(resolve, 40))
  assert.not.ok(woken)
})

/** A process that has nothing but a timer. */
const alone = (call: string) => {
  const clock = new URL('../../../adapters/clock/system-clock.ts', import.meta.url).href
  const program = `import(${JSON.stringify(clock)}).then(({ systemClock }) => systemClock().${call})`
  return spawnSync(process.execPath, ['--import', 'tsx', '-e', program], { timeout: 20_000, encoding: 'utf8' })
}

it('does not keep a process alive', () => {
  const { status, signal } = alone('after(60_000, () => {})')
  assert.equal([status, signal], [0, null])
})

it('keeps a process alive if a caller waits', () => {
  assert.is(alone(`after(200, () => console.log('woken'), true)`).stdout, 'woken\n')
})

it.run()
