import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { padded } from '../world/padded.ts'
import { codeOf, right, world, type World } from '../world/world.ts'
import { decisionOf, draftsOf, find, forged, must, rebased, type Draft } from './forgery.ts'
import { audited, codesIn, exported } from './logs.ts'

const it = suite('audits of denials')

it('find a denial that was moved behind the activity of the same body: there, the request would have been a vote', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const body = w.body('create_user_tag', { userTagName: 'one', userIds: [] })
  assert.is(codeOf(await w.send(ada, 'create_user_tag', body)), 'REQUEST_NOT_AUTHORIZED')
  right(await w.send(w.root, 'create_user_tag', body))
  assert.is(codeOf(await w.send(ada, 'create_user_tag', body)), 'REQUEST_NOT_AUTHORIZED') // the same denial again
  const text = await exported(w.storage.store)
  assert.equal((await audited(text)).findings, [])
  const drafts = draftsOf(text)
  const isDenial = ({ event }: Draft): boolean => JSON.stringify(event.data).includes('"outcome":"DENIED"')
  const moved = [...drafts.filter((one) => !isDenial(one)), ...drafts.filter(isDenial)]
  assert.is(moved.filter(isDenial).length, 1)
  assert.equal(codesIn(await audited(forged(rebased(moved)))), ['STATUS_IMPOSSIBLE'])
  await w.close()
})

/** The log of a root who creates a tag, and of a user who is denied two of them, the second one in a body that is left out. */
const withLeftOut = async (): Promise<{ readonly made: World; readonly text: string }> => {
  const made = await world()
  const ada = await made.enrol('ada')
  const body = (userTagName: string): Uint8Array => made.body('create_user_tag', { userTagName, userIds: [] })
  right(await made.send(made.root, 'create_user_tag', padded(body('one'), 70_000)))
  for (const bytes of [body('two'), padded(body('three'), 70_000)])
    assert.is(codeOf(await made.send(ada, 'create_user_tag', bytes)), 'REQUEST_NOT_AUTHORIZED')
  return { made, text: await exported(made.storage.store) }
}

const leaveOut = (draft: Draft, bytes: number): void => {
  draft.request = undefined
  draft.event.data['leftOutBytes'] = bytes
}

const nameSomebody = ({ event }: Draft): void => {
  const { leftOutBytes, ...data } = event.data
  event.data = { ...data, subjects: ['ada'], leftOutBytes: leftOutBytes ?? 0 }
}

const last = (drafts: readonly Draft[]): Draft => must(drafts.at(-1))

const CANNOT = 'only a denied request above 65536 bytes can be left out'
const NAMED = 'the request is left out, and the event names it, or whose data it holds'
const forgeries: readonly (readonly [left: string, change: (drafts: Draft[]) => unknown, found: string])[] = [
  ['an allowed request', (drafts) => leaveOut(find(drafts, 'ActivityCreated', 3), 70_000), CANNOT],
  ['a denied request of 64 KiB', (drafts) => leaveOut(find(drafts, 'ActivityCreated', 4), 65_536), CANNOT],
  ['a request whose length is no number of bytes', (drafts) => leaveOut(last(drafts), 70_000.5), CANNOT],
  [
    'the request of an activity that waits',
    (drafts) => (decisionOf(last(drafts)).verdict['outcome'] = 'CONSENSUS_NEEDED'),
    CANNOT,
  ],
  ['a request that is there', (drafts) => (last(drafts).request = find(drafts, 'ActivityCreated', 4).request), NAMED],
  ['a request, and not the list of those whose data it holds', (drafts) => nameSomebody(last(drafts)), NAMED],
  [
    'a request without saying so',
    (drafts) => delete last(drafts).event.data['leftOutBytes'],
    'expected the event to name the stamped request as a part',
  ],
]

it('count a large request that was denied and left out, and find nothing', async () => {
  const { made, text } = await withLeftOut()
  const { counts, findings } = await audited(text)
  assert.equal([findings, counts.leftOut, counts.erased], [[], 1, 0])
  assert.is(counts.stamps, counts.activities - 1)
  await made.close()
})

for (const [left, change, found] of forgeries)
  it(`find that somebody has left out ${left}`, async () => {
    const { made, text } = await withLeftOut()
    const drafts = draftsOf(text)
    change(drafts)
    const { findings } = await audited(forged(drafts))
    assert.ok(findings.some(({ code, message }) => code === 'REQUEST_DIFFERS' && message === found))
    await made.close()
  })

it.run()
