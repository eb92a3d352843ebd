import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { missingFor, type Known } from '../../../adapters/inbox/missing-approvals.ts'
import type { SeenActivity, SeenUser } from '../../../adapters/inbox/seen.ts'
import { anActivity, aVote } from './office.ts'

const it = suite('what an activity lacks')

const NOW = Date.parse('2026-11-22T12:00:00Z')
const user = (userId: string, ...userTags: readonly string[]): SeenUser => ({
  userId,
  userName: userId,
  userTags,
  apiKeys: [],
})
const users = [user('ada'), user('grace', 'officers'), user('alan', 'officers'), user('root')]

const activity = (approvedAt: string, ...userIds: readonly string[]): SeenActivity =>
  anActivity({ votes: userIds.map((userId) => aVote({ userId, createdAt: approvedAt })) })

const known = (consensus: string, outcome = 'OUTCOME_REQUIRES_CONSENSUS', threshold = 1): Known => ({
  users,
  policies: [{ policyId: 'p', policyName: 'policy', consensus }],
  quorum: { threshold, userIds: ['root'] },
  evaluations: [
    {
      policyEvaluations: [{ policyId: 'p', outcome: 'OUTCOME_REQUIRES_CONSENSUS' }],
      createdAt: '2026-11-22T11:00:00Z',
    },
    { policyEvaluations: [{ policyId: 'p', outcome }], createdAt: '2026-11-22T11:59:00Z' },
  ],
})

const wanted = (consensus: string, ...approvers: readonly string[]) => {
  const { policies } = missingFor(activity('2026-11-22T11:59:00Z', ...approvers), known(consensus), NOW)
  const [one] = policies
  const ids = (found: readonly SeenUser[] | undefined) => found?.map(({ userId }) => userId)
  return [ids(one?.enough), ids(one?.among)]
}

it('names those whose approval is enough, and those who only count together', () => {
  assert.equal(wanted('approvers.count() >= 2', 'ada'), [['grace', 'alan', 'root'], []])
  assert.equal(wanted('approvers.count() >= 3', 'ada'), [[], ['grace', 'alan', 'root']])
  assert.equal(wanted("approvers.any(user, user.tags.contains('officers'))", 'ada'), [['grace', 'alan'], []])
  assert.equal(wanted("approvers.any(user, user.id == 'nobody')", 'ada'), [[], []])
})

it('does not guess where it cannot evaluate a policy', () => {
  assert.equal(wanted('vaults.count() >= 2', 'ada'), [undefined, undefined])
})

it('does not count approvals that have lapsed, nor those of users who are gone', () => {
  const { policies } = missingFor(activity('2026-11-21T11:59:00Z', 'ada'), known('approvers.count() >= 2'), NOW)
  assert.equal([policies[0]?.enough?.length, policies[0]?.among?.length], [0, 4])
  assert.equal(wanted('approvers.count() >= 2', 'gone'), [[], ['ada', 'grace', 'alan', 'root']])
})

it('leaves out policies that did not ask for more at the last vote', () => {
  const said = known('approvers.count() >= 2', 'OUTCOME_DENY_IMPLICIT')
  assert.equal(missingFor(activity('2026-11-22T11:59:00Z', 'ada'), said, NOW).policies, [])
})

it('says how many of the root quorum would be enough', () => {
  const said = known('true', 'OUTCOME_DENY_IMPLICIT', 2)
  const { quorum } = missingFor(activity('2026-11-22T11:59:00Z', 'root'), said, NOW)
  assert.equal(quorum, { count: 1, among: [] })
})

it.run()
