import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { draftsOf, forged, must } from '../../audit/forgery.ts'
import { audited, codesIn, exported } from '../../audit/logs.ts'
import { codeOf, right, world } from '../../world/world.ts'

const it = suite('delete organization')

const TAG = { userTagName: 'ops', userIds: [] }

it('needs the root quorum, and lets nobody in any more: what comes finds no organization, as if it had never been', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const earlier = w.body('create_user_tag', { ...TAG, userTagName: 'earlier' })
  right(await w.send(w.root, 'create_user_tag', earlier))
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const waiting = right(await w.submit(w.root, 'create_user_tag', TAG))
  const asked = right(await w.submit(w.root, 'delete_organization', { organizationId: w.organizationId }))
  assert.is(asked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(right(await w.approve(ada, asked)).status, 'ACTIVITY_STATUS_COMPLETED')
  const codes = [
    codeOf(await w.submit(w.root, 'create_user_tag', { ...TAG, userTagName: 'later' })),
    codeOf(await w.send(w.root, 'create_user_tag', earlier)),
    codeOf(await w.approve(ada, waiting)),
    codeOf(await w.ask(w.root, 'whoami')),
    codeOf(await w.ask(ada, 'get_activity', { activityId: waiting.id })),
  ]
  assert.equal([...new Set(codes)], ['ORGANIZATION_NOT_FOUND'])
  assert.is(right(await w.engine.firstOrganization()()), undefined)
  assert.equal(codesIn(await audited(await exported(w.storage.store))), [])
  await w.close()
})

it('leaves a log in which an audit finds a request that came later', async () => {
  const w = await world()
  await w.done(w.root, 'create_user_tag', TAG)
  await w.done(w.root, 'delete_organization', { organizationId: w.organizationId })
  const drafts = draftsOf(await exported(w.storage.store))
  await w.close()
  const { activity } = must(drafts.at(-1)).event
  const isEnd = (draft: (typeof drafts)[number]): boolean => draft.event.activity === activity
  const last = drafts.filter((draft) => !isEnd(draft)).slice(-2)
  const moved = [...drafts.filter((draft) => !isEnd(draft)).slice(0, -2), ...drafts.filter(isEnd), ...last]
  assert.ok(codesIn(await audited(forged(moved))).includes('STATUS_IMPOSSIBLE'))
})

it.run()
