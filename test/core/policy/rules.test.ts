import { users as userState } from '../../../core/organization/users.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Verdict } from '../../../core/log/decision.ts'
import { verdictOf, eligibility, type DecisionInput } from '../../../core/policy/consensus.ts'
import { currentRules, rulesOf, rulesVersions, type RulesVersion } from '../../../core/policy/rules.ts'
import { anyMatter, anyOrganization, approvalsOf, type PolicySketch } from './any.ts'

const it = suite('the rules')

const users = { root: {}, ada: { keys: ['API_KEY_CURVE_P256', 'API_KEY_CURVE_P256'] }, grace: {} } as const
const allow: PolicySketch = { effect: 'EFFECT_ALLOW' }

const decided = (
  policies: readonly PolicySketch[],
  input: Partial<DecisionInput> = {},
  rules = currentRules,
): Verdict => verdictOf(anyOrganization({ users, policies }), anyMatter(input), approvalsOf('ada'), { rules })
/** Rules under which no decision ends for lack of steps. */
const unbounded: RulesVersion = { ...currentRules, decisionSteps: Infinity }
const outcomesOf = ({ evaluations }: Verdict): readonly string[] =>
  evaluations.map(({ outcome }) => outcome.replace('OUTCOME_', ''))

/** More entries than an expression can look at. */
const many = { params: { ids: Array.from({ length: 60_000 }, (_, n) => `id ${n}`) } }
const looksAtAll = "activity.params.ids.contains('forbidden')"

it('deny where a denial takes more steps than there are: nobody escapes it with a long list', () => {
  const policies = [allow, { effect: 'EFFECT_DENY', condition: `${looksAtAll} || ${looksAtAll}` }] as const
  assert.is(decided(policies, many).outcome, 'DENIED')
  assert.equal(outcomesOf(decided(policies, many)), ['ALLOW', 'DENY_EXPLICIT'])
})

it('deny where a denial cannot be understood', () => {
  const policies = [allow, { effect: 'EFFECT_DENY', condition: 'activity.' }] as const
  assert.is(decided(policies).outcome, 'DENIED')
})

it('do not deny for a member that the activity does not have', () => {
  const policies = [allow, { effect: 'EFFECT_DENY', condition: "activity.params.amount == '1'" }] as const
  assert.is(decided(policies).outcome, 'ALLOWED')
})

it('do not deny where one clause is false, however long the other takes', () => {
  const long = 'approvers.all(a, '.repeat(5) + 'true' + ')'.repeat(5)
  const crowd = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`user ${n}`, {}]))
  const organization = (condition: string) =>
    anyOrganization({ users: crowd, policies: [allow, { effect: 'EFFECT_DENY', condition, consensus: nested(long) }] })
  const outcome = (condition: string) =>
    verdictOf(organization(condition), anyMatter({ requester: 'user 0' }), approvalsOf(...Object.keys(crowd))).outcome
  assert.is(outcome('true'), 'DENIED')
  assert.is(outcome('1 == 2'), 'ALLOWED')
  assert.is(outcome("activity.params.nothing == ''"), 'ALLOWED')
})

/** Each quantifier needs a name of its own. */
const nested = (text: string): string => {
  let n = 0
  return text.replaceAll('(a,', () => `(a${(n += 1)},`)
}

it('allow nothing for lack of steps', () => {
  const policies = [{ effect: 'EFFECT_ALLOW', condition: `!${looksAtAll} || !${looksAtAll}` }] as const
  assert.is(decided(policies, many).outcome, 'DENIED')
})

it('give all policies of a decision one number of steps together, and denials theirs first', () => {
  const half = { params: { ids: many.params.ids.slice(0, 40_000) } }
  const heavy = Array.from({ length: 60 }, (): PolicySketch => ({ effect: 'EFFECT_ALLOW', condition: looksAtAll }))
  const denials = [`!${looksAtAll}`, looksAtAll].map((condition) => ({ effect: 'EFFECT_DENY', condition }) as const)
  const policies: readonly PolicySketch[] = [...heavy, ...denials]
  const verdict = decided(policies, half)
  assert.equal(outcomesOf(verdict).slice(-2), ['DENY_EXPLICIT', 'DENY_IMPLICIT'])
  assert.ok(outcomesOf(verdict).includes('ERROR'))
  assert.not.ok(outcomesOf(decided(policies, half, unbounded)).includes('ERROR'))
})

it('charge long texts by their length, and long policies, too', () => {
  const long = `0x${'aB'.repeat(4000)}`
  const policy = { effect: 'EFFECT_ALLOW', condition: `activity.params.data == '${long}'` } as const
  const policies = Array.from({ length: 100 }, () => policy)
  const last = (rules = currentRules) => outcomesOf(decided(policies, { params: { data: long } }, rules)).at(-1)
  assert.is(last(), 'ERROR')
  assert.is(last({ ...currentRules, textShift: 30, stepsPerCharacter: 0 }), 'ALLOW')
  assert.is(last({ ...currentRules, stepsPerCharacter: 0 }), 'ALLOW')
  assert.is(last({ ...currentRules, stepsPerCharacter: 0, decisionSteps: 40_000 }), 'ERROR')
})

it('charge for reading either expression of a policy', () => {
  const long = `'${'x'.repeat(8000)}' == ''`
  for (const policy of [{ condition: long }, { consensus: long }]) {
    const policies = Array.from({ length: 100 }, () => ({ effect: 'EFFECT_ALLOW', ...policy }) as const)
    assert.is(outcomesOf(decided(policies, {}, unbounded)).at(-1), 'DENY_IMPLICIT')
    assert.is(outcomesOf(decided(policies)).at(-1), 'ERROR')
  }
})

it('read no policy for which no steps are left: what is to be denied stays denied', () => {
  const long = `'${'x'.repeat(8000)}' == ''`
  const policies: readonly PolicySketch[] = [
    { effect: 'EFFECT_DENY', condition: '1 == 2' },
    ...Array.from({ length: 100 }, () => ({ effect: 'EFFECT_DENY', condition: long }) as const),
    allow,
  ]
  assert.is(decided(policies).outcome, 'DENIED')
})

it('charge for the credentials of those who are asked about, where a consensus speaks of them', () => {
  const crowd = Object.fromEntries(
    Array.from({ length: 99 }, (_, n) => [
      `user ${n}`,
      { keys: Array.from({ length: 20 }, () => 'API_KEY_CURVE_P256' as const) },
    ]),
  )
  const outcomes = (consensus: string): readonly string[] => {
    const policies = Array.from({ length: 100 }, () => ({ effect: 'EFFECT_ALLOW', consensus }) as const)
    return outcomesOf(
      verdictOf(anyOrganization({ users: crowd, policies }), anyMatter({ requester: 'user 0' }), approvalsOf('user 0')),
    )
  }
  assert.not.ok(outcomes('approvers.count() == 1000').includes('ERROR'))
  assert.ok(outcomes('credentials.count() == 5000').includes('ERROR'))
})

it('count no approval whose credential was deleted', () => {
  const organization = anyOrganization({ users, policies: [{ consensus: 'approvers.count() >= 2' }] })
  userState.in(organization).get('ada')?.deletedCredentials.set('ada-key-1', 0)
  userState.in(organization).get('ada')?.credentials.delete('ada-key-1')
  const outcome = (...approvals: ReturnType<typeof approvalsOf>) =>
    verdictOf(organization, anyMatter(), approvals).outcome
  const both = approvalsOf('ada', 'grace')
  assert.is(outcome(...both), 'CONSENSUS_NEEDED')
  assert.is(outcome(...both, { userId: 'ada', credentialId: 'ada-key-2' }), 'ALLOWED')
})

it('count an approval whose credential made room for another', () => {
  const organization = anyOrganization({ users, policies: [{ consensus: 'approvers.count() >= 2' }] })
  userState.in(organization).get('ada')?.credentials.delete('ada-key-1')
  assert.is(verdictOf(organization, anyMatter(), approvalsOf('ada', 'grace')).outcome, 'ALLOWED')
})

it('let no credential make one that lives longer than itself without a policy', () => {
  const organization = anyOrganization({ users })
  const [key] = [...(userState.in(organization).get('ada')?.credentials.values() ?? [])]
  if (key?.kind !== 'api-key') throw new Error('ada has no key')
  const outcome = (credentialsLiveMs: number): string =>
    verdictOf(organization, anyMatter({ ownCredentials: true, credentialsLiveMs, atMs: 1000 }), approvalsOf('ada'))
      .outcome
  assert.equal([outcome(Infinity), outcome(1)], ['ALLOWED', 'ALLOWED'])
  userState
    .in(organization)
    .get('ada')
    ?.credentials.set(key.credentialId, { ...key, expirationSeconds: 60 })
  assert.equal([outcome(59_000), outcome(59_001), outcome(Infinity)], ['ALLOWED', 'DENIED', 'DENIED'])
  assert.is(outcome(0), 'ALLOWED')
})

it('find out who may vote by the same questions, however often they are asked', () => {
  const crowd = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`user ${n}`, { tags: ['all'] }]))
  const consensus = "approvers.filter(user, user.tags.contains('all')).count() >= 50"
  let questions = 0
  const rules: RulesVersion = {
    ...currentRules,
    stepsPerQuestion: (...sizes) => {
      questions += 1
      return currentRules.stepsPerQuestion(...sizes)
    },
  }
  const mayVote = eligibility(anyOrganization({ users: crowd, policies: [{ consensus }] }), { rules })
  assert.ok(mayVote(anyMatter({ requester: 'user 1' }), approvalsOf('user 1'), 'user 2'))
  const first = questions
  assert.ok(first > 0)
  for (let n = 0; n < 100; n += 1) mayVote(anyMatter({ requester: 'user 1' }), approvalsOf('user 1'), 'user 2')
  assert.is(questions, first)
})

it('are found by their version, and the newest make new decisions', () => {
  assert.equal(
    rulesVersions.map(({ version }) => version),
    [1],
  )
  assert.is(rulesVersions.at(-1), currentRules)
  const second = { ...currentRules, version: 2 }
  assert.equal([rulesOf(1), rulesOf(2), rulesOf(2, [currentRules, second])], [currentRules, undefined, second])
})

it('that nobody made are not known', () =>
  assert.equal([rulesOf(0), rulesOf(2), rulesOf(1.5)], [undefined, undefined, undefined]))

it.run()
