import { decode } from '../../../core/codec/codec.ts'
import { E } from '../../../core/prelude.ts'
import { renderActivity, type ActivityView } from '../../../core/view/activity-view.ts'
import { SeenActivity, type SeenVote } from '../../../adapters/inbox/seen.ts'
import { right, world, type Signer, type World } from '../../core/world/world.ts'

/** What the inbox reads of an activity that a server shows. */
export const seen = (activity: ActivityView): SeenActivity => {
  const read = decode(SeenActivity, 'activity')(JSON.parse(JSON.stringify(renderActivity(activity))))
  if (E.isRight(read)) return read.right
  throw new Error(read.left.message)
}

/** A world in which tags of users need the approvals of so many. */
export const officeOf = async (approvals: number): Promise<World> => {
  const w = await world()
  await w.done(w.root, 'create_policy', {
    policyName: 'tags need others',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER' && activity.action == 'CREATE'",
    consensus: `approvers.count() >= ${approvals}`,
    notes: '',
  })
  return w
}

/** Asks for a tag, and gives what a server shows of it. */
export const askForTag = async (w: World, asker: Signer, userTagName: string): Promise<SeenActivity> =>
  seen(right(await w.submit(asker, 'create_user_tag', { userTagName, userIds: [] })))

const ID = '5b2b9e06-9f0b-8f3f-8c9b-0a5b6a1f2c3d'

/** An activity as a server might show it. */
export const anActivity = (members: Partial<SeenActivity> = {}): SeenActivity => ({
  id: ID,
  organizationId: ID,
  status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  intent: {},
  votes: [],
  fingerprint: 'f',
  canApprove: true,
  canReject: true,
  createdAt: '2026-11-22T11:00:00Z',
  updatedAt: '2026-11-22T11:00:00Z',
  failure: null,
  ...members,
})

export const aVote = (members: Partial<SeenVote> = {}): SeenVote => ({
  id: ID,
  userId: ID,
  user: {},
  selection: 'VOTE_SELECTION_APPROVED',
  message: '',
  publicKey: '',
  signature: '',
  scheme: '',
  createdAt: '2026-11-22T11:00:00Z',
  ...members,
})
