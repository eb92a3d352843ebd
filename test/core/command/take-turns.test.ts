import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refuse } from '../../../core/definition/refuse.ts'
import { codeOf, right, stamped, world } from '../world/world.ts'
import { inTime, until } from '../world/under-way.ts'
import { withHost } from '../world/with-host.ts'
import { withCounts } from '../writing/with-counts.ts'
import { faultyStore } from './faulty-store.ts'
import { postNotice, type NoticeOptions } from './notice.ts'
import { awaited, board, done, type Outcome } from './office.ts'
import { secondProcess } from './second-process.ts'

const it = suite('taking turns')

type Run = NonNullable<NoticeOptions['run']>

const refusal: Outcome = refuse('RESOURCE_NOT_FOUND', 'no such board')

/** A process whose reads of activities are counted, and another one on its store. Both post notices, without effects outside. */
const twoProcesses = async (here: Run, there: Run = board().run, timestampAheadMs = 0) => {
  const store = faultyStore({ isShared: true })
  const counts = withCounts(store)
  const resourcesWith = (run: Run) => withHost([postNotice({ outside: false, run })])
  const w = await world({ store: counts.storage, resources: resourcesWith(here) })
  const other = await secondProcess(
    { storage: faultyStore({ isShared: true, inner: store }), clock: w.clock },
    { resources: resourcesWith(there) },
  )
  w.clock.pass(1) // the body is newer than what is in memory
  const timestampMs = String(w.clock.now() + timestampAheadMs)
  const request = stamped(w.root, w.body('post_notice', { text: 'hello' }, { timestampMs }))
  const lookUps = () => counts.calls().filter((name) => name === 'readActivity').length
  lookUps()
  return {
    ...w,
    lookUps,
    post: () => w.engine.submit('post_notice', request)(),
    elsewhere: () => inTime(w.clock, other.submit('post_notice', request)(), 1),
  }
}

it('does not look for an activity in the store whose work comes before its commit', async () => {
  const { asked, run } = board()
  const w = await twoProcesses(run)
  assert.is(right(await w.post()).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal([asked.length, w.lookUps()], [1, 0])
  await w.close()
})

it('tells what the work refused when the activity is not in the store', async () => {
  const { asked, run } = board(refusal)
  const w = await twoProcesses(run)
  assert.is(codeOf(await w.post()), 'RESOURCE_NOT_FOUND')
  assert.equal([asked.length, w.lookUps()], [1, 2], 'under its own id, and under that of a denial')
  await w.close()
})

it('tells no refusal of the work where another process has stored the activity meanwhile', async () => {
  const { outcome, answer } = awaited()
  const { asked, run } = board(outcome)
  const w = await twoProcesses(run)
  const posted = w.post()
  await until(() => asked.length === 1)
  const stored = right(await w.elsewhere())
  answer(refusal)
  const told = right(await posted)
  assert.equal([told.id, told.status, told.result], [stored.id, 'ACTIVITY_STATUS_COMPLETED', stored.result])
  assert.is(asked.length, 1)
  await w.close()
})

it('tells no refusal of the work where the activity is stored, and the clock of its caller goes ahead of ours', async () => {
  const { asked, run } = board(refusal)
  const w = await twoProcesses(board().run, run, 60_000)
  const stored = right(await w.post())
  const told = right(await w.elsewhere()) // its body is newer than what the other process has in memory
  assert.equal([told.id, told.result, asked.length], [stored.id, stored.result, 1])
  await w.close()
})

it('gives one activity where two processes did its work at once', async () => {
  const { outcome, answer } = awaited()
  const { asked, run } = board(outcome)
  const w = await twoProcesses(run)
  const posted = w.post()
  await until(() => asked.length === 1)
  const stored = right(await w.elsewhere())
  answer(done)
  assert.is(right(await inTime(w.clock, posted, 1)).id, stored.id)
  await w.close()
})

it.run()
