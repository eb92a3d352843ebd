import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeBase64Url, encodeUtf8 } from '../../../../core/bytes.ts'
import type { Json } from '../../../../core/failure.ts'
import { faultyStore } from '../../command/faulty-store.ts'
import { secondProcess } from '../../command/second-process.ts'
import { audited, exported } from '../../audit/logs.ts'
import { codeOf, right, stamped, world } from '../../world/world.ts'
import { anyPasskey, askBy, byPasskey, done, paramsOf, register, submitBy } from './passkey-world.ts'
import { usurperOf } from '../../world/software-passkey.ts'

const it = suite('passkeys')

const tag = { userTagName: 'ops', userIds: [] }

for (const algorithm of ['ES256', 'RS256'] as const)
  it(`stamp submits, queries and votes like keys, and an audit verifies each: ${algorithm}`, async () => {
    const w = await world()
    const ada = await w.enrol('ada')
    const passkey = anyPasskey(algorithm)
    const [authenticatorId] = await register(w, ada, passkey)
    await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })

    const open = right(await w.submit(w.root, 'create_user_tag', tag))
    assert.is(open.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    const approved = await done(w, passkey, 'approve_activity', { fingerprint: open.fingerprint })
    assert.is(approved.status, 'ACTIVITY_STATUS_COMPLETED')
    const vote = approved.votes.find(({ userId }) => userId === ada.userId)
    assert.equal([vote?.scheme, vote?.publicKey], ['SIGNATURE_SCHEME_TK_WEBAUTHN', encodeBase64Url(passkey.publicKey)])
    assert.match(vote?.signature ?? '', '"clientDataJson"')

    const who = right(await askBy(w, passkey, 'whoami'))
    assert.is(who.userId, ada.userId)
    const { authenticators } = right(await askBy(w, passkey, 'get_authenticators', { userId: ada.userId }))
    const [shown] = authenticators as readonly { readonly [member: string]: unknown }[]
    assert.equal(
      [shown?.['authenticatorId'], shown?.['credentialId'], shown?.['model'], shown?.['attestationType']],
      [authenticatorId, encodeBase64Url(passkey.credentialId), 'Passkey', 'none'],
    )
    const { user } = await w.answer(w.root, 'get_user', { userId: ada.userId })
    assert.equal((user as { readonly authenticators: unknown }).authenticators, authenticators)

    const report = await audited(await exported(w.storage.store))
    assert.equal([report.findings, report.counts.stamps], [[], 6])
    await w.close()
  })

it('are refused where the stamp is of another body, another organization or no longer registered', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const [passkey, other] = [anyPasskey(), anyPasskey()]
  const [authenticatorId = ''] = await register(w, ada, passkey)
  const body = w.body('create_user_tag', tag)
  const moved = { ...byPasskey(passkey, body), body: w.body('create_user_tag', tag) }
  assert.is(codeOf(await w.engine.submit('create_user_tag', moved)()), 'SIGNATURE_INVALID')
  assert.is(codeOf(await submitBy(w, other, 'create_user_tag', tag)), 'CREDENTIAL_NOT_FOUND')
  for (const options of [{ type: 'webauthn.create' }, { flags: 0 }, { rpId: 'example.com' }])
    assert.is(
      codeOf(await w.engine.submit('create_user_tag', byPasskey(passkey, w.body('create_user_tag', tag), options))()),
      'SIGNATURE_INVALID',
    )
  const two = {
    ...byPasskey(passkey, body),
    headers: { ...byPasskey(passkey, body).headers, ...stamped(ada, body).headers },
  }
  assert.is(codeOf(await w.engine.submit('create_user_tag', two)()), 'UNAUTHENTICATED')
  await w.done(ada, 'delete_authenticators', { userId: ada.userId, authenticatorIds: [authenticatorId] })
  assert.is(codeOf(await submitBy(w, passkey, 'create_user_tag', tag)), 'CREDENTIAL_NOT_FOUND')
  await w.close()
})

it('are registered once, at most ten for a user, and only with an attestation that fits', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const passkey = anyPasskey()
  await register(w, ada, passkey)
  const create = (authenticators: readonly object[], userId = ada.userId) =>
    w.submit(ada, 'create_authenticators', { userId, authenticators: authenticators.map((one) => ({ ...one })) })
  const failureOf = async (...asked: Parameters<typeof create>): Promise<string> => {
    const answered = await create(...asked)
    return answered._tag === 'Left' ? answered.left.message : (answered.right.failure?.message ?? '')
  }
  assert.match(await failureOf([paramsOf(passkey)]), 'authenticators.0.attestation.credentialId')
  const twice = anyPasskey()
  assert.match(await failureOf([paramsOf(twice), paramsOf(twice)]), 'authenticators.1.attestation.credentialId')
  const another = { ...paramsOf(anyPasskey()), challenge: encodeBase64Url(encodeUtf8('another')) }
  assert.match(await failureOf([paramsOf(anyPasskey()), another]), 'invalid parameters at authenticators.1: ')
  assert.match(
    await failureOf(Array.from({ length: 10 }, () => paramsOf(anyPasskey()))),
    'user has exceeded maximum authenticators',
  )
  assert.is(await failureOf(Array.from({ length: 9 }, () => paramsOf(anyPasskey()))), '')
  assert.equal((await audited(await exported(w.storage.store))).findings, [])
  await w.close()
})

it('do not leave a user without a credential that lasts', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const [authenticatorId = ''] = await register(w, ada, anyPasskey())
  const keys = { userId: ada.userId, apiKeyIds: [ada.apiKeyId] }
  await w.done(ada, 'delete_api_keys', keys)
  const refusal = async (authenticatorIdToDelete: string): Promise<string> => {
    const parameters = { userId: ada.userId, authenticatorIds: [authenticatorIdToDelete] }
    const refused = await w.submit(w.root, 'delete_authenticators', parameters)
    return refused._tag === 'Left' ? refused.left.message : ''
  }
  assert.match(await refusal(authenticatorId), 'user missing valid credential')
  assert.match(await refusal(ada.apiKeyId), 'unable to find authenticator')
  await w.close()
})

it('stamp and are registered only at the origins of the feature, where it is set', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const passkey = anyPasskey()
  await register(w, ada, passkey)
  const set = (value: string) =>
    w.done(w.root, 'set_organization_feature', { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value })
  const from = async (origin: string): Promise<string> =>
    codeOf(await w.engine.submit('create_user_tag', byPasskey(passkey, w.body('create_user_tag', tag), { origin }))())
  const [own, other] = ['https://example.org', 'https://app.example.org']
  await set(own)
  assert.equal([await from(other), await from('https://evil.example')], ['SIGNATURE_INVALID', 'SIGNATURE_INVALID'])
  assert.is.not(await from(own), 'SIGNATURE_INVALID')
  const registered = await w.submit(ada, 'create_authenticators', {
    userId: ada.userId,
    authenticators: [paramsOf(anyPasskey(), 'elsewhere', { origin: other })],
  })
  assert.is(codeOf(registered), 'REQUEST_INVALID')
  // The origins change while a signature is verified: the decision judges by those of its own moment, and so does an audit.
  for (let n = 0; n < 5; n += 1) {
    await set(own)
    const body = w.body('create_user_tag', { ...tag, userTagName: `tag ${n}` })
    await Promise.all([w.engine.submit('create_user_tag', byPasskey(passkey, body))(), set(other)])
  }
  assert.equal((await audited(await exported(w.storage.store))).findings, [])
  await w.close()
})

it('that were registered anew under the same name do not decide what the other key signed', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const passkey = anyPasskey()
  const [authenticatorId = ''] = await register(w, ada, passkey)
  const usurper = usurperOf(passkey)
  const body = w.body('create_user_tag', tag)
  // All at once: what is verified by the key of one may be decided when the name belongs to the other.
  const outcomes = await Promise.all([
    w.submit(ada, 'delete_authenticators', { userId: ada.userId, authenticatorIds: [authenticatorId] }),
    w.engine.submit('create_user_tag', byPasskey(passkey, body))(),
    w.submit(ada, 'create_authenticators', { userId: ada.userId, authenticators: [paramsOf(usurper)] }),
  ])
  for (const outcome of outcomes)
    if (outcome._tag === 'Right') assert.not.equal(outcome.right.status, 'ACTIVITY_STATUS_PENDING')
  assert.equal((await audited(await exported(w.storage.store))).findings, [])
  await w.close()
})

it('that another process has registered anew under the same name are not refused by the key of before', async () => {
  const w = await world({ store: faultyStore({ isShared: true }) })
  const second = await secondProcess(w)
  const ada = await w.enrol('ada')
  const passkey = anyPasskey()
  const [authenticatorId = ''] = await register(w, ada, passkey)
  const usurper = usurperOf(passkey)
  const elsewhere = async (path: string, parameters: Json) =>
    right(await second.submit(path, stamped(ada, w.body(path, parameters)))())
  await elsewhere('delete_authenticators', { userId: ada.userId, authenticatorIds: [authenticatorId] })
  await elsewhere('create_authenticators', { userId: ada.userId, authenticators: [paramsOf(usurper)] })
  assert.is(codeOf(await submitBy(w, usurper, 'create_user_tag', tag)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(codeOf(await submitBy(w, passkey, 'create_user_tag', tag)), 'SIGNATURE_INVALID')
  await second.close()
  await w.close()
})

it.run()
