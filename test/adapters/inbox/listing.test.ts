import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inInboxOrder, selected } from '../../../adapters/inbox/listing.ts'
import type { Page } from '../../../adapters/inbox/inbox-calls.ts'
import type { SeenActivity } from '../../../adapters/inbox/seen.ts'
import { WAITING } from '../../../core/log/standing.ts'
import { anActivity } from './office.ts'

const it = suite('lists of activities')

const one = (id: string, canApprove: boolean, seconds: number): SeenActivity =>
  anActivity({ id, canApprove, createdAt: { seconds: String(seconds), nanos: '0' } })
const ids = (activities: readonly SeenActivity[]): string => activities.map(({ id }) => id).join(' ')

it('have in an inbox what one can approve above, and what has waited longest first', () => {
  const given = [one('e', false, 1), one('b', true, 20), one('d', true, 100), one('a', true, 3), one('c', true, 20)]
  assert.is(ids(inInboxOrder(given)), 'a b c d e')
  assert.is(ids(given), 'e b d a c')
})

it('compare times in all forms of the wire', () => {
  const text = anActivity({ id: 'text', createdAt: '1970-01-01T00:00:10Z' })
  assert.is(ids(inInboxOrder([one('late', true, 11), text, one('early', true, 9)])), 'early text late')
})

const serving = (...pages: readonly (readonly SeenActivity[])[]) => {
  const wanted: Page[] = []
  const activities = async (page: Page) => {
    wanted.push(page)
    return pages[wanted.length - 1] ?? []
  }
  return { wanted, activities }
}

it('ask for what waits, page after page, and keep what the caller can approve', async () => {
  const calls = serving([one('a', false, 3), one('b', true, 2)], [one('c', true, 1)])
  assert.is(ids(await selected(calls, { waitingForMe: true, status: [] }, 10)), 'b c')
  assert.equal(
    calls.wanted.map(({ statuses, before }) => [statuses, before]),
    [
      [WAITING, undefined],
      [WAITING, 'b'],
      [WAITING, 'c'],
    ],
  )
})

it('name statuses as people do, and end where the server repeats itself', async () => {
  const page = [one('a', false, 1)]
  const calls = serving(page, page, page)
  assert.is(ids(await selected(calls, { status: ['completed'] }, 10)), 'a')
  assert.is(calls.wanted.length, 2)
  assert.equal(calls.wanted[0]?.statuses, ['ACTIVITY_STATUS_COMPLETED'])
})

it.run()
