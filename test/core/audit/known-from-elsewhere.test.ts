import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { world } from '../world/world.ts'
import { decisionOf, draftsOf, forged, must, rebased, votes } from './forgery.ts'
import { audited, closed, codesIn, eventfulLog, exported, linesOf, trio, type Trio } from './logs.ts'

/*
 * Logs that are right in themselves, and still not what happened. Nothing in them says so: an audit needs to know something
 * from elsewhere.
 */
const it = suite('what an audit needs to know from elsewhere')

let made: Trio
let honest = ''
it.before(async () => {
  ;({ made, honest } = await eventfulLog())
})
it.after(() => made.close())

it('is a pin: the organization is made up from its beginning', async () => {
  const another = await trio()
  const [real, fake] = [await audited(honest), await audited(await exported(another.storage.store))]
  assert.equal(codesIn(fake), [])
  const pins = new Map([[another.organizationId, must(real.organizations[0]?.genesis)]])
  assert.equal(codesIn(await audited(await exported(another.storage.store), { pins })), ['GENESIS_DIFFERS'])
  await another.close()
})

it('is a head: the newest commits are taken away', async () => {
  const drafts = draftsOf(honest)
  const shortened = forged(drafts.slice(0, 32))
  assert.equal(codesIn(await audited(shortened)), [])
  const heads = (await audited(honest)).organizations
  assert.equal(codesIn(await audited(shortened, { heads })), ['HEAD_DIFFERS'])
})

it('is a head, also where one event is missing, and no more than one', async () => {
  const { organizations } = await audited(honest)
  const [{ organization, sequence, hash }] = organizations as readonly [(typeof organizations)[number]]
  const heads = (at: bigint) => ({ heads: [{ organization, sequence: at, hash }] })
  assert.equal(codesIn(await audited(honest, heads(sequence))), [])
  assert.equal(codesIn(await audited(honest, heads(sequence + 1n))), ['HEAD_DIFFERS'])
  assert.equal(codesIn(await audited(honest, heads(sequence - 1n))), ['HEAD_DIFFERS'])
})

it('is a head: an activity on which nothing rests is left out, and the bases are counted anew', async () => {
  const drafts = draftsOf(honest)
  const rejection = votes(drafts, 'VOTE_SELECTION_REJECTED')
  const rest = drafts.filter(({ event }) => event.activity !== rejection.event.activity)
  rest.forEach((draft, index) => {
    if (draft.event.data.decision !== undefined) {
      decisionOf(draft).basis.read = [{ organization: made.organizationId, sequence: String(index) }]
    }
  })
  const forgery = forged(rest)
  assert.equal(codesIn(await audited(forgery)), [])
  const heads = (await audited(honest)).organizations
  assert.equal(codesIn(await audited(forgery, { heads })), ['HEAD_DIFFERS'])
})

it('is a head: who kept a key that was deleted acts as of when it was good', async () => {
  const w = await world()
  const eve = await w.enrol('eve')
  await w.done(w.root, 'update_root_quorum', { threshold: 1, userIds: [w.root.userId, eve.userId] })
  // Had she stamped this a year later, with the time of now in it, it would be the same request.
  const backdated = await w.done(eve, 'create_user_tag', { userTagName: 'backdated', userIds: [] })
  w.clock.pass(365 * 24 * 3_600_000)
  await w.done(w.root, 'update_root_quorum', { threshold: 1, userIds: [w.root.userId] })
  await w.done(w.root, 'delete_users', { userIds: [eve.userId] })
  const text = await exported(w.storage.store)
  await w.close()
  const real = forged(rebased(draftsOf(text).filter(({ event }) => event.activity !== backdated.id)))
  const heads = (await audited(real)).organizations
  assert.equal(codesIn(await audited(real, { heads })), [])
  assert.equal(codesIn(await audited(text)), [])
  assert.equal(codesIn(await audited(text, { heads })), ['HEAD_DIFFERS'])
})

it('is not needed for parts that are taken away: no erasure names them', async () => {
  const lines = linesOf(honest)
  const events = lines.filter((line) => !line.startsWith('{"part"'))
  const { counts, findings } = await audited(closed(events))
  assert.is(counts.erased, lines.length - events.length)
  assert.equal(
    findings.map(({ code }) => code),
    Array.from({ length: counts.erased }, () => 'PART_ERASED'),
  )
  assert.is(counts.stamps, 0)
})

it.run()
