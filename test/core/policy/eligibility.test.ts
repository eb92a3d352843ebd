import { users as userState } from '../../../core/organization/users.ts'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  verdictOf,
  eligibility,
  type Approval,
  type DecisionInput,
  type EligibilityOptions,
} from '../../../core/policy/consensus.ts'
import type { Organization } from '../../../core/organization/state.ts'
import { currentRules } from '../../../core/policy/rules.ts'
import { anyMatter, anyOrganization, approvalsOf, type UserSketch } from './any.ts'
import { anyConsensus, tagIds, userIds } from './arbitrary.ts'
import { naiveIsPivotal } from './naive.ts'

const mayVote = (
  organization: Organization,
  input: DecisionInput,
  approvals: readonly Approval[],
  userId: string,
  options: EligibilityOptions = {},
): boolean => eligibility(organization, options)(input, approvals, userId)

const it = suite('eligibility to vote')

const five = { ada: { tags: ['red'] }, grace: { tags: ['red'] }, joan: { tags: ['red'] }, mary: {}, jean: {} }

const voters = (
  consensus: string,
  given: { users?: Readonly<Record<string, UserSketch>>; approving?: readonly string[] } = {},
): string => {
  const organization = anyOrganization({ users: given.users ?? five, policies: [{ consensus }] })
  const approvals = approvalsOf(...(given.approving ?? ['ada']))
  return [...userState.of(organization).keys()]
    .filter((id) => mayVote(organization, anyMatter(), approvals, id))
    .join(' ')
}

const any = (id: string) => `approvers.any(user, user.id == '${id}')`

it('lets everyone vote where any three of five verdictOf', () => {
  assert.is(voters('approvers.count() >= 3'), 'ada grace joan mary jean')
  assert.is(voters('approvers.count() >= 3', { approving: [] }), 'ada grace joan mary jean')
})

it('lets those vote who carry the tag that the consensus counts', () => {
  assert.is(voters("approvers.filter(user, user.tags.contains('red')).count() >= 2"), 'ada grace joan')
})

it('lets a user vote who is needed only where nobody approves yet', () => {
  const alone = `approvers.count() == 1 && ${any('joan')}`
  assert.is(voters(alone, { approving: ['ada'] }), 'joan')
})

it('lets those vote whom the consensus names', () => {
  assert.is(voters(`${any('ada')} && ${any('mary')}`), 'ada mary')
  assert.is(voters(`${any('ada')} && ${any('mary')}`, { approving: ['jean'] }), 'ada mary')
  assert.is(voters("approvers.any(user, user.alias in ['joan', 'jean'])"), 'joan jean')
})

it('finds those who hide behind a larger clause', () => {
  assert.is(
    voters(`${any('ada')} && ${any('mary')} || ${any('grace')} || approvers.count() >= 3`),
    'ada grace joan mary jean',
  )
  assert.is(voters(`${any('grace')} || ${any('joan')} && ${any('mary')}`, { approving: [] }), 'grace joan mary')
})

it('does not let those vote whose approval changes nothing', () => {
  assert.is(voters(any('gone')), '')
  assert.is(voters('true'), '')
  assert.is(voters('approvers.count() >= 6'), '')
  assert.is(voters(`${any('ada')} && (${any('ada')} || ${any('mary')})`), 'ada')
})

it('looks one approval ahead where more would break the consensus', () => {
  assert.is(voters('approvers.count() == 2'), 'grace joan mary jean')
  assert.is(voters('approvers.count() == 2', { approving: [] }), '')
})

it('takes each credential of a user for a way to approve', () => {
  const users = { ada: {}, mary: { keys: ['API_KEY_CURVE_P256', 'API_KEY_CURVE_ED25519'] } } as const
  assert.is(voters("credentials.any(c, c.type == 'CREDENTIAL_TYPE_API_KEY_ED25519')", { users }), 'mary')
  assert.is(voters("credentials.count() == 2 && credentials.any(c, c.user_id == 'mary')", { users }), 'mary')
  assert.is(
    voters("credentials.all(c, c.type == 'CREDENTIAL_TYPE_API_KEY_P256') && credentials.count() == 2", { users }),
    'mary',
  )
})

it('lets members of the root quorum vote on everything, and nobody else on what only they verdictOf', () => {
  const users = { ...five, root: {} }
  const organization = anyOrganization({ users, policies: [{ consensus: 'approvers.count() >= 2' }] })
  const rootOnly = anyMatter({ resource: undefined, action: undefined })
  assert.is(mayVote(organization, rootOnly, [], 'root'), true)
  assert.is(mayVote(organization, rootOnly, [], 'mary'), false)
  assert.is(mayVote(organization, anyMatter(), [], 'mary'), true)
  assert.is(mayVote(organization, anyMatter(), [], 'gone'), false)
})

it('does not let a member of the root quorum vote who is not a user any more', () => {
  const organization = anyOrganization({ users: five, quorum: { threshold: 1, userIds: ['gone'] } })
  assert.is(mayVote(organization, anyMatter(), [], 'gone'), false)
})

it('asks neither denials, nor policies whose condition is not true', () => {
  const consensus = 'approvers.count() >= 2'
  const policies = [
    { effect: 'EFFECT_DENY', consensus },
    { condition: "activity.resource == 'POLICY'", consensus },
    { condition: "activity.params.missing == ''", consensus },
    { condition: 'not a condition', consensus },
    { consensus: 'not a consensus' },
  ] as const
  assert.is(mayVote(anyOrganization({ users: five, policies }), anyMatter(), approvalsOf('ada'), 'mary'), false)
})

it('says no where no steps are left to find it out, and the same to whoever asks again', () => {
  const organization = anyOrganization({ users: five, policies: [{ consensus: 'approvers.count() >= 3' }] })
  for (const [eligibilitySteps, answer] of [
    [1, false],
    [200, false],
    [100_000, true],
  ] as const) {
    const asked = eligibility(organization, { eligibilitySteps })
    for (const userId of ['mary', 'mary', 'jean'])
      assert.is(asked(anyMatter(), approvalsOf('ada'), userId), answer, `${userId}: ${eligibilitySteps}`)
  }
})

const sketch = fc.record({ tags: fc.subarray([...tagIds]) })
const anyUsers = fc.record({ ada: sketch, grace: sketch, joan: sketch, mary: sketch, jean: sketch })

it('says yes to no one whose approval cannot matter', () => {
  // The model tries every set, but not every order of voting.
  const unordered = anyConsensus.filter((text) => !text.includes('approvers['))
  fc.assert(
    fc.property(anyUsers, unordered, fc.subarray([...userIds]), (users, consensus, approving) => {
      const organization = anyOrganization({ users, policies: [{ consensus }] })
      for (const userId of Object.keys(users)) {
        if (!mayVote(organization, anyMatter(), approvalsOf(...approving), userId)) continue
        assert.is(naiveIsPivotal(organization, anyMatter(), consensus, userId), true, `${userId}: ${consensus}`)
      }
    }),
    { numRuns: 100 },
  )
})

it('says yes to everyone whose approval can matter, where alternatives name users', () => {
  const clause = fc.subarray(Object.keys(five), { minLength: 1 }).map((ids) => ids.map(any).join(' && '))
  const consensus = fc.array(clause, { minLength: 1, maxLength: 4 }).map((clauses) => clauses.join(' || '))
  exact(consensus)
})

it('says yes to everyone whose approval can matter, where a count, a tag and a user are asked for', () => {
  const atom = fc.oneof(
    fc.integer({ min: 1, max: 5 }).map((count) => `approvers.count() >= ${count}`),
    fc.integer({ min: 1, max: 4 }).map((n) => `approvers.filter(u, u.tags.contains('red')).count() >= ${n}`),
    fc.constantFrom(...Object.keys(five)).map(any),
  )
  exact(fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join(' && ')))
})

const exact = (anyOf: fc.Arbitrary<string>): void =>
  fc.assert(
    fc.property(anyUsers, anyOf, fc.subarray(Object.keys(five)), (users, consensus, approving) => {
      const organization = anyOrganization({ users, policies: [{ consensus }] })
      for (const userId of Object.keys(users)) {
        assert.is(
          mayVote(organization, anyMatter(), approvalsOf(...approving), userId),
          naiveIsPivotal(organization, anyMatter(), consensus, userId),
          `${userId}: ${consensus}`,
        )
      }
    }),
    { numRuns: 100 },
  )

it('answers within few steps for a hundred users', () => {
  const users = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`u${index}`, {}]))
  const consensus = Object.keys(users).slice(0, 90).map(any).join(' || ')
  const organization = anyOrganization({ users, policies: [{ consensus }] })
  const few = { eligibilitySteps: 500_000 }
  assert.is(mayVote(organization, anyMatter(), approvalsOf('u99'), 'u89', few), true)
  assert.is(mayVote(organization, anyMatter(), approvalsOf('u99'), 'u95', few), false)
})

/** The steps of a question, beside those of its evaluation. */
const QUESTION = 20

it('ends its search with its allowance where policies are written to exhaust it', () => {
  const users = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`u${index}`, {}]))
  const numbers = `[${Array.from({ length: 200 }, (_, index) => index).join(', ')}]`
  const long = `${numbers}.all(x, ${numbers}.any(y, x == y))`
  const policies = Array.from({ length: 20 }, () => ({ consensus: `${long} && ${any('gone')}` }))
  const organization = anyOrganization({ users, policies })
  let questions = 0
  const rules = {
    ...currentRules,
    stepsPerQuestion: () => {
      questions += 1
      return QUESTION
    },
  }
  assert.is(mayVote(organization, anyMatter(), approvalsOf('u0'), 'u1', { rules }), false)
  assert.ok(questions > 0 && questions <= currentRules.eligibilitySteps / QUESTION, `${questions}`)
  questions = 0
  assert.is(verdictOf(organization, anyMatter(), approvalsOf('u0'), { rules }).outcome, 'DENIED')
  assert.ok(questions <= currentRules.decisionSteps / QUESTION, `${questions}`)
})

it.run()
