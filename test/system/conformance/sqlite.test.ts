import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient, type TActivity } from '@turnkey/http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { right } from '../../core/world/world.ts'
import { operationExamples } from '../../core/resources/all-examples.ts'
import { journey } from './sdk-journey.ts'
import { credentialsOf, onStage, refusal, type Stage } from './stage.ts'

const it = suite('official clients over the SQLite store')

it('answers as over memory, and as before after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-conformance-'))
  const open = async (play: (stage: Stage) => Promise<void>) =>
    onStage(play, { store: right(await openSqliteStore({ path: join(folder, 'activities.db') })()) })
  try {
    let before: { readonly stage: Stage; readonly activities: readonly TActivity[] } | undefined
    await open(async (stage) => {
      await journey(stage, { examples: operationExamples })
      const { http, root, organizationId } = stage
      const paginationOptions = { limit: '100' }
      const { activities } = await http(root).getActivities({ organizationId, paginationOptions })
      assert.ok(activities.length > 10)
      before = { stage, activities }
    })
    await open(async ({ url }) => {
      if (before === undefined) throw new Error('expected what was there before the restart')
      const { stage, activities } = before
      const { organizationId, root, asks } = stage
      const client = new TurnkeyClient({ baseUrl: url }, new ApiKeyStamper(credentialsOf(root)))
      const listed = await client.getActivities({ organizationId, paginationOptions: { limit: '100' } })
      assert.equal(listed.activities, activities)
      const first = activities.find(({ type }) => type === 'ACTIVITY_TYPE_CREATE_USER_TAG')
      assert.ok(first)
      const { fingerprint } = first
      const { activity } = await client.approveActivity(asks('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))
      assert.equal([activity.id, activity.votes.length], [first.id, 1])
      const again = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'after', userIds: [] })
      assert.is((await client.createUserTag(again)).activity.status, 'ACTIVITY_STATUS_COMPLETED')
      const twice = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'after', userIds: [] })
      assert.is((await refusal(client.createUserTag(twice))).code, 3)
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it.run()
