import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { API_KEY, keyringOf, PASSKEY, requires, steps, TWO_KEYS } from '../../command/factors.ts'
import { codeOf, world, type World } from '../../world/world.ts'
import { NOBODY } from '../example.ts'

const it = suite('MFA policies')

const office = async () => {
  const made = await world({ limits: { mfaPolicies: 2 } })
  return { ...made, ada: await keyringOf(made, await made.enrol('ada')) }
}

/** What is refused, with the members that are wrong. */
const refusalOf = async (
  made: World,
  path: string,
  parameters: { readonly [member: string]: Json },
): Promise<readonly unknown[]> => {
  const sent = await made.submit(made.root, path, parameters)
  if (E.isRight(sent)) return ['no failure']
  const { code, details = [] } = sent.left
  const violations = details.flatMap(
    (one) => (one as { readonly fieldViolations?: readonly { readonly field: string }[] }).fieldViolations ?? [],
  )
  return [code, ...violations.map(({ field }) => field)]
}

it('are refused by the member that is wrong', async () => {
  const made = await office()
  const { ada, root } = made
  const { userId } = ada.first
  const right = {
    userId,
    mfaPolicyName: 'factors',
    condition: 'true',
    requiredAuthenticationMethods: TWO_KEYS,
    order: 1,
  }
  const mfaPolicyId = await requires(made, ada.first, TWO_KEYS)
  const METHODS = 'requiredAuthenticationMethods'
  const wrong: readonly (readonly [members: { readonly [member: string]: Json }, ...refusal: unknown[]])[] = [
    [{ [METHODS]: [] }, 'REQUEST_INVALID', METHODS],
    [{ [METHODS]: [{ any: [] }] }, 'REQUEST_INVALID', `${METHODS}.0.any`],
    [{ [METHODS]: [{ any: [API_KEY] }, {}] }, 'REQUEST_INVALID', `${METHODS}.1.any`],
    [{ [METHODS]: steps({ type: 'AUTHENTICATION_TYPE_HANDSHAKE' }) }, 'REQUEST_INVALID', `${METHODS}.0.any.0.type`],
    [{ [METHODS]: steps({ ...API_KEY, id: 'mine' }) }, 'REQUEST_INVALID', `${METHODS}.0.any.0.id`],
    [{ [METHODS]: steps({ ...API_KEY, id: NOBODY }) }, 'REQUEST_INVALID', `${METHODS}.0.any.0.id`],
    [
      { [METHODS]: steps(API_KEY, { ...API_KEY, id: ada.passkey.apiKeyId }) },
      'REQUEST_INVALID',
      `${METHODS}.1.any.0.id`,
    ],
    [{ [METHODS]: steps({ ...PASSKEY, id: ada.first.apiKeyId }) }, 'REQUEST_INVALID', `${METHODS}.0.any.0.id`],
    [{ [METHODS]: steps({ ...API_KEY, id: root.apiKeyId || NOBODY }) }, 'REQUEST_INVALID', `${METHODS}.0.any.0.id`],
    [{ [METHODS]: Array.from({ length: 11 }, () => ({ any: [API_KEY] })) }, 'REQUEST_INVALID', METHODS],
    [{ [METHODS]: [{ any: Array.from({ length: 500 }, () => API_KEY) }] }, 'RESOURCE_EXHAUSTED'],
    [{ condition: '' }, 'REQUEST_INVALID', 'condition'],
    [{ condition: 'activity.' }, 'REQUEST_INVALID', 'condition'],
    [{ condition: 'approvers.count() > 1' }, 'REQUEST_INVALID', 'condition'],
    [{ condition: `1 == ${'1'.repeat(2_048)}` }, 'REQUEST_INVALID', 'condition'],
    [{ mfaPolicyName: '' }, 'REQUEST_INVALID', 'mfaPolicyName'],
    [{ order: 1.5 }, 'REQUEST_INVALID', 'order'],
    [
      { [METHODS]: steps({ type: 'AUTHENTICATION_TYPE_SESSION', id: NOBODY }) },
      'REQUEST_INVALID',
      `${METHODS}.0.any.0.id`,
    ],
    ...['EMAIL_OTP', 'SMS_OTP', 'OAUTH'].map(
      (type) =>
        [
          { [METHODS]: steps({ type: `AUTHENTICATION_TYPE_${type}`, id: NOBODY }) },
          ...['REQUEST_INVALID', `${METHODS}.0.any.0.id`],
        ] as const,
    ),
  ]
  for (const [members, ...refusal] of wrong) {
    assert.equal(await refusalOf(made, 'create_mfa_policy', { ...right, ...members }), refusal)
    assert.equal(await refusalOf(made, 'update_mfa_policy', { userId, mfaPolicyId, ...members }), refusal)
  }
  assert.equal(await refusalOf(made, 'create_mfa_policy', { ...right, condition: 'true' }), ['no failure'])
  await made.close()
})

it('are at most so many of a user', async () => {
  const made = await office()
  const { first } = made.ada
  await requires(made, first, TWO_KEYS)
  await requires(made, first, TWO_KEYS)
  const more = { mfaPolicyName: 'a', condition: 'true', requiredAuthenticationMethods: TWO_KEYS, order: 1 }
  assert.is(
    codeOf(await made.submit(made.root, 'create_mfa_policy', { userId: first.userId, ...more })),
    'RESOURCE_EXHAUSTED',
  )
  await requires(made, made.root, steps(API_KEY)) // others have their own
  await made.close()
})

it('are those of one user: another user does not have them', async () => {
  const made = await office()
  const mfaPolicyId = await requires(made, made.ada.first, TWO_KEYS)
  const asked = { userId: made.root.userId, mfaPolicyId }
  assert.is(codeOf(await made.ask(made.root, 'get_mfa_policy', asked)), 'RESOURCE_NOT_FOUND')
  for (const path of ['update_mfa_policy', 'delete_mfa_policy'])
    assert.is(codeOf(await made.submit(made.root, path, asked)), 'RESOURCE_NOT_FOUND')
  await made.close()
})

it('keep what an update does not have, and lose their notes by empty ones', async () => {
  const made = await office()
  const { userId } = made.ada.first
  const mfaPolicyId = await requires(made, made.ada.first, TWO_KEYS, { condition: 'true', order: 3 })
  const update = (members: { readonly [member: string]: Json }) =>
    made.done(made.root, 'update_mfa_policy', { userId, mfaPolicyId, ...members })
  const shown = async () => {
    const { mfaPolicy } = await made.answer(made.root, 'get_mfa_policy', { userId, mfaPolicyId })
    return Object.fromEntries(Object.entries(mfaPolicy as object).filter(([name]) => !name.endsWith('At')))
  }
  made.clock.pass(60_000)
  await update({ notes: 'ask ada', order: -1 })
  const before = { mfaPolicyId, mfaPolicyName: 'factors', condition: 'true', requiredAuthenticationMethods: TWO_KEYS }
  assert.equal(await shown(), { ...before, order: -1, notes: 'ask ada' })
  await update({ notes: '', requiredAuthenticationMethods: steps(PASSKEY), mfaPolicyName: 'one' })
  const after = { ...before, order: -1, mfaPolicyName: 'one', requiredAuthenticationMethods: steps(PASSKEY) }
  assert.equal(await shown(), after)
  await made.close()
})

it.run()
