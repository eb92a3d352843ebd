import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf } from '../../../core/countersign-error.ts'
import { simulatePolicies, type DecisionDifference } from '../../../core/policy-tools/simulate-policies.ts'
import type { ProposedPolicy } from '../../../core/policy-tools/proposed-policies.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { erased, office } from '../audit/erasures-log.ts'
import { neighbour } from '../audit/logs.ts'
import { knownHistory, policiesOf, type KnownHistory } from './known-history.ts'

const it = suite('simulating policies')

/** Numbers that look random and are the same in each run. */
const numbers = (seed: number) => {
  let last = seed
  return (): number => {
    last = (Math.imul(last, 1_664_525) + 1_013_904_223) >>> 0
    return last / 2 ** 32
  }
}

let history: KnownHistory
it.before(async () => {
  history = await knownHistory(1_000, numbers(7))
})
it.after(() => history.made.close())

const tried = async (policies: readonly ProposedPolicy[], more: Parameters<typeof simulatePolicies>[2] = {}) => {
  const differences: DecisionDifference[] = []
  const totals = await simulatePolicies(history.made.storage.store, policies, {
    onDifference: (difference) => differences.push(difference),
    ...more,
  })
  return { totals, differences }
}

const short = ({ at, user, before, after }: DecisionDifference): string =>
  `${Date.parse(at)} ${user}: ${before.outcome} to ${after.outcome}`

it('finds exactly the decisions that come out otherwise, in a history of a thousand activities', async () => {
  const { totals, differences } = await tried(policiesOf(history.tags).tried)
  assert.equal(differences.map(short), history.changed)
  assert.ok(history.changed.length > 300)
  assert.is(totals.differences, history.changed.length)
  assert.equal([totals.erased, totals.unknown], [0, 0])
})

it('finds no difference with the policies that the history had', async () => {
  const { policies } = await history.made.answer(history.made.root, 'list_policies')
  const listed = await tried(policies as readonly ProposedPolicy[]) // as the query answers
  assert.equal(listed.differences, [])
  const created = await tried(policiesOf(history.tags).there)
  assert.equal(created.differences, [])
  assert.is(created.totals.decisions, listed.totals.decisions)
  assert.ok(created.totals.decisions > history.decisions)
})

it('names the policies that differ, and counts by kind of activity', async () => {
  const { totals, differences } = await tried(policiesOf(history.tags).tried)
  const user = differences.find(
    ({ kind, vote, before }) => kind === 'UPDATE_USER' && vote === 1 && before.outcome === 'DENIED',
  )
  assert.equal([user?.before.rule, user?.after], ['policies', { outcome: 'ALLOWED', rule: 'policies' }])
  assert.equal(
    user?.policies.map(({ policyName, before, after }) => [policyName, before, after]),
    [
      ['two change users', 'OUTCOME_REQUIRES_CONSENSUS', 'OUTCOME_ALLOW'],
      ['no interns on users', 'OUTCOME_DENY_EXPLICIT', undefined],
    ],
  )
  const counted = (kind: string, change: string): number =>
    differences.filter((one) => one.kind === kind && `${one.before.outcome} to ${one.after.outcome}` === change).length
  for (const { kind, differences: count, changes } of totals.kinds) {
    assert.is(count, differences.filter((one) => one.kind === kind).length)
    for (const [change, times] of Object.entries(changes)) assert.is(times, counted(kind, change))
  }
  assert.ok(totals.kinds.some(({ kind }) => kind === 'UPDATE_USER_TAG'))
  assert.is(
    totals.kinds.reduce((sum, { decisions }) => sum + decisions, 0),
    totals.decisions,
  )
})

it('takes only the decisions of a time and of an organization', async () => {
  const { policies } = { policies: policiesOf(history.tags).tried }
  const all = (await tried(policies)).differences
  const middle = Date.parse(all[Math.floor(all.length / 2)]?.at ?? '')
  const { organizationId } = history.made
  const later = await tried(policies, { fromMs: middle, organization: organizationId })
  const earlier = await tried(policies, { toMs: middle })
  assert.equal([...earlier.differences, ...later.differences].map(short), all.map(short))
  assert.ok(earlier.differences.length > 0 && later.differences.length > 0)
  const elsewhere = await tried(policies, { organization: '00000000-0000-4000-8000-000000000000' }).then(
    () => undefined,
    failureOf,
  )
  assert.is(elsewhere?.code, 'ORGANIZATION_NOT_FOUND')
})

it('refuses policies with a mistake, and says which', async () => {
  const [first, second] = policiesOf(history.tags).tried
  assert.ok(first !== undefined && second !== undefined)
  const failed = await tried([first, { ...second, condition: 'activity.' }]).then(() => undefined, failureOf)
  assert.is(failed?.code, 'REQUEST_INVALID')
  assert.match(failed?.message ?? '', /^policy 2: invalid policy condition: line 1, column 10: /)
})

it('counts what rests on something that was erased, of all organizations of a store', async () => {
  const made = await office()
  await neighbour(made)
  const resources = [...publicApi, ...erasure]
  const { store } = made.storage
  const policies = (await made.answer(made.root, 'list_policies')).policies as readonly ProposedPolicy[]
  const before = await simulatePolicies(store, policies, { resources })
  assert.equal([before.erased, before.unknown], [0, 0])
  await erased(made, made.bob.userId, 'MADE')
  const differences: DecisionDifference[] = []
  const onDifference = (difference: DecisionDifference): void => void differences.push(difference)
  const after = await simulatePolicies(store, policies, { resources, onDifference })
  assert.ok(after.erased > 2)
  assert.is(after.decisions + after.erased, before.decisions + 2) // the erasure has two
  assert.is(differences.filter(({ user }) => user === made.bob.userId).length, 0)
  await made.close()
})

it('reads the times of the policies that it tries', async () => {
  const [first, second] = policiesOf(history.tags).there
  assert.ok(first !== undefined && second !== undefined)
  const always = "time.now > Timestamp('2000-01-01T00:00:00Z')"
  const rest = policiesOf(history.tags).there.slice(2)
  const same = await tried([{ ...first, time: always }, second, ...rest])
  assert.equal(same.differences, [])
  const never = await tried([{ ...first, time: `!(${always})` }, second, ...rest])
  assert.ok(never.differences.length > 0)
  assert.ok(never.differences.every(({ kind, after }) => kind === 'UPDATE_USER_TAG' && after.outcome === 'DENIED'))
})

it('can be called off', async () => {
  const { signal } = { signal: AbortSignal.abort() }
  const failed = await tried(policiesOf(history.tags).tried, { signal }).then(() => undefined, failureOf)
  assert.is(failed?.code, 'ABORTED')
})

it.run()
