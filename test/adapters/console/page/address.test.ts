import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addressOf, viewAt, type View } from '../../../../adapters/console/page/address.ts'

const test = suite('addresses of the console')

const views: readonly View[] = [
  { name: 'inbox' },
  { name: 'activities' },
  { name: 'activities', type: 'ACTIVITY_TYPE_CREATE_USERS_V2', status: 'failed', before: '1-2' },
  { name: 'activity', id: 'a6f3…/?#' },
  { name: 'organization' },
  { name: 'webhooks' },
  { name: 'webhooks', endpoint: 'one' },
  { name: 'request' },
  { name: 'request', operation: 'create_user_tag' },
  { name: 'audit' },
]

for (const view of views)
  test(`the address of ${JSON.stringify(view)} leads to it again`, () => assert.equal(viewAt(addressOf(view)), view))

for (const hash of ['', '#', '#/', '#/elsewhere', '#/activity', '#%', '#/__proto__', '#/inbox/x?y'])
  test(`${hash === '' ? 'no address' : hash} shows the inbox`, () => assert.equal(viewAt(hash), { name: 'inbox' }))

test('an address that is no good escape is taken as it is', () =>
  assert.equal(viewAt('#/request/%E0%A4%A'), { name: 'request', operation: '%E0%A4%A' }))

test('what is left empty is not asked for', () =>
  assert.is(addressOf({ name: 'activities', status: '', before: '' }), '#/activities'))

test.run()
