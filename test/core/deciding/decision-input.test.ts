import { initial, type Organization } from '../../../core/organization/state.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { approvalsOf, decisionInputOf } from '../../../core/deciding/decision-input.ts'
import { approvedBy, created, folded } from '../command/given.ts'

const it = suite('matter')

const DAY = 24 * 60 * 60 * 1000
const activity = folded([created('ada'), approvedBy('grace')])
const joan = { userId: 'joan', credentialId: 'joan-key-1' }
const approvals = ['ada', 'grace'].map((userId) => ({ userId, credentialId: `${userId}-key-1` }))

it('begins with the approval of its requester', () => {
  assert.equal(approvalsOf(undefined, 0, joan), [joan])
  assert.equal(approvalsOf(undefined, 0), [])
})

it('has the approvals of the window in order, and the one that comes now behind them', () => {
  assert.equal(approvalsOf(activity, DAY - 1), approvals)
  assert.equal(approvalsOf(activity, DAY - 1, joan), [...approvals, joan])
})

it('has only the one that comes now when those before have lapsed', () => {
  assert.equal(approvalsOf(activity, DAY), [])
  assert.equal(approvalsOf(activity, DAY, joan), [joan])
})

it('is what the operation says of the intent and of who asks', () => {
  const operation = {
    kind: 'PAY',
    resource: 'WALLET',
    action: 'CREATE',
    params: ({ to }: { readonly to: string }) => ({ to }),
    facts: ({ to }: { readonly to: string }, { organizationId }: Organization) => ({ payee: { to, organizationId } }),
    isOwnCredentials: ({ to }: { readonly to: string }, requester: string) => to === requester,
    credentialsLiveMs: ({ to }: { readonly to: string }) => to.length,
  }
  const input = { type: 'PAY_V2', kind: 'PAY', resource: 'WALLET', action: 'CREATE', params: { to: 'ada' }, atMs: 7 }
  const organization = initial('organization')
  const submitted = { organization, type: 'PAY_V2', intent: { to: 'ada' }, atMs: 7 }
  assert.equal(decisionInputOf(operation, { ...submitted, requester: 'ada' }), {
    ...input,
    facts: { payee: { to: 'ada', organizationId: 'organization' } },
    requester: 'ada',
    ownCredentials: true,
    credentialsLiveMs: 3,
  })
  assert.is(decisionInputOf(operation, { ...submitted, requester: 'grace' }).ownCredentials, false)
})

it.run()
