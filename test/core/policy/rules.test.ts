import { users as userState } from '../../../core/organization/users.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Verdict } from '../../../core/log/decision.ts'
import { decide, eligibility, type DecisionInput } from '../../../core/policy/consensus.ts'
import { currentRules, rulesOf } from '../../../core/policy/rules.ts'
import { anyMatter, anyOrganization, approvalsOf, type PolicySketch } from './any.ts'

const it = suite('versions of the rules')

const users = { root: {}, ada: { keys: ['API_KEY_CURVE_P256', 'API_KEY_CURVE_P256'] }, grace: {} } as const
const allow: PolicySketch = { effect: 'EFFECT_ALLOW' }
const rules = (version: number) => {
  const found = rulesOf(version)
  if (found === undefined) throw new Error(`there is no version ${version} of the rules`)
  return found
}

const decided = (version: number, policies: readonly PolicySketch[], input: Partial<DecisionInput> = {}): Verdict =>
  decide(anyOrganization({ users, policies }), anyMatter(input), approvalsOf('ada'), { rules: rules(version) })
const outcomesOf = ({ evaluations }: Verdict): readonly string[] =>
  evaluations.map(({ outcome }) => outcome.replace('OUTCOME_', ''))

/** More entries than an expression can look at. */
const many = { params: { ids: Array.from({ length: 60_000 }, (_, n) => `id ${n}`) } }
const looksAtAll = "activity.params.ids.contains('forbidden')"

it('deny where a denial takes more steps than there are, since the second: nobody escapes it with a long list', () => {
  const policies = [allow, { effect: 'EFFECT_DENY', condition: `${looksAtAll} || ${looksAtAll}` }] as const
  assert.equal([decided(1, policies, many).outcome, decided(2, policies, many).outcome], ['ALLOWED', 'DENIED'])
  assert.equal(outcomesOf(decided(1, policies, many)), ['ALLOW', 'ERROR'])
  assert.equal(outcomesOf(decided(2, policies, many)), ['ALLOW', 'DENY_EXPLICIT'])
})

it('deny where a denial cannot be understood, since the second', () => {
  const policies = [allow, { effect: 'EFFECT_DENY', condition: 'activity.' }] as const
  assert.equal([decided(1, policies).outcome, decided(2, policies).outcome], ['ALLOWED', 'DENIED'])
})

it('do not deny for a member that the activity does not have', () => {
  const policies = [allow, { effect: 'EFFECT_DENY', condition: "activity.params.amount == '1'" }] as const
  for (const version of [1, 2]) assert.is(decided(version, policies).outcome, 'ALLOWED')
})

it('do not deny where one clause is false, however long the other takes', () => {
  const long = 'approvers.all(a, '.repeat(5) + 'true' + ')'.repeat(5)
  const crowd = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`user ${n}`, {}]))
  const organization = (condition: string) =>
    anyOrganization({ users: crowd, policies: [allow, { effect: 'EFFECT_DENY', condition, consensus: nested(long) }] })
  const outcome = (condition: string) =>
    decide(organization(condition), anyMatter({ requester: 'user 0' }), approvalsOf(...Object.keys(crowd))).outcome
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
  for (const version of [1, 2]) assert.is(decided(version, policies, many).outcome, 'DENIED')
})

it('give all policies of a decision one number of steps together, since the second, and denials theirs first', () => {
  const half = { params: { ids: many.params.ids.slice(0, 40_000) } }
  const heavy = Array.from({ length: 60 }, (): PolicySketch => ({ effect: 'EFFECT_ALLOW', condition: looksAtAll }))
  const denials = [`!${looksAtAll}`, looksAtAll].map((condition) => ({ effect: 'EFFECT_DENY', condition }) as const)
  const policies: readonly PolicySketch[] = [...heavy, ...denials]
  const verdict = decided(2, policies, half)
  assert.equal(outcomesOf(verdict).slice(-2), ['DENY_EXPLICIT', 'DENY_IMPLICIT'])
  assert.ok(outcomesOf(verdict).includes('ERROR'))
  assert.not.ok(outcomesOf(decided(1, policies, half)).includes('ERROR'))
})

it('charge long texts by their length, since the second, and long policies, too', () => {
  const long = `0x${'aB'.repeat(4000)}`
  const policy = { effect: 'EFFECT_ALLOW', condition: `activity.params.data == '${long}'` } as const
  const policies = Array.from({ length: 100 }, () => policy)
  const spent = (version: number): number => {
    const work = { left: 1e9 }
    const organization = anyOrganization({ users, policies })
    decide(organization, anyMatter({ params: { data: long } }), approvalsOf('ada'), { rules: rules(version), work })
    return 1e9 - work.left
  }
  assert.ok(spent(2) <= (currentRules.decisionSteps ?? 0) + 100_000)
  assert.is(outcomesOf(decided(2, policies, { params: { data: long } })).at(-1), 'ERROR')
  assert.is(outcomesOf(decided(1, policies, { params: { data: long } })).at(-1), 'ALLOW')
})

it('stop where the work is more than can be afforded, and say so', () => {
  const work = { left: 1000 }
  const organization = anyOrganization({
    users,
    policies: Array.from({ length: 5 }, () => ({ condition: looksAtAll })),
  })
  decide(organization, anyMatter(many), approvalsOf('ada'), { rules: rules(1), work })
  assert.ok(work.left <= 0)
  assert.ok(work.left > 1000 - 1.1 * 100_000, 'nothing is evaluated after that')
})

it('say how much work it was to compare long texts, also where the rules of then did not charge that', () => {
  const long = '0x'.padEnd(160_000, 'a')
  const work = { left: 1_000_000 }
  const condition = 'activity.params.data == activity.params.same'
  const input = anyMatter({ params: { data: long, same: long } })
  decide(anyOrganization({ users, policies: [{ condition }] }), input, approvalsOf('ada'), { rules: rules(1), work })
  assert.ok(1_000_000 - work.left >= long.length / 16, `${1_000_000 - work.left}`)
})

it('charge for reading either expression of a policy, since the second', () => {
  const long = `'${'x'.repeat(8000)}' == ''`
  for (const policy of [{ condition: long }, { consensus: long }]) {
    const policies = Array.from({ length: 100 }, () => ({ effect: 'EFFECT_ALLOW', ...policy }) as const)
    assert.is(outcomesOf(decided(1, policies)).at(-1), 'DENY_IMPLICIT')
    assert.is(outcomesOf(decided(2, policies)).at(-1), 'ERROR')
  }
})

it('read no policy for which no steps are left, since the second: what is to be denied stays denied', () => {
  const long = `'${'x'.repeat(8000)}' == ''`
  const policies: readonly PolicySketch[] = [
    { effect: 'EFFECT_DENY', condition: '1 == 2' },
    ...Array.from({ length: 100 }, () => ({ effect: 'EFFECT_DENY', condition: long }) as const),
    allow,
  ]
  assert.equal([decided(1, policies).outcome, decided(2, policies).outcome], ['ALLOWED', 'DENIED'])
})

it('charge for the credentials of those who are asked about, where a consensus speaks of them, since the second', () => {
  const crowd = Object.fromEntries(
    Array.from({ length: 99 }, (_, n) => [
      `user ${n}`,
      { keys: Array.from({ length: 20 }, () => 'API_KEY_CURVE_P256' as const) },
    ]),
  )
  const outcomes = (consensus: string): readonly string[] => {
    const policies = Array.from({ length: 100 }, () => ({ effect: 'EFFECT_ALLOW', consensus }) as const)
    return outcomesOf(
      decide(anyOrganization({ users: crowd, policies }), anyMatter({ requester: 'user 0' }), approvalsOf('user 0')),
    )
  }
  assert.not.ok(outcomes('approvers.count() == 1000').includes('ERROR'))
  assert.ok(outcomes('credentials.count() == 5000').includes('ERROR'))
})

it('count no approval whose credential was deleted, since the second', () => {
  const organization = anyOrganization({ users, policies: [{ consensus: 'approvers.count() >= 2' }] })
  userState.in(organization).get('ada')?.deletedCredentials.set('ada-key-1', 0)
  userState.in(organization).get('ada')?.credentials.delete('ada-key-1')
  const outcome = (version: number, ...approvals: ReturnType<typeof approvalsOf>) =>
    decide(organization, anyMatter(), approvals, { rules: rules(version) }).outcome
  const both = approvalsOf('ada', 'grace')
  assert.equal([outcome(1, ...both), outcome(2, ...both)], ['ALLOWED', 'CONSENSUS_NEEDED'])
  assert.is(outcome(2, ...both, { userId: 'ada', credentialId: 'ada-key-2' }), 'ALLOWED')
})

it('count an approval whose credential made room for another', () => {
  const organization = anyOrganization({ users, policies: [{ consensus: 'approvers.count() >= 2' }] })
  userState.in(organization).get('ada')?.credentials.delete('ada-key-1')
  for (const version of [1, 2])
    assert.is(
      decide(organization, anyMatter(), approvalsOf('ada', 'grace'), { rules: rules(version) }).outcome,
      'ALLOWED',
    )
})

it('let no credential make one that lives longer than itself without a policy, since the second', () => {
  const organization = anyOrganization({ users })
  const [key] = [...(userState.in(organization).get('ada')?.credentials.values() ?? [])]
  if (key?.kind !== 'api-key') throw new Error('ada has no key')
  const outcome = (version: number, credentialsLiveMs: number): string =>
    decide(organization, anyMatter({ ownCredentials: true, credentialsLiveMs, atMs: 1000 }), approvalsOf('ada'), {
      rules: rules(version),
    }).outcome
  assert.equal([outcome(2, Infinity), outcome(2, 1)], ['ALLOWED', 'ALLOWED'])
  userState
    .in(organization)
    .get('ada')
    ?.credentials.set(key.credentialId, { ...key, expirationSeconds: 60 })
  assert.equal([outcome(2, 59_000), outcome(2, 59_001), outcome(2, Infinity)], ['ALLOWED', 'DENIED', 'DENIED'])
  assert.equal([outcome(2, 0), outcome(1, Infinity)], ['ALLOWED', 'ALLOWED'])
})

it('find out who may vote in the same steps, however often they are asked', () => {
  const crowd = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`user ${n}`, { tags: ['all'] }]))
  const consensus = "approvers.filter(user, user.tags.contains('all')).count() >= 50"
  const work = { left: 1e9 }
  const mayVote = eligibility(anyOrganization({ users: crowd, policies: [{ consensus }] }), { work })
  assert.ok(mayVote(anyMatter({ requester: 'user 1' }), approvalsOf('user 1'), 'user 2'))
  const first = 1e9 - work.left
  for (let n = 0; n < 100; n += 1) mayVote(anyMatter({ requester: 'user 1' }), approvalsOf('user 1'), 'user 2')
  assert.ok(1e9 - work.left < 2 * first)
})

/** A version as data: what it charges is told for a few sizes. */
const written = (version: number): unknown => {
  const { stepsPerQuestion, stepsPerSearch, ...others } = rules(version)
  const perQuestion = [
    stepsPerQuestion(0, 0),
    stepsPerQuestion(1, 0),
    stepsPerQuestion(10, 0),
    stepsPerQuestion(10, 10),
  ]
  return { ...others, perQuestion, perSearch: [stepsPerSearch(0), stepsPerSearch(1), stepsPerSearch(10)] }
}

it('stay as they were released: an audit judges by them for ever', () => {
  assert.equal(written(1), {
    version: 1,
    countsDeletedCredentials: true,
    failsClosed: false,
    outlivesItself: true,
    setsDenialsAside: false,
    isTimeMonotonic: false,
    textShift: 8,
    stepsPerCharacter: 0,
    decisionSteps: undefined,
    lookaheadSteps: 5_000_000,
    eligibilitySteps: 5_000_000,
    perQuestion: [1, 2, 11, 11],
    perSearch: [0, 0, 0],
  })
  assert.equal(written(2), {
    version: 2,
    countsDeletedCredentials: false,
    failsClosed: true,
    outlivesItself: false,
    setsDenialsAside: true,
    isTimeMonotonic: true,
    textShift: 4,
    stepsPerCharacter: 4,
    decisionSteps: 1_000_000,
    lookaheadSteps: 0,
    eligibilitySteps: 1_500_000,
    perQuestion: [20, 22, 40, 80],
    perSearch: [100, 120, 300],
  })
})

it('that nobody made are not known', () =>
  assert.equal([rulesOf(0), rulesOf(3), rulesOf(1.5)], [undefined, undefined, undefined]))

it.run()
