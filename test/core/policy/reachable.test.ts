import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Approver } from '../../../core/policy/approvers.ts'
import { allowanceOf, compileConsensus } from '../../../core/policy/expression.ts'
import { isReachable } from '../../../core/policy/reachable.ts'
import { currentRules } from '../../../core/policy/rules.ts'
import { anyCredentialFact, anyFacts, anyUserFact, compiled } from './any.ts'

const it = suite('what more approvals can reach')

const approver = (id: string, keys = [`${id}-key-1`]): Approver => ({
  user: anyUserFact({ id }),
  credentials: keys.map((key) => anyCredentialFact({ id: key, user_id: id })),
})
const [ada, grace, joan] = [approver('ada'), approver('grace', ['grace-key-1', 'grace-key-2']), approver('joan')]

const reaches = (consensus: string, present: readonly Approver[], steps = 100_000): boolean =>
  isReachable(
    compiled(compileConsensus(consensus)),
    anyFacts().activity,
    [ada, grace, joan],
    present,
    currentRules,
    allowanceOf(steps),
  )

it('is what all users together make true', () => {
  assert.is(reaches('approvers.count() >= 3', [ada]), true)
  assert.is(reaches('approvers.count() >= 4', [ada]), false)
})

it('leaves those first who approve now, in their order', () => {
  assert.is(reaches("approvers[0].id == 'grace' && approvers.count() >= 3", [grace]), true)
  assert.is(reaches("approvers[0].id == 'ada' && approvers.count() >= 3", [grace]), false)
  assert.is(reaches("approvers[1].id == 'ada' && approvers.count() >= 3", [joan, ada]), true)
})

it('is what one approval more makes true, where all together would break it', () => {
  assert.is(reaches('approvers.count() == 2', [ada]), true)
  assert.is(reaches('approvers.count() == 2', []), false, 'two more are not seen')
})

it('counts all credentials of those who approve already, and one of each who could', () => {
  const byKey = (key: string) => `credentials.any(c, c.id == '${key}')`
  assert.is(reaches(byKey('grace-key-2'), [grace]), true)
  assert.is(reaches(`${byKey('grace-key-2')} && approvers.count() == 1`, []), true)
})

it('is nothing without steps to look for it', () => assert.is(reaches('approvers.count() >= 3', [ada], 0), false))

it.run()
