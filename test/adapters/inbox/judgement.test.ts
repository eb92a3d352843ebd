import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { judged, type Judgement } from '../../../adapters/inbox/judgement.ts'
import type { SeenActivity } from '../../../adapters/inbox/seen.ts'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { activityIdOf } from '../../../core/activity/identity.ts'
import type { World } from '../../core/world/world.ts'
import { askForTag, officeOf } from './office.ts'

const it = suite('what may be approved')

let w: World
let honest: SeenActivity
let other: SeenActivity

it.before(async () => {
  w = await officeOf(2)
  const ada = await w.enrol('ada')
  honest = await askForTag(w, ada, 'small')
  other = await askForTag(w, ada, 'large')
})
it.after(() => w.close())

const judge = (activity: SeenActivity): Judgement => judged(activity, w.organizationId)
const kindOf = (activity: SeenActivity): string => {
  const judgement = judge(activity)
  return judgement.kind === 'unproven' ? judgement.why : judgement.kind
}
const withBody = (activity: SeenActivity, message: string): SeenActivity => ({
  ...activity,
  votes: activity.votes.map((vote) => ({ ...vote, message })),
})
const bodyOf = ({ votes }: SeenActivity): string => votes[0]?.message ?? ''
/** Of a server that shows another body, and an id and a fingerprint that fit it. */
const madeUp = (body: string): SeenActivity => {
  const fingerprint = `sha256:${nodeDigest().sha256Hex(body)}`
  const id = activityIdOf(nodeDigest(), w.organizationId, fingerprint)
  return { ...withBody(honest, body), fingerprint, id }
}

it('is what was stamped, exactly', () => {
  const judgement = judge(honest)
  assert.is(judgement.kind, 'shown')
  if (judgement.kind !== 'shown') return
  assert.is(judgement.body, bodyOf(honest))
  assert.equal(judgement.request.parameters, { userTagName: 'small', userIds: [] })
})

it('is nothing of which the server shows the intent of another one', () => {
  assert.is(kindOf({ ...honest, intent: other.intent }), 'contradicted')
  assert.is(kindOf({ ...honest, intent: { ...honest.intent, more: {} } }), 'contradicted')
})

it('is shown where the server leaves the intent out: people read the body', () =>
  assert.is(kindOf({ ...honest, intent: {} }), 'shown'))

it('is nothing of which something was exchanged, and it says what', () => {
  assert.is(kindOf(withBody(honest, bodyOf(other))), 'body')
  assert.is(kindOf({ ...honest, votes: [] }), 'body')
  assert.is(kindOf(withBody(honest, bodyOf(honest).replace('small', 'tiny'))), 'body')
  assert.is(kindOf({ ...honest, fingerprint: other.fingerprint }), 'fingerprint')
  assert.is(kindOf({ ...honest, id: other.id }), 'id')
  assert.is(kindOf({ ...honest, organizationId: other.id }), 'organization')
  assert.is(kindOf({ ...honest, type: 'ACTIVITY_TYPE_DELETE_USERS' }), 'type')
  assert.is(judged(honest, other.id).kind, 'unproven')
})

it('is nothing that another body stands for, though all but that body fits', () => {
  assert.is(kindOf(madeUp(bodyOf(honest))), 'shown')
  assert.is(kindOf(madeUp(bodyOf(honest).replace(w.organizationId, other.id))), 'organization')
  assert.is(kindOf(madeUp(bodyOf(honest).replace('CREATE_USER_TAG', 'DELETE_USERS'))), 'type')
  assert.is(kindOf(madeUp('[]')), 'body')
})

it('is nothing whose request was erased', () => assert.is(kindOf(withBody(honest, '')), 'erased'))

it('proves a denial, whose id follows from its requester', async () => {
  const grace = await w.enrol('grace')
  await w.submit(grace, 'delete_users', { userIds: [grace.userId] })
  const { activities } = await w.answer(w.root, 'list_activities', { filterByType: ['ACTIVITY_TYPE_DELETE_USERS'] })
  const [denied] = activities as readonly SeenActivity[] // as the wire has them
  if (denied === undefined) throw new Error('there is no denial')
  assert.is(kindOf(denied), 'shown')
  const ofRoot = denied.votes.map((vote) => ({ ...vote, userId: w.root.userId }))
  assert.is(kindOf({ ...denied, votes: ofRoot }), 'id')
})

it.run()
