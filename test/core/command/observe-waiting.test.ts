import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prometheus } from '../../../adapters/telemetry/index.ts'
import { failure } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { begin, right } from '../world/world.ts'
import { inTime, quiet, until } from '../world/under-way.ts'
import type { Receipt } from './notice.ts'
import { office } from './office.ts'

const it = suite('the number of waiting activities')

type Page = { readonly text: () => string }
const numberOf = ({ text }: Page, labels: string, name = 'countersign_activities_waiting'): number | undefined => {
  const line = text()
    .split('\n')
    .find((each) => each.startsWith(`${name}{${labels}} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}
const waitingOf = (page: Page) => [numberOf(page, 'for="approval"'), numberOf(page, 'for="effect"')]

const never = new Promise<Receipt>(() => undefined)

it('follows votes, ends and effects, and begins a new process with what waits already', async () => {
  const here = prometheus()
  let work: () => Promise<Receipt> = () => never
  const run = () => work()
  const w = await office({ run }, { telemetry: here.telemetry, waitForEffectsMs: 0, closeWithinMs: 1 })
  const counted = async (page: Page, ...expected: readonly number[]) => {
    await inTime(
      w.clock,
      until(() => waitingOf(page).join() === expected.join()),
      10,
    ).catch(() => undefined)
    assert.equal(waitingOf(page), expected)
  }
  await counted(here, 0, 0)
  const ada = await w.enrol('ada')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const create = (userTagName: string) => w.done(w.root, 'create_user_tag', { userTagName, userIds: [] })
  const [one, two] = [await create('one'), await create('two')]
  await create('three')
  await counted(here, 3, 0)
  right(await w.approve(ada, one))
  right(await w.reject(ada, two))
  await counted(here, 1, 0)
  right(await inTime(w.clock, w.approve(ada, right(await w.post()))))
  await counted(here, 1, 1)

  const there = prometheus()
  const second = await w.restart({ run }, { telemetry: there.telemetry, closeWithinMs: 1 })
  await counted(there, 1, 1)
  await begin({ engine: second, clock: w.clock })
  await counted(there, 1, 1)
  work = async () => ({ receipt: 'done' })
  w.clock.pass(60_000)
  await counted(there, 1, 0)
  await inTime(w.clock, second.close())
  assert.equal(waitingOf(there), [undefined, undefined], 'a closed engine observes nothing')
})

it('is not shown before everything is counted, and the count goes on when the store answers again', async () => {
  const here = prometheus()
  const w = await office({})
  await w.engine.close()
  const { organizations } = w.store.store
  let failures = 3
  const store = {
    ...w.store.store,
    organizations: (after: string, limit: number): ReturnType<typeof organizations> =>
      (failures -= 1) >= 0 ? async () => E.left(failure('UNAVAILABLE', 'no')) : organizations(after, limit),
  }
  const second = await w.restart({}, { store: { ...w.store, store }, telemetry: here.telemetry })
  await quiet()
  assert.equal(waitingOf(here), [undefined, undefined])
  await inTime(
    w.clock,
    until(() => waitingOf(here).join() === '0,0'),
    500,
  )
  await inTime(w.clock, second.close())
})

it('stands beside whether the store takes writes', async () => {
  const here = prometheus()
  const w = await office({}, { telemetry: here.telemetry })
  const isWritable = () => /^countersign_store_writable (\d)$/m.exec(here.text())?.[1]
  assert.is(isWritable(), '1')
  const isFull = async () => E.left(failure('UNAVAILABLE', 'full'))
  w.store.plan(...Array.from({ length: 7 }, () => isFull))
  await inTime(w.clock, w.submit(w.root, 'create_user_tag', { userTagName: 'refused', userIds: [] }), 50)
  assert.is(isWritable(), '0')
  await w.done(w.root, 'create_user_tag', { userTagName: 'taken', userIds: [] })
  assert.is(isWritable(), '1')
  await w.close()
})

it.run()
