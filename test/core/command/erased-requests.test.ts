import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right, stamped, world, type Person } from '../world/world.ts'
import { secondProcess } from './second-process.ts'

const it = suite('requests that were erased')

/** A storage from which the request of every activity was erased. */
const withoutRequests = ({ store, readModels }: Storage): Storage => ({
  readModels,
  store: {
    ...store,
    readActivity:
      (...asked) =>
      async () =>
        E.map((all: readonly Recorded[]) => all.map((each) => ({ ...each, parts: [] })))(
          await store.readActivity(...asked)(),
        ),
  },
})

/** An activity that Ada asked for, and that waits for Grace; then an engine that finds no request any more. */
const erased = async () => {
  const w = await world()
  const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
  const consensus = 'approvers.count() >= 2'
  await w.done(w.root, 'create_policy', { policyName: 'two', effect: 'EFFECT_ALLOW', consensus, notes: '' })
  const pending = await w.done(ada, 'create_user_tag', { userTagName: 'ops', userIds: [] })
  const completed = await w.done(w.root, 'create_user_tag', { userTagName: 'done', userIds: [] })
  const engine = await secondProcess({ clock: w.clock, storage: withoutRequests(w.storage) })
  return { w, ada, grace, pending, completed, engine }
}
type Erased = Awaited<ReturnType<typeof erased>>

const seenBy = async ({ w, engine }: Erased, person: Person, activityId: string) => {
  const body = new TextEncoder().encode(JSON.stringify({ organizationId: w.organizationId, activityId }))
  return right(await engine.query('get_activity', stamped(person, body))()).activity as {
    readonly [member: string]: Json
  }
}

it('leave the activity to be seen, without what it asked for', async () => {
  const made = await erased()
  const { status, type, intent, votes, fingerprint } = await seenBy(made, made.ada, made.pending.id)
  assert.equal(
    [status, type, fingerprint],
    ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_TYPE_CREATE_USER_TAG', made.pending.fingerprint],
  )
  assert.equal(intent, {})
  const [vote] = votes as readonly { readonly userId: string; readonly message: string }[]
  assert.equal([vote?.userId, vote?.message], [made.ada.userId, ''])
  const completed = await seenBy(made, made.w.root, made.completed.id)
  assert.equal([completed.status, completed.intent], ['ACTIVITY_STATUS_COMPLETED', {}])
  assert.equal(completed.result, made.completed.result)
})

it('take the names of users who were deleted out of their votes', async () => {
  const made = await erased()
  const { w, ada, pending } = made
  const nameSeenBy = async (engine: Erased['engine']) => {
    const { votes } = await seenBy({ ...made, engine }, w.root, pending.id)
    return (votes as readonly { readonly user: { readonly userName: string } }[])[0]?.user.userName
  }
  assert.is(await nameSeenBy(made.engine), 'ada')
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  const [keeping, erasing] = [w.storage, withoutRequests(w.storage)]
  assert.is(await nameSeenBy(await secondProcess({ clock: w.clock, storage: keeping })), 'ada')
  assert.is(await nameSeenBy(await secondProcess({ clock: w.clock, storage: erasing })), '')
})

it('let nobody vote any more, and say so, to the requester as to everyone', async () => {
  const made = await erased()
  const { w, ada, grace, pending, engine } = made
  const vote = (person: Person, path: string) =>
    engine.submit(path, stamped(person, w.body(path, { fingerprint: pending.fingerprint })))()
  for (const person of [ada, grace, w.root]) {
    const { canApprove, canReject } = await seenBy(made, person, pending.id)
    assert.equal([canApprove, canReject], [false, false])
    assert.is(codeOf(await vote(person, 'reject_activity')), 'ACTIVITY_NOT_FOUND')
  }
  for (const person of [grace, w.root]) assert.is(codeOf(await vote(person, 'approve_activity')), 'ACTIVITY_NOT_FOUND')
})

it.run()
