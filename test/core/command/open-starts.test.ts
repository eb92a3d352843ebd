import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openStarts } from '../../../core/command/open-starts.ts'
import { testClock } from '../world/world.ts'

const it = suite('starts without an end')

const activity = (activityId: string) => ({ organizationId: 'organization', activityId })

/** A clock that says how many timers run. */
const counted = () => {
  const clock = testClock(0)
  let timers = 0
  const after = (delayMs: number, wake: () => void): (() => void) => {
    let isOpen = true
    timers += 1
    const end = (): void => {
      timers -= isOpen ? 1 : 0
      isOpen = false
    }
    const callOff = clock.after(delayMs, () => {
      end()
      wake()
    })
    return () => {
      end()
      callOff()
    }
  }
  return { clock: { ...clock, after }, timers: () => timers }
}

it('are told when their time has come, each once, and cost nothing when they have ended', () => {
  const { clock, timers } = counted()
  const due: string[] = []
  const open = openStarts(clock, ({ activityId }) => void due.push(activityId))
  for (const [id, dueAtMs] of [['one', 100] as const, ['two', 200] as const, ['past', -5] as const])
    open.note(activity(id), dueAtMs)
  open.note(activity('one'), 300) // its next attempt
  open.forget(activity('two'))
  open.forget(activity('nobody'))
  assert.is(timers(), 2)
  clock.pass(299)
  assert.equal(due, ['past'])
  clock.pass(1)
  assert.equal([due, timers()], [['past', 'one'], 0])
})

it('are all forgotten at the end', () => {
  const { clock, timers } = counted()
  const due: string[] = []
  const open = openStarts(clock, ({ activityId }) => void due.push(activityId))
  for (const id of ['one', 'two']) open.note(activity(id), 100)
  open.close()
  clock.pass(1_000)
  assert.equal([due, timers()], [[], 0])
})

it.run()
