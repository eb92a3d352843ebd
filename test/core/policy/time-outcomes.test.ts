import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import type { Outcome } from '../../../core/log/decision.ts'
import type { Effect } from '../../../core/organization/policies.ts'
import { verdictOf, eligibility, type DecisionOptions } from '../../../core/policy/consensus.ts'
import { languageOf, type Language } from '../../../core/policy/expression.ts'
import { currentRules } from '../../../core/policy/rules.ts'
import { asksTimeZones, momentAt } from '../../../core/policy/time-clause.ts'
import type { TimeZones } from '../../../core/ports/time-zones.ts'
import { E } from '../../../core/prelude.ts'
import { anyMatter, anyOrganization, approvalsOf, type PolicySketch } from './any.ts'
import { naiveDecide } from './naive.ts'
import { worstPolicies } from '../../campaigns/bench/policies.ts'
import { STEPS_MAX } from '../../../core/policy/evaluator.ts'

const it = suite('times of policies')

const users = { ada: {}, grace: {}, root: {} }
const timeZones = intlTimeZones()
const MONDAY_NOON = Date.parse('2026-01-05T12:00:00Z')
const input = anyMatter({ atMs: MONDAY_NOON })

const outcomesOf = (
  policies: readonly PolicySketch[],
  options: DecisionOptions = { timeZones },
  atMs = MONDAY_NOON,
): readonly Outcome[] =>
  verdictOf(anyOrganization({ users, policies }), { ...input, atMs }, approvalsOf('ada'), options).evaluations.map(
    ({ outcome }) => outcome,
  )

const TIMES = {
  none: '',
  true: "CronSpan('0 9 * * 1-5', '8h', 'UTC') && time.now >= Timestamp('2026-01-05T12:00:00Z')",
  false: "CronSpan('0 9 * * 6', '8h', 'UTC') || time.now < Timestamp('2026-01-05T12:00:00Z')",
}
const CONDITIONS = { true: "activity.resource == 'USER'", false: 'false', error: 'activity.params.missing == 1' }
const CONSENSUSES = {
  true: 'approvers.count() == 1',
  reachable: 'approvers.count() >= 2',
  unreachable: 'approvers.count() >= 9',
  error: "approvers[3].id == 'ada'",
}

/** The outcomes of an active policy that allows, and of one that denies, by its condition and its consensus. */
const TABLE: readonly (readonly [keyof typeof CONDITIONS, keyof typeof CONSENSUSES, Outcome, Outcome])[] = [
  ['true', 'true', 'OUTCOME_ALLOW', 'OUTCOME_DENY_EXPLICIT'],
  ['true', 'reachable', 'OUTCOME_REQUIRES_CONSENSUS', 'OUTCOME_DENY_IMPLICIT'],
  ['true', 'unreachable', 'OUTCOME_DENY_IMPLICIT', 'OUTCOME_DENY_IMPLICIT'],
  ['true', 'error', 'OUTCOME_ERROR', 'OUTCOME_ERROR'],
  ['false', 'true', 'OUTCOME_DENY_IMPLICIT', 'OUTCOME_DENY_IMPLICIT'],
  ['false', 'reachable', 'OUTCOME_DENY_IMPLICIT', 'OUTCOME_DENY_IMPLICIT'],
  ['false', 'unreachable', 'OUTCOME_DENY_IMPLICIT', 'OUTCOME_DENY_IMPLICIT'],
  ['false', 'error', 'OUTCOME_ERROR', 'OUTCOME_ERROR'],
  ['error', 'true', 'OUTCOME_ERROR', 'OUTCOME_ERROR'],
  ['error', 'reachable', 'OUTCOME_ERROR', 'OUTCOME_ERROR'],
  ['error', 'unreachable', 'OUTCOME_ERROR', 'OUTCOME_ERROR'],
  ['error', 'error', 'OUTCOME_ERROR', 'OUTCOME_ERROR'],
]

/** The plain language, in which this time errs. */
const ERRS = "time.now == Timestamp('2026-01-01T00:00:00Z')"
const plain = languageOf({})
const erring: Language = {
  ...plain,
  time: (text) =>
    text === ERRS
      ? E.map((compiled: object) => ({
          ...compiled,
          evaluator: (run: { reason: string | undefined }) => void (run.reason = 'for a test'),
          keywords: new Set<string>(),
          alternatives: [],
          spans: [],
        }))(plain.time(text))
      : plain.time(text),
}

for (const [condition, consensus, allowing, denying] of TABLE)
  for (const [effect, expected] of [
    ['EFFECT_ALLOW', allowing],
    ['EFFECT_DENY', denying],
  ] as const) {
    const policy = (time: string): PolicySketch => ({
      effect: effect satisfies Effect,
      condition: CONDITIONS[condition],
      consensus: CONSENSUSES[consensus],
      time,
    })
    const what = `${effect} whose condition is ${condition} and whose consensus is ${consensus}`

    it(`${what}: without a time`, () => assert.equal(outcomesOf([policy(TIMES.none)]), [expected]))
    it(`${what}: active`, () => assert.equal(outcomesOf([policy(TIMES.true)]), [expected]))
    it(`${what}: inactive`, () => assert.equal(outcomesOf([policy(TIMES.false)]), ['OUTCOME_TIME_INACTIVE']))
    it(`${what}: with a time that errs`, () =>
      assert.equal(outcomesOf([policy(ERRS)], { timeZones, language: erring }), ['OUTCOME_ERROR']))
  }

it('decides as if inactive policies were not there', () => {
  const decided = (policies: readonly PolicySketch[], atMs: number): string =>
    verdictOf(anyOrganization({ users, policies }), { ...input, atMs }, approvalsOf('ada')).outcome
  const office = "CronSpan('0 9 * * 1-5', '8h', 'UTC')"
  const saturday = Date.parse('2026-01-10T12:00:00Z')
  assert.equal(
    [MONDAY_NOON, saturday].map((atMs) => decided([{ time: office }], atMs)),
    ['ALLOWED', 'DENIED'],
  )
  const freeze: readonly PolicySketch[] = [{}, { effect: 'EFFECT_DENY', time: `!${office}` }]
  assert.equal(
    [MONDAY_NOON, saturday].map((atMs) => decided(freeze, atMs)),
    ['ALLOWED', 'DENIED'],
  )
})

it('gives all policies of a decision one time, to the millisecond', () => {
  const time = "time.now == Timestamp('2026-01-05T12:00:00.123Z')"
  assert.equal(outcomesOf([{ time }, { time }], {}, MONDAY_NOON + 123), ['OUTCOME_ALLOW', 'OUTCOME_ALLOW'])
  assert.equal(outcomesOf([{ time }], {}, MONDAY_NOON + 124), ['OUTCOME_TIME_INACTIVE'])
})

it('denies where the steps of a denial are used up by its time, and does not where it is inactive for certain', () => {
  const many = Array.from({ length: 120 }, () => "CronSpan('0 9 * * 1-5', '8h', 'UTC')").join(' && ')
  assert.equal(outcomesOf([{ effect: 'EFFECT_DENY', time: many }]), ['OUTCOME_DENY_EXPLICIT'])
  assert.equal(outcomesOf([{ effect: 'EFFECT_DENY', time: many, condition: 'false' }]), ['OUTCOME_ERROR'])
  assert.equal(outcomesOf([{ effect: 'EFFECT_ALLOW', time: many }]), ['OUTCOME_ERROR'])
})

it('takes no steps from other policies for the clauses of an inactive one', () => {
  const costly = Array.from({ length: 2_000 }, () => 'true').join(' && ')
  const inactive: PolicySketch = { effect: 'EFFECT_DENY', condition: costly, time: TIMES.false }
  const all = Array.from({ length: 99 }, () => inactive)
  assert.is(outcomesOf([...all, {}]).at(-1), 'OUTCOME_ALLOW')
  assert.is(outcomesOf([...all.map((one) => ({ ...one, time: '' })), {}]).at(-1), 'OUTCOME_ERROR')
})

it('denies where this machine does not know the zone of a denial, and does not allow by such a policy', () => {
  const time = "CronSpan('0 9 * * 1-5', '8h', 'Europe/Berlin')"
  assert.equal(outcomesOf([{ time, effect: 'EFFECT_DENY' }, { time }], {}), ['OUTCOME_DENY_EXPLICIT', 'OUTCOME_ERROR'])
  assert.equal(outcomesOf([{ time, effect: 'EFFECT_DENY' }, { time }]), ['OUTCOME_DENY_EXPLICIT', 'OUTCOME_ALLOW'])
  const both = `${time} || true`
  assert.equal(outcomesOf([{ time: both }], {}), ['OUTCOME_ERROR'], 'no clause is left out')
})

it('denies by a denial whose time is not understood any more', () => {
  assert.equal(outcomesOf([{ time: 'soon', effect: 'EFFECT_DENY' }, { time: 'soon' }]), [
    'OUTCOME_DENY_EXPLICIT',
    'OUTCOME_ERROR',
  ])
})

it('lets nobody vote for a policy that only its time makes inactive, by the clock of each question', () => {
  const policies = [{ consensus: 'approvers.count() >= 2', time: "CronSpan('0 9 * * 1-5', '8h', 'Europe/Berlin')" }]
  const organization = anyOrganization({ users, policies })
  const mayVote = eligibility(organization, { timeZones })
  const asked = (instant: string): boolean =>
    mayVote({ ...input, atMs: Date.parse(instant) }, approvalsOf('ada'), 'grace')
  assert.is(asked('2026-01-05T12:00:00Z'), true)
  assert.is(asked('2026-01-05T16:00:00Z'), false, 'the same question object, later')
  assert.is(asked('2026-01-06T08:00:00Z'), true)
  assert.is(eligibility(organization)(input, approvalsOf('ada'), 'grace'), false, 'the zone is not known')
})

it('asks for zones where the time of some policy names another one than UTC', () => {
  const asks = (...times: readonly string[]): boolean =>
    asksTimeZones(anyOrganization({ policies: times.map((time) => ({ time })) }))
  assert.is(asks(), false)
  assert.is(asks('', TIMES.true), false)
  assert.is(asks("CronSpan('* * * * *', '1m', 'utc')"), false)
  assert.is(asks('', "true || !CronSpan('* * * * *', '1m', 'Europe/Berlin')"), true)
  assert.is(asks('soon'), false)
})

it('takes the same steps whatever the data of zones says', () => {
  const steps = (zones: TimeZones | undefined): number => {
    const allowance = { steps: currentRules.eligibilitySteps, work: { left: Infinity } }
    const time = "CronSpan('0 2 * * *', '7d', 'America/New_York') || CronSpan('* * 31 2 *', '1m', 'Asia/Tokyo')"
    const atMs = Date.parse('2024-03-10T12:00:00Z')
    momentAt(atMs, { timeZones: zones })({ time }, allowance)
    return allowance.steps
  }
  const shifted: TimeZones = { version: 'x', isKnown: () => true, offsetMs: () => 3_600_000 }
  assert.is(steps(timeZones), steps(shifted))
})

it('bounds a decision of 100 policies that use up all they can, in steps and in questions about zones', () => {
  const policies = worstPolicies(100)
  const crowd = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`user ${n}`, {}]))
  const organization = anyOrganization({ users: crowd, policies })
  let asked = 0
  const counted: TimeZones = {
    ...timeZones,
    offsetMs: (zone, atMs) => {
      asked += 1
      return timeZones.offsetMs(zone, atMs)
    },
  }
  const about = { ...input, requester: 'user 0', atMs: Date.parse('2024-03-10T12:00:00Z') }
  const { evaluations } = verdictOf(organization, about, approvalsOf('user 0'), { timeZones: counted })
  assert.ok(evaluations.some(({ outcome }) => outcome === 'OUTCOME_ERROR' || outcome === 'OUTCOME_DENY_EXPLICIT'))
  const { decisionSteps, eligibilitySteps } = currentRules
  // Each span costs a thousand steps, and asks for the offset at eleven midnights and eighteen times on a day with a change.
  const most = (steps: number): number => ((steps + STEPS_MAX) / 1_000) * (11 + 2 * 18)
  assert.ok(asked > 1_000 && asked <= most(decisionSteps), `${asked} questions`)
  asked = 0
  assert.is(eligibility(organization, { timeZones: counted })(about, approvalsOf('user 0'), 'user 1'), false)
  assert.ok(asked <= most(eligibilitySteps), `${asked} questions`)
})

it('agrees with a naive model on policies with times', () => {
  const field = (min: number, max: number) =>
    fc.oneof(
      fc.constant('*'),
      fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }).map((list) => list.join(',')),
    )
  const cron = fc
    .tuple(fc.constant('*'), field(0, 23), field(1, 31), field(1, 12), field(0, 6))
    .map((all) => all.join(' '))
  const span = fc
    .tuple(cron, fc.integer({ min: 1, max: 600 }))
    .map(([text, m]) => `CronSpan('${text}', '${m}m', 'UTC')`)
  const order = fc.tuple(fc.constantFrom('<', '>', '<=', '>=', '==', '!='), fc.integer({ min: 0, max: 3 }))
  const instant = order.map(([operator, day]) => `time.now ${operator} Timestamp('2026-01-0${4 + day}T12:00:00Z')`)
  const atom = fc.oneof(span, instant)
  const time = fc.oneof(
    fc.constant(''),
    atom,
    fc.tuple(atom, fc.constantFrom('&&', '||'), atom).map(([a, operator, b]) => `!(${a} ${operator} ${b})`),
  )
  const policy = fc.record({
    effect: fc.constantFrom('EFFECT_ALLOW' as const, 'EFFECT_DENY' as const),
    condition: fc.constantFrom('', ...Object.values(CONDITIONS)),
    consensus: fc.constantFrom('', ...Object.values(CONSENSUSES)),
    time,
  })
  fc.assert(
    fc.property(fc.array(policy, { maxLength: 4 }), fc.integer({ min: 0, max: 72 * 60 }), (policies, minutes) => {
      const organization = anyOrganization({ users, policies })
      const about = { ...input, atMs: MONDAY_NOON + (minutes - 36 * 60) * 60_000 }
      const { outcome, rule, evaluations } = verdictOf(organization, about, approvalsOf('ada'))
      const ours = [outcome, rule, ...evaluations.map((one) => one.outcome)].join(' ')
      assert.is(ours, naiveDecide(organization, about, approvalsOf('ada')))
    }),
    { numRuns: 1000 },
  )
})

it.run()
