/*
 * Decisions in a process of its own: without a store, a server or stamps, beside the evaluation of the same expressions alone.
 */
import { intlTimeZones } from 'countersign'
import { policies } from '../../../core/organization/policies.ts'
import { quorum } from '../../../core/organization/quorum.ts'
import { initial, type Organization } from '../../../core/organization/state.ts'
import { users } from '../../../core/organization/users.ts'
import { approversOf, factsOf } from '../../../core/policy/approvers.ts'
import { verdictOf, eligibility, type DecisionInput } from '../../../core/policy/consensus.ts'
import { isWithin } from '../../../core/policy/cron-span.ts'
import {
  compileCondition,
  compileConsensus,
  compileTime,
  evaluate,
  type Compiled,
  type Expression,
  type Facts,
} from '../../../core/policy/expression.ts'
import { Instant } from '../../../core/policy/instant.ts'
import { doJobs } from './child.ts'
import { ordinaryPolicies, worstPolicies, type BenchPolicy } from './policies.ts'

export type Asked = { readonly count: number; readonly isTimed: boolean; readonly forMs: number }
/** How often a second a decision is taken, and its expressions are evaluated. */
export type Decisions = { readonly decisions: number; readonly evaluations: number }
/** How long the worst decisions take, and finding out who may vote, in milliseconds. */
export type Worst = { readonly decision: readonly number[]; readonly voters: readonly number[] }

const USERS = 100
const timeZones = intlTimeZones()

const input: DecisionInput = {
  type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
  kind: 'CREATE_USER_TAG',
  resource: 'USER',
  action: 'CREATE',
  params: {},
  requester: 'user 0',
  ownCredentials: false,
  credentialsLiveMs: 0,
  atMs: Date.parse('2026-03-09T13:00:00Z'),
}
const approvals = [{ userId: 'user 0', credentialId: 'key' }]

const organizationWith = (written: readonly BenchPolicy[]): Organization => {
  const organization = initial('organization')
  const none = {
    credentials: new Map(),
    deletedCredentials: new Map(),
    mfaPolicies: new Map(),
    oauthProviders: new Map(),
    createdAtMs: 0,
    updatedAtMs: 0,
  }
  for (let n = 0; n < USERS; n += 1) {
    const userId = `user ${n}`
    users.in(organization).set(userId, { userId, userName: userId, tagIds: [`tag ${n % 10}`], ...none })
  }
  for (const [n, policy] of written.entries()) {
    const policyId = `policy ${n}`
    const dates = { createdAtMs: 0, updatedAtMs: 0 }
    policies.in(organization).set(policyId, { policyId, policyName: policyId, notes: '', ...policy, ...dates })
  }
  Object.assign(quorum.in(organization), { threshold: 1, userIds: ['root'] })
  return organization
}

const expression = (compiled: Compiled): Expression => {
  if (compiled._tag === 'Left') throw new Error(compiled.left.message)
  return compiled.right
}

const perSecond = (forMs: number, work: () => void): number => {
  const startedAt = performance.now()
  let count = 0
  do {
    for (let n = 0; n < 10; n += 1) work()
    count += 10
  } while (performance.now() - startedAt < forMs)
  return (count / (performance.now() - startedAt)) * 1000
}

const decisions = async ({ count, isTimed, forMs }: Asked): Promise<Decisions> => {
  const written = ordinaryPolicies(count, isTimed)
  const organization = organizationWith(written)
  const compiled = written.flatMap(({ condition, consensus, time }) => [
    expression(compileCondition(condition)),
    expression(compileConsensus(consensus)),
    ...(time === '' ? [] : [expression(compileTime(time))]),
  ])
  const { resource = '', action = '' } = input
  const facts: Facts = {
    ...factsOf({ ...input, resource, action }, approversOf(organization, approvals)),
    time: { now: new Instant(input.atMs), isWithin: (span, atMs) => isWithin(span, atMs, timeZones) },
  }
  const measured = (ms: number): Decisions => ({
    decisions: perSecond(ms, () => void verdictOf(organization, input, approvals, { timeZones })),
    evaluations: perSecond(ms, () => {
      for (const one of compiled) evaluate(one, facts)
    }),
  })
  measured(forMs / 4) // warms up
  return measured(forMs)
}

const worst = async ({ forMs }: Pick<Asked, 'forMs'>): Promise<Worst> => {
  const times: { readonly decision: number[]; readonly voters: number[] } = { decision: [], voters: [] }
  const organization = organizationWith(worstPolicies(100))
  const startedAt = performance.now()
  while (performance.now() - startedAt < forMs) {
    const begin = performance.now()
    verdictOf(organization, input, approvals, { timeZones })
    const decided = performance.now()
    eligibility(organization, { timeZones })(input, approvals, 'user 1')
    times.decision.push(decided - begin)
    times.voters.push(performance.now() - decided)
  }
  return times
}

doJobs({ decisions, worst })
