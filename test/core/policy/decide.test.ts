import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { MfaPolicy } from '../../../core/organization/mfa-policies.ts'
import { decide } from '../../../core/policy/decide.ts'
import { anyMatter, anyOrganization, type MfaSketch, type PolicySketch } from './any.ts'

const it = suite('decide')

const IDS = ['u0', 'u1', 'u2', 'u3'] as const
const NAMES = ['key-1', 'key-2', 'passkey-1'] as const
type Steps = MfaPolicy['requiredAuthenticationMethods']

const anyMethod = (userId: string) =>
  fc.oneof(
    fc.constantFrom({ type: 'AUTHENTICATION_TYPE_API_KEY' as const }, { type: 'AUTHENTICATION_TYPE_PASSKEY' as const }),
    fc.constant({ type: 'AUTHENTICATION_TYPE_API_KEY' as const, id: `${userId}-key-2` }),
  )
const anySteps = (userId: string): fc.Arbitrary<Steps> =>
  fc.array(fc.record({ any: fc.array(anyMethod(userId), { minLength: 1, maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  })

const anyMfa = (userId: string): fc.Arbitrary<MfaSketch> =>
  fc.record({
    condition: fc.constantFrom('true', 'true', 'false', "activity.params.none == 'x'", "activity.resource == 'USER'"),
    order: fc.nat(2),
    steps: anySteps(userId),
  })

const anyPolicy: fc.Arbitrary<PolicySketch> = fc.record({
  effect: fc.constantFrom('EFFECT_ALLOW', 'EFFECT_ALLOW', 'EFFECT_DENY'),
  consensus: fc.constantFrom(
    'approvers.count() >= 2',
    'approvers.count() == 1',
    "approvers.any(user, user.id == 'u1')",
    "!(approvers.any(user, user.id == 'u2'))",
    "credentials.any(one, one.type == 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR')",
  ),
})

const anyCase = fc.record({
  mfa: fc.tuple(...IDS.map((userId) => fc.array(anyMfa(userId), { maxLength: 2 }))),
  policies: fc.array(anyPolicy, { maxLength: 3 }),
  quorum: fc.record({ threshold: fc.integer({ min: 1, max: 3 }), userIds: fc.subarray([...IDS]) }),
  stamps: fc.array(fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...NAMES)), { maxLength: 8 }),
  ownCredentials: fc.boolean(),
})

/** Whether different ones of these credentials can meet all steps, by trying everything. */
const meets = (steps: Steps, credentials: readonly string[]): boolean => {
  const [step, ...others] = steps
  if (step === undefined) return true
  return credentials.some((credential) => {
    const type = credential.includes('passkey') ? 'AUTHENTICATION_TYPE_PASSKEY' : 'AUTHENTICATION_TYPE_API_KEY'
    const fits = step.any.some((method) => method.type === type && (method.id ?? credential) === credential)
    return (
      fits &&
      meets(
        others,
        credentials.filter((one) => one !== credential),
      )
    )
  })
}

const holds = ({ condition }: MfaSketch): boolean => condition === 'true' || condition === "activity.resource == 'USER'"

it('completes nothing that would not complete without second factors, nor without those of the requester', () => {
  const seen = { allowed: 0, kept: 0, lacking: 0 }
  fc.assert(
    fc.property(anyCase, ({ mfa, policies, quorum, stamps, ownCredentials }) => {
      const organization = (hasMfa: boolean) =>
        anyOrganization({
          users: Object.fromEntries(
            IDS.map((userId, index) => [
              userId,
              {
                keys: ['API_KEY_CURVE_P256', 'API_KEY_CURVE_P256'],
                passkeys: 1,
                mfa: hasMfa ? (mfa[index] ?? []) : [],
              },
            ]),
          ),
          policies,
          quorum,
        })
      const input = anyMatter({ requester: 'u0', ownCredentials })
      const approvals = stamps.map(([userId, name]) => ({ userId, credentialId: `${userId}-${name}` }))
      const { verdict, factors } = decide(organization(true), input, approvals)
      const without = decide(organization(false), input, approvals)
      const stampedBy = (userId: string) => [
        ...new Set(approvals.flatMap((one) => (one.userId === userId ? [one.credentialId] : []))),
      ]
      const policyOf = (index: number) =>
        (mfa[index] ?? []).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).find(holds)
      const isMet = (index: number) => meets(policyOf(index)?.steps ?? [], stampedBy(IDS[index] ?? ''))

      assert.is(verdict.outcome === 'DENIED', without.verdict.outcome === 'DENIED')
      if (verdict.outcome === 'ALLOWED') assert.is(without.verdict.outcome, 'ALLOWED')
      if (verdict.outcome === 'ALLOWED') assert.ok(isMet(0))
      const lacks = without.verdict.outcome !== 'DENIED' && !isMet(0)
      assert.is(verdict.outcome === 'AUTHENTICATORS_NEEDED', lacks)
      // Who has met all steps counts; nothing else that the policies say is another thing then.
      if (IDS.every((_, index) => isMet(index))) assert.equal(verdict, without.verdict)
      assert.ok(factors.every((factor) => approvals.some(({ credentialId }) => credentialId === factor)))
      assert.equal(factors, [...new Set(factors)].toSorted())
      assert.equal(without.factors, [])

      if (verdict.outcome === 'ALLOWED') seen.allowed += 1
      if (lacks) seen.lacking += 1
      if (without.verdict.outcome === 'ALLOWED' && verdict.outcome === 'CONSENSUS_NEEDED') seen.kept += 1
    }),
    { numRuns: 3_000, seed: 29 },
  )
  assert.ok(
    Object.values(seen).every((count) => count > 50),
    JSON.stringify(seen),
  )
})

it('takes the decision again without approvals that lack a factor, and lets those alone deny nothing', () => {
  const mfa = [{ steps: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' as const }] }] }]
  const outcome = (consensus: string) =>
    decide(
      anyOrganization({
        users: { ada: {}, grace: { mfa } },
        policies: [{ consensus: 'true' }, { effect: 'EFFECT_DENY', consensus }],
      }),
      anyMatter(),
      [
        { userId: 'ada', credentialId: 'ada-key-1' },
        { userId: 'grace', credentialId: 'grace-key-1' },
      ],
    ).verdict.outcome
  assert.is(outcome("approvers.any(user, user.id == 'grace')"), 'DENIED')
  // Without grace it would be denied: so it waits for her factor.
  assert.is(outcome("!(approvers.any(user, user.id == 'grace'))"), 'CONSENSUS_NEEDED')
  assert.is(outcome('false'), 'ALLOWED')
})

it.run()
