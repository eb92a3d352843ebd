import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SeenUser } from '../../../adapters/inbox/seen.ts'
import * as words from '../../../adapters/inbox/words.ts'

const it = suite('words about activities')

const user = (userName: string): SeenUser => ({ userId: userName, userName, userTags: [], apiKeys: [] })

it('name operations and statuses, and repeat what they do not know', () => {
  assert.is(words.operationOf('ACTIVITY_TYPE_CREATE_USER_TAG'), 'create_user_tag')
  assert.is(words.statusText('ACTIVITY_STATUS_CONSENSUS_NEEDED'), 'waits for approvals')
  assert.is(words.statusWord('ACTIVITY_STATUS_CONSENSUS_NEEDED'), 'waiting')
  assert.is(words.statusText('ACTIVITY_STATUS_OF_TOMORROW'), 'ACTIVITY_STATUS_OF_TOMORROW')
  assert.is(words.statusWord('ACTIVITY_STATUS_OF_TOMORROW'), 'ACTIVITY_STATUS_OF_TOMORROW')
})

it('say how long ago something was', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  assert.is(words.agoText('2026-11-22T11:59:00Z', now), '1 min ago')
  assert.is(words.agoText({ seconds: String(now / 1000 - 5), nanos: '0' }, now), '5 s ago')
  assert.is(words.agoText('2026-11-22T12:00:09Z', now), 'just now')
  assert.is(words.agoText('9999999-', now), 'at an unknown time')
})

it('name voters, or their ids', () => {
  assert.is(words.nameIn({ user: { userName: 'Ada' }, userId: 'id' }), 'Ada')
  for (const userName of ['', 1, undefined]) assert.is(words.nameIn({ user: { userName }, userId: 'id' }), 'id')
})

it('say what ids in a text stand for', () => {
  const names = new Map([
    ['id-1', 'the user Ada'],
    ['id-2', 'the tag officers'],
  ])
  assert.equal(words.namesIn('["id-1","x"]', names), ['id-1 is the user Ada'])
  const lacking = { userId: 'id-1', satisfied: false, satisfiedMethods: [], requiredMethods: [1, 2] }
  assert.match(words.factorsText(lacking, names), 'the user Ada has met 0 of 2 steps of an MFA policy')
})

it('say what is missing, and who could give it', () => {
  const policy = (enough: readonly SeenUser[] | undefined, among: readonly SeenUser[] | undefined) => ({
    policyName: 'p',
    consensus: "approvers.any(user, user.id == 'id-1')",
    enough,
    among,
  })
  const many = Array.from({ length: 12 }, (_, index) => user(`u${index}`))
  const said = words.missingWords(
    {
      policies: [
        policy([user('Ada')], [user('Grace'), user('Alan')]),
        policy([], []),
        policy(undefined, undefined),
        policy(many, []),
      ],
      quorum: { count: 2, among: [] },
    },
    new Map([['id-1', 'the user Ada']]),
  )
  assert.is(said[0]?.text, `the policy "p" wants approvers.any(user, user.id == 'id-1')`)
  assert.equal(said[0]?.names, ['id-1 is the user Ada'])
  assert.equal(
    said.map(({ who }) => who),
    [
      ['one of these is enough: Ada', 'only together with others: Grace, Alan'],
      ['nobody was found who could give that'],
      ['who could give that cannot be known here'],
      ['one of these is enough: u0, u1, u2, u3, u4, u5, u6, u7, u8, u9 and 2 more'],
      [],
    ],
  )
  assert.is(said.at(-1)?.text, 'or 2 more approvals of the root quorum: nobody is left')
})

it.run()
