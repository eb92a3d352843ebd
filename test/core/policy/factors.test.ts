import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { users } from '../../../core/organization/users.ts'
import { allowanceOf } from '../../../core/policy/expression.ts'
import { factorsFor } from '../../../core/policy/factors.ts'
import { anyMatter, anyOrganization, type MfaSketch, type UserSketch } from './any.ts'

const it = suite('factors')

const KEY = { type: 'AUTHENTICATION_TYPE_API_KEY' } as const
const PASSKEY = { type: 'AUTHENTICATION_TYPE_PASSKEY' } as const

/** What ada has met with these credentials; `undefined` if no policy of hers counts. */
const met = (mfa: readonly MfaSketch[], stamped: readonly string[], ada: UserSketch = {}) => {
  const keys = ['API_KEY_CURVE_P256', 'API_KEY_CURVE_P256'] as const
  const organization = anyOrganization({ users: { ada: { keys, passkeys: 2, mfa, ...ada } } })
  const stamps = stamped.map((credentialId) => ({ userId: 'ada', credentialId }))
  const found = factorsFor(organization, anyMatter())('ada', stamps)
  return found && [found.policy.mfaPolicyId, found.isMet, ...found.met.map(({ credentialId }) => credentialId)]
}

const [key1, key2, passkey1, passkey2] = ['ada-key-1', 'ada-key-2', 'ada-passkey-1', 'ada-passkey-2'] as const

it('are none without a policy, and without one whose condition holds', () => {
  assert.is(met([], [key1]), undefined)
  assert.is(met([{ condition: 'false', steps: [{ any: [KEY] }] }], [key1]), undefined)
  assert.is(met([{ condition: "activity.params.none == 'x'", steps: [{ any: [KEY] }] }], [key1]), undefined)
})

it('are those of the first policy by order, and then by creation, whose condition holds', () => {
  const steps = [{ any: [KEY] }]
  const of = (...mfa: readonly Omit<MfaSketch, 'steps'>[]) =>
    met(
      mfa.map((one) => ({ ...one, steps })),
      [],
    )?.[0]
  assert.is(of({ order: 2 }, { order: 1 }), 'ada-mfa-2')
  assert.is(of({ order: 1 }, { order: 1 }), 'ada-mfa-1')
  assert.is(of({ order: 0 }, { order: -1, condition: 'false' }), 'ada-mfa-1')
  assert.is(of({ order: 3, condition: "activity.resource == 'USER'" }, { order: 1, condition: '1 == 2' }), 'ada-mfa-1')
})

it('count where the steps of a condition are used up: nobody may escape one by that', () => {
  const condition = `1 in [${'0, '.repeat(600)}0]`
  const organization = anyOrganization({ users: { ada: { mfa: [{ condition, steps: [{ any: [KEY] }] }] } } })
  const find = (steps: number) => factorsFor(organization, anyMatter(), { allowance: allowanceOf(steps) })('ada', [])
  assert.is(find(100_000), undefined) // it is false
  assert.is(find(100)?.isMet, false)
  assert.is(find(condition.length * 4 + 100)?.isMet, false) // read, and not evaluated to its end
})

it('are met by a credential each, in any order', () => {
  const mfa = [{ steps: [{ any: [KEY] }, { any: [PASSKEY] }] }]
  assert.equal(met(mfa, [passkey1]), ['ada-mfa-1', false, passkey1])
  assert.equal(met(mfa, [passkey1, passkey2]), ['ada-mfa-1', false, passkey1])
  assert.equal(met(mfa, [passkey1, key2]), ['ada-mfa-1', true, passkey1, key2])
  assert.equal(met([{ steps: [{ any: [KEY] }, { any: [KEY] }] }], [key1, key1]), ['ada-mfa-1', false, key1])
})

it('are met by whichever step leaves the other for the next credential', () => {
  const mfa = [{ steps: [{ any: [KEY, PASSKEY] }, { any: [{ ...KEY, id: key1 }] }] }]
  assert.equal(met(mfa, [key1, passkey1]), ['ada-mfa-1', true, key1, passkey1])
  assert.equal(met(mfa, [passkey1, key1]), ['ada-mfa-1', true, passkey1, key1])
  assert.equal(met(mfa, [key2, passkey1]), ['ada-mfa-1', false, key2])
})

it('are met by the credential of an id alone, where one is named', () => {
  const mfa = [{ steps: [{ any: [{ ...KEY, id: key2 }] }] }]
  assert.equal(met(mfa, [key1]), ['ada-mfa-1', false])
  assert.equal(met(mfa, [key2]), ['ada-mfa-1', true, key2])
  // An id of another type is never met, and neither is that of a credential that is gone.
  assert.equal(met([{ steps: [{ any: [{ ...PASSKEY, id: key2 }] }] }], [key2]), ['ada-mfa-1', false])
  assert.equal(met(mfa, [key2], { keys: ['API_KEY_CURVE_P256'] }), ['ada-mfa-1', false])
})

it('are one where two passkeys have one key', () => {
  const steps = [{ any: [PASSKEY] }, { any: [PASSKEY] }]
  const organization = anyOrganization({ users: { ada: { passkeys: 2, mfa: [{ steps }] } } })
  const { credentials } = users.in(organization).get('ada') ?? {}
  const twin = credentials?.get(passkey2)
  assert.ok(credentials && twin)
  const stamps = [passkey1, passkey2].map((credentialId) => ({ userId: 'ada', credentialId }))
  const isMet = () => factorsFor(organization, anyMatter())('ada', stamps)?.isMet
  assert.is(isMet(), true)
  credentials.set(passkey2, { ...twin, publicKey: credentials.get(passkey1)?.publicKey ?? '' })
  assert.is(isMet(), false)
})

it('look at activities that only the root quorum may allow', () => {
  const matter = anyMatter({ resource: undefined, action: undefined })
  const of = (condition: string) =>
    factorsFor(anyOrganization({ users: { ada: { mfa: [{ condition, steps: [{ any: [KEY] }] }] } } }), matter)(
      'ada',
      [],
    )
  assert.is(of('true')?.isMet, false)
  assert.is(of("activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'")?.isMet, false)
  assert.is(of("activity.resource == 'USER'"), undefined)
})

it.run()
