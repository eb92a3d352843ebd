import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cast } from '../../../adapters/inbox/cast.ts'
import type { SeenActivity } from '../../../adapters/inbox/seen.ts'
import type { World } from '../../core/world/world.ts'
import { askForTag, officeOf } from './office.ts'

const it = suite('a vote that is cast')

let w: World
let waiting: SeenActivity
let other: SeenActivity
it.before(async () => {
  w = await officeOf(2)
  const ada = await w.enrol('ada')
  waiting = await askForTag(w, ada, 'small')
  other = await askForTag(w, ada, 'large')
})
it.after(() => w.close())

const refused = new Error('refused')
const votes = (answer: SeenActivity | undefined, now: SeenActivity | undefined) => ({
  organizationId: w.organizationId,
  vote: async () => {
    if (answer === undefined) throw refused
    return answer
  },
  activity: async () => {
    if (now === undefined) throw new Error('no answer')
    return now
  },
})
const voted = async (answer: SeenActivity | undefined, now: SeenActivity | undefined, id: string | undefined) =>
  cast(votes(answer, now), 'approve', waiting.fingerprint, id)

it('gives the activity', async () =>
  assert.equal(await voted(waiting, undefined, waiting.id), { kind: 'voted', activity: waiting }))

it('is told from one for which the server shows another activity', async () => {
  assert.equal(await voted(other, undefined, waiting.id), { kind: 'exchanged' })
  assert.equal(await voted({ ...waiting, id: other.id }, undefined, waiting.id), { kind: 'exchanged' })
})

it('is late where the activity waits no longer, and says what has become of it', async () => {
  const activity = { ...waiting, status: 'ACTIVITY_STATUS_REJECTED' }
  assert.equal(await voted(undefined, activity, waiting.id), { kind: 'late', activity, error: refused })
})

it('is refused where the activity still waits, or nobody knows', async () => {
  for (const [now, id] of [
    [waiting, waiting.id],
    [undefined, waiting.id],
    [waiting, undefined],
  ] as const)
    assert.is(await voted(undefined, now, id).catch((error: unknown) => error), refused)
})

it.run()
