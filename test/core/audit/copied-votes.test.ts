import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stamp } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { right, type Person } from '../world/world.ts'
import { draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited, exported, trio, type Trio } from './logs.ts'

/*
 * An approval counts for 24 hours. Who has the log has the approval's bytes, too, and could vote with them once more: the
 * stamp is in order, and less than an hour old.
 */
const it = suite('votes that are copies')

const HOUR_MS = 60 * 60 * 1000

let made: Trio
let honest = ''
it.before(async () => {
  made = await trio()
  const { ada, grace, root, approve, clock, done, storage } = made
  const everyone = { threshold: 3, userIds: [root.userId, ada.userId, grace.userId] }
  right(await approve(grace, await done(root, 'update_root_quorum', everyone)))
  const open = await done(ada, 'create_user_tag', { userTagName: 'open', userIds: [] })
  clock.pass(23.5 * HOUR_MS)
  right(await approve(grace, open))
  clock.pass(0.75 * HOUR_MS) // both approvals have lapsed by now, and the last could be sent again
  right(await approve(grace, open))
  right(await approve(root, open))
  honest = await exported(storage.store)
})
it.after(() => made.close())

/** The votes on the activity that is left open: of Grace, once more of Grace, and of the root. */
const votesIn = (drafts: readonly Draft[]): readonly Draft[] => {
  const last = must(drafts.at(-1)).event
  return drafts.filter(({ event }) => event.activity === last.activity && event.type === 'ActivityVoted')
}

/** What an audit finds once a change was made. */
const found = async (change: (first: Draft, again: Draft, drafts: readonly Draft[]) => void): Promise<unknown> => {
  const drafts = draftsOf(honest)
  const [first, again] = votesIn(drafts)
  change(must(first), must(again), drafts)
  const { findings } = await audited(forged(drafts))
  return findings.map(({ code, message }) => `${code}: ${message}`)
}

const COPY = 'VOTE_INVALID: the request is a copy of an earlier vote of this user'

it('are not votes with another body', async () => assert.equal(await found(() => undefined), []))

it('are found, with the stamp that was there', async () =>
  assert.equal(await found((first, again) => (again.request = structuredClone(first.request))), [COPY]))

it('are found, with a new stamp of the same body', async () =>
  assert.equal(await found((first, again) => (again.request = restamped(made.grace, first))), [COPY]))

it('are found when somebody else has voted since', async () => {
  const drafts = draftsOf(honest)
  const [first, again, other] = votesIn(drafts)
  must(again).request = structuredClone(must(first).request)
  const [place, next] = [drafts.indexOf(must(again)), drafts.indexOf(must(other))]
  const swapped = drafts.with(place, must(other)).with(next, must(again))
  const { findings } = await audited(forged(rebased(swapped)))
  assert.equal(
    findings.map(({ code, message }) => `${code}: ${message}`),
    [COPY],
  )
})

it('are not votes of two users with one body', async () =>
  assert.equal(
    await found((first, _, drafts) => {
      const [, , other] = votesIn(drafts)
      must(other).request = restamped(made.root, first)
    }),
    [],
  ))

it("are not believed where they are the requester's own request", async () => {
  const findings = await found((_, again, drafts) => {
    const created = drafts.find(({ event }) => event.activity === again.event.activity)
    again.request = structuredClone(must(created).request)
    again.event.data.user = made.ada.userId
  })
  assert.ok(String(findings).includes(COPY))
})

it('are not seen where the first has no request, and that is found', async () =>
  assert.equal(
    await found((first, again) => {
      again.request = structuredClone(first.request)
      first.request = undefined
    }),
    ['REQUEST_DIFFERS: expected the event to name the stamped request as a part'],
  ))

const restamped = ({ key }: Person, { request }: Draft): Draft['request'] => {
  const { body } = must(request)
  return { head: { header: 'X-Stamp', stamp: stamp(key, encodeUtf8(body)) }, body }
}

it.run()
