import * as fc from 'fast-check'
import type { Struct } from '../../../core/policy/value-types.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Draft } from '../../../core/organization/state.ts'
import {
  verdictOf,
  eligibility,
  type Approval,
  type DecisionInput,
  type DecisionOptions,
} from '../../../core/policy/consensus.ts'
import { languageOf } from '../../../core/policy/expression.ts'
import { anyMatter, anyOrganization, approvalsOf, type PolicySketch } from './any.ts'
import { anyCondition, anyConsensus, tagIds, userIds } from './arbitrary.ts'
import { naiveDecide } from './naive.ts'

const it = suite('consensus rules')

const users = { ada: { tags: ['red'] }, grace: { tags: ['red'] }, joan: {}, mary: {}, root: {} }

const decided = (organization: Draft, input: DecisionInput, approvals: readonly Approval[]): string => {
  const { outcome, rule, evaluations } = verdictOf(organization, input, approvals)
  return [outcome, rule, ...evaluations.map((evaluation) => evaluation.outcome)].join(' ')
}

const byPolicies = (policies: readonly PolicySketch[], approvals = approvalsOf('ada'), input = anyMatter()): string =>
  decided(anyOrganization({ users, policies }), input, approvals)

const ALLOW = 'EFFECT_ALLOW'
const DENY = 'EFFECT_DENY'
const missing = "activity.params.missing == 'x'"
const twoApprove = 'approvers.count() >= 2'

it('allows what the root quorum approves, and asks no policy', () => {
  const organization = anyOrganization({ users, policies: [{ effect: DENY }] })
  assert.equal(verdictOf(organization, anyMatter({ requester: 'root' }), approvalsOf('root')), {
    outcome: 'ALLOWED',
    rule: 'root-quorum',
    evaluations: [],
  })
})

it('waits for the root quorum where one of several members proposes', () => {
  const organization = anyOrganization({ users, quorum: { threshold: 2, userIds: ['root', 'mary', 'joan'] } })
  const input = anyMatter({ requester: 'root' })
  assert.is(decided(organization, input, approvalsOf('root')), 'CONSENSUS_NEEDED root-quorum')
  assert.is(decided(organization, input, approvalsOf('root', 'ada')), 'CONSENSUS_NEEDED root-quorum')
  assert.is(decided(organization, input, approvalsOf('root', 'joan')), 'ALLOWED root-quorum')
})

it('counts a user once, and no user who is gone', () => {
  const organization = anyOrganization({ users, quorum: { threshold: 2, userIds: ['root', 'mary', 'gone'] } })
  const input = anyMatter({ requester: 'root' })
  assert.is(decided(organization, input, approvalsOf('root', 'root')), 'CONSENSUS_NEEDED root-quorum')
  assert.is(decided(organization, input, approvalsOf('root', 'gone')), 'CONSENSUS_NEEDED root-quorum')
  const policies = [{ consensus: twoApprove }]
  assert.is(byPolicies(policies, approvalsOf('ada', 'ada')), 'CONSENSUS_NEEDED policies OUTCOME_REQUIRES_CONSENSUS')
  assert.is(byPolicies(policies, approvalsOf('ada', 'gone')), 'CONSENSUS_NEEDED policies OUTCOME_REQUIRES_CONSENSUS')
  assert.is(byPolicies(policies, approvalsOf('ada', 'joan')), 'ALLOWED policies OUTCOME_ALLOW')
})

it('lets a policy allow a member of the root quorum to act alone', () => {
  const quorum = { threshold: 2, userIds: ['root', 'mary'] }
  const policies = [{ consensus: "approvers.any(user, user.id == 'root')" }]
  const organization = anyOrganization({ users, policies, quorum })
  assert.is(
    decided(organization, anyMatter({ requester: 'root' }), approvalsOf('root')),
    'ALLOWED policies OUTCOME_ALLOW',
  )
})

it('does not deny what a member of the root quorum proposes, since the quorum may yet allow it', () => {
  const organization = anyOrganization({
    users,
    policies: [{ effect: DENY }],
    quorum: { threshold: 2, userIds: ['root', 'mary'] },
  })
  const input = anyMatter({ requester: 'root' })
  assert.is(decided(organization, input, approvalsOf('root')), 'CONSENSUS_NEEDED root-quorum OUTCOME_DENY_EXPLICIT')
  assert.is(decided(organization, input, approvalsOf('root', 'mary')), 'ALLOWED root-quorum')
})

it('leaves what has no resource to the root quorum', () => {
  const organization = anyOrganization({
    users,
    policies: [{ effect: ALLOW }],
    quorum: { threshold: 2, userIds: ['root', 'mary'] },
  })
  const input = anyMatter({ resource: undefined, action: undefined, type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM' })
  assert.is(decided(organization, input, approvalsOf('ada')), 'DENIED root-quorum')
  assert.is(decided(organization, input, approvalsOf('ada', 'root')), 'DENIED root-quorum')
  assert.is(decided(organization, { ...input, requester: 'root' }, approvalsOf('root')), 'CONSENSUS_NEEDED root-quorum')
  assert.is(decided(organization, { ...input, requester: 'root' }, approvalsOf('root', 'mary')), 'ALLOWED root-quorum')
})

it('denies what no policy speaks of', () => assert.is(byPolicies([]), 'DENIED policies'))

it('allows where condition and consensus are true', () => {
  assert.is(byPolicies([{ effect: ALLOW }]), 'ALLOWED policies OUTCOME_ALLOW')
})

it('denies where condition and consensus of a denial are true', () => {
  assert.is(byPolicies([{ effect: DENY }]), 'DENIED policies OUTCOME_DENY_EXPLICIT')
})

it('waits where the consensus of a permission is not true but within reach', () => {
  const outcome = 'CONSENSUS_NEEDED policies OUTCOME_REQUIRES_CONSENSUS'
  assert.is(byPolicies([{ consensus: twoApprove }]), outcome)
  assert.is(byPolicies([{ consensus: "approvers.any(u, u.id == 'ada') && approvers.any(u, u.id == 'joan')" }]), outcome)
  assert.is(byPolicies([{ consensus: "approvers.filter(u, u.tags.contains('red')).count() >= 2" }]), outcome)
  assert.is(byPolicies([{ consensus: "approvers.any(u, u.id == 'joan')" }]), outcome)
})

it('sees one approval ahead where more would break the consensus', () => {
  assert.is(
    byPolicies([{ consensus: 'approvers.count() == 2' }]),
    'CONSENSUS_NEEDED policies OUTCOME_REQUIRES_CONSENSUS',
  )
  assert.is(byPolicies([{ consensus: 'approvers.count() == 3' }]), 'DENIED policies OUTCOME_DENY_IMPLICIT')
})

it('does not wait where the consensus of a denial is within reach', () => {
  assert.is(byPolicies([{ effect: DENY, consensus: twoApprove }]), 'DENIED policies OUTCOME_DENY_IMPLICIT')
})

it('does not wait where the consensus is out of reach', () => {
  assert.is(byPolicies([{ consensus: "approvers.any(u, u.id == 'gone')" }]), 'DENIED policies OUTCOME_DENY_IMPLICIT')
  assert.is(byPolicies([{ consensus: 'approvers.count() > 5' }]), 'DENIED policies OUTCOME_DENY_IMPLICIT')
})

it('does not apply a policy whose condition is false', () => {
  const condition = "activity.resource == 'POLICY'"
  assert.is(byPolicies([{ condition }]), 'DENIED policies OUTCOME_DENY_IMPLICIT')
  assert.is(byPolicies([{ condition, consensus: twoApprove }]), 'DENIED policies OUTCOME_DENY_IMPLICIT')
  assert.is(byPolicies([{ condition, effect: DENY }, {}]), 'ALLOWED policies OUTCOME_DENY_IMPLICIT OUTCOME_ALLOW')
})

it('does not apply a policy that errs, be it a denial', () => {
  assert.is(byPolicies([{ condition: missing }]), 'DENIED policies OUTCOME_ERROR')
  assert.is(byPolicies([{ condition: missing, effect: DENY }, {}]), 'ALLOWED policies OUTCOME_ERROR OUTCOME_ALLOW')
  assert.is(byPolicies([{ consensus: "approvers[3].id == 'ada'" }]), 'DENIED policies OUTCOME_ERROR')
  assert.is(
    byPolicies([{ condition: 'false', consensus: "approvers[3].id == 'ada'" }]),
    'DENIED policies OUTCOME_ERROR',
  )
})

it('does not apply a policy that is not understood any more', () => {
  assert.is(byPolicies([{ condition: 'wallet.id ==' }, {}]), 'ALLOWED policies OUTCOME_ERROR OUTCOME_ALLOW')
  assert.is(byPolicies([{ consensus: 'nobody' }]), 'DENIED policies OUTCOME_ERROR')
})

it('puts a denial before a permission, and a permission before one that waits', () => {
  assert.is(byPolicies([{}, { effect: DENY }]), 'DENIED policies OUTCOME_ALLOW OUTCOME_DENY_EXPLICIT')
  assert.is(byPolicies([{ consensus: twoApprove }, {}]), 'ALLOWED policies OUTCOME_REQUIRES_CONSENSUS OUTCOME_ALLOW')
  assert.is(
    byPolicies([{ consensus: twoApprove }, { effect: DENY }]),
    'DENIED policies OUTCOME_REQUIRES_CONSENSUS OUTCOME_DENY_EXPLICIT',
  )
})

it('denies at a later vote where a denial becomes applicable', () => {
  const policies = [{ consensus: twoApprove }, { effect: DENY, consensus: "approvers.any(u, u.id == 'mary')" } as const]
  assert.is(byPolicies(policies), 'CONSENSUS_NEEDED policies OUTCOME_REQUIRES_CONSENSUS OUTCOME_DENY_IMPLICIT')
  assert.is(byPolicies(policies, approvalsOf('ada', 'mary')), 'DENIED policies OUTCOME_ALLOW OUTCOME_DENY_EXPLICIT')
})

it('lets users manage their own credentials unless a policy says otherwise', () => {
  const own = anyMatter({ resource: 'CREDENTIAL', ownCredentials: true })
  const condition = "activity.resource == 'CREDENTIAL'"
  const decidedWith = (policies: readonly PolicySketch[]) => byPolicies(policies, approvalsOf('ada'), own)
  assert.is(decidedWith([]), 'ALLOWED own-credentials')
  assert.is(decidedWith([{ condition: 'false' }]), 'ALLOWED own-credentials OUTCOME_DENY_IMPLICIT')
  assert.is(decidedWith([{ condition: missing, effect: DENY }]), 'ALLOWED own-credentials OUTCOME_ERROR')
  assert.is(decidedWith([{ condition }]), 'ALLOWED policies OUTCOME_ALLOW')
  assert.is(decidedWith([{ condition, effect: DENY }]), 'DENIED policies OUTCOME_DENY_EXPLICIT')
  assert.is(decidedWith([{ condition, consensus: twoApprove }]), 'CONSENSUS_NEEDED policies OUTCOME_REQUIRES_CONSENSUS')
})

it('does not take the silence of the requester for leave to change their credentials', () => {
  const own = anyMatter({ resource: 'CREDENTIAL', ownCredentials: true })
  assert.is(byPolicies([], approvalsOf('joan'), own), 'DENIED policies')
})

it('shows the credential of each approval, and all keys of all users when it looks ahead', () => {
  const keys = ['API_KEY_CURVE_P256', 'API_KEY_CURVE_ED25519', 'API_KEY_CURVE_SECP256K1'] as const
  const asking = (type: string) => {
    const policies = [{ consensus: `credentials.any(c, c.type == 'CREDENTIAL_TYPE_API_KEY_${type}')` }]
    return anyOrganization({ users: { ada: { keys }, joan: {} }, policies })
  }
  const withKey = (key: number) => [{ userId: 'ada', credentialId: `ada-key-${key}` }]
  assert.is(decided(asking('ED25519'), anyMatter(), withKey(2)), 'ALLOWED policies OUTCOME_ALLOW')
  assert.is(decided(asking('SECP256K1'), anyMatter(), withKey(3)), 'ALLOWED policies OUTCOME_ALLOW')
  assert.is(decided(asking('ED25519'), anyMatter(), withKey(1)), 'CONSENSUS_NEEDED policies OUTCOME_REQUIRES_CONSENSUS')
  assert.is(decided(asking('P256'), anyMatter(), withKey(4)), 'CONSENSUS_NEEDED policies OUTCOME_REQUIRES_CONSENSUS')
})

it('shows policies those parameters that the operation hands over, and no others', () => {
  const policies = [{ condition: "activity.params.user_id == 'joan'" }]
  const createKeys = anyMatter({ type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', params: { user_id: 'joan' } })
  assert.is(byPolicies(policies, approvalsOf('ada'), createKeys), 'ALLOWED policies OUTCOME_ALLOW')
  const asksSecret = [{ condition: "activity.params.secret == 'x'" }]
  assert.is(byPolicies(asksSecret, approvalsOf('ada'), createKeys), 'DENIED policies OUTCOME_ERROR')
  const wire = anyMatter({ type: 'ACTIVITY_TYPE_WIRE_TRANSFER', params: { amount: 5 } })
  assert.is(
    byPolicies([{ condition: 'activity.params.amount < 10' }], approvalsOf('ada'), wire),
    'ALLOWED policies OUTCOME_ALLOW',
  )
})

it('shows policies what a resource adds to the language, where the operation gives it', () => {
  const vault: Struct = { struct: 'Vault', fields: { name: 'string', shelves: 'int', tags: { list: 'string' } } }
  const language = languageOf({ keywords: { vault }, params: { cents: 'int' } })
  const decidedBy = (condition: string, facts: DecisionInput['facts'], options: DecisionOptions = { language }) => {
    const organization = anyOrganization({ users: { ada: {} }, policies: [{ condition }] })
    const input = anyMatter({ params: { cents: 7 }, ...(facts === undefined ? {} : { facts }) })
    return verdictOf(organization, input, approvalsOf('ada'), options).evaluations[0]?.outcome
  }
  const cellar = { vault: { name: 'cellar', shelves: 3, tags: ['old'] } }
  assert.is(decidedBy("vault.name == 'cellar' && vault.shelves < 4", cellar), 'OUTCOME_ALLOW')
  assert.is(decidedBy("vault.tags.contains('new')", cellar), 'OUTCOME_DENY_IMPLICIT')
  assert.is(decidedBy('activity.params.cents == 7', cellar), 'OUTCOME_ALLOW')
  assert.is(decidedBy("vault.name == 'cellar'", undefined), 'OUTCOME_ERROR', 'another operation has no vault')
  assert.is(decidedBy("vault.name == 'cellar'", cellar, {}), 'OUTCOME_ERROR', 'another engine has no such resource')
  assert.is(decidedBy('vault.shelves', cellar), 'OUTCOME_ERROR', 'no boolean: it is not understood')
  const mayVote = eligibility(
    anyOrganization({
      users: { ada: {}, joan: {} },
      policies: [{ condition: "vault.name == 'cellar'", consensus: 'approvers.count() >= 2' }],
    }),
    { language },
  )
  assert.is(mayVote(anyMatter({ facts: cellar }), approvalsOf('ada'), 'joan'), true)
  assert.is(
    mayVote(anyMatter({ facts: { vault: { ...cellar.vault, name: 'attic' } } }), approvalsOf('ada'), 'joan'),
    false,
  )
})

it('agrees with a naive model on random policies and votes', () => {
  const tags = fc.subarray([...tagIds])
  const keys = fc.shuffledSubarray(['API_KEY_CURVE_P256', 'API_KEY_CURVE_ED25519'] as const, { minLength: 0 })
  const user = fc.record({ tags, keys })
  const policy = fc.record({
    effect: fc.constantFrom(ALLOW, ALLOW, DENY),
    condition: fc.oneof(fc.constantFrom('', 'true', "activity.resource == 'USER'"), anyCondition),
    consensus: fc.oneof(fc.constantFrom('', 'approvers.count() >= 2', 'approvers.count() >= 3'), anyConsensus),
  })
  const organization = fc
    .record({
      users: fc.record({ ada: user, grace: user, joan: user, mary: user, root: user }, { requiredKeys: ['ada'] }),
      policies: fc.array(policy, { maxLength: 4 }),
      quorum: fc.record({
        threshold: fc.integer({ min: 1, max: 3 }),
        userIds: fc.subarray([...userIds], { minLength: 1 }),
      }),
    })
    .map((sketch) => anyOrganization(sketch))
  const approval = fc.tuple(fc.constantFrom(...userIds), fc.integer({ min: 1, max: 3 }))
  const approvals = fc.array(approval, { maxLength: 4 })
  const input = fc.record({
    requester: fc.constantFrom(...userIds),
    ownCredentials: fc.boolean(),
    resource: fc.constantFrom('USER', 'POLICY', 'USER', undefined),
    params: fc.constantFrom({}, { amount: 2, ids: ['ada'], address: '0xabcdef' }),
  })
  fc.assert(
    fc.property(organization, input, approvals, (state, sketch, votes) => {
      const given = votes.map(([userId, key]) => ({ userId, credentialId: `${userId}-key-${key}` }))
      const about = anyMatter(sketch)
      assert.is(decided(state, about, given), naiveDecide(state, about, given))
    }),
    { numRuns: 1000 },
  )
})

it.run()
