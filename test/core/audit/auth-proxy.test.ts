import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stamp } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { eraseUser } from '../../../core/resources/erasure/erase-user.ts'
import { letIn } from '../resources/auth-proxy/scene.ts'
import { byGoogle, register } from '../resources/oauth-provider/scene.ts'
import { json } from '../resources/scene.ts'
import { PROXY_KEYS } from '../world/proxy-keys.ts'
import { begunBy, placeIn, right } from '../world/world.ts'
import { draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited as auditedWith, codesIn, exported } from './logs.ts'

/* A log of an organization that has let in the auth proxy, of one below it that the proxy has begun, and forgeries of it whose hashes all fit. */
const it = suite('audits of what the auth proxy does')

const w = await letIn()
const [LINKED, EMAIL] = ['a client of ours', 'ada@example.com']
await w.done(w.root, 'update_auth_proxy_config', { socialLinkingClientIds: [LINKED], otpLength: 6 })
const user = { userName: 'ada', userEmail: EMAIL, apiKeys: [], authenticators: [] }
const rootUsers = [{ ...user, oauthProviders: [byGoogle(EMAIL, { aud: LINKED, sub: 'ada' })] }]
const signUp = json({ subOrganizationName: 'below', rootQuorumThreshold: 1, rootUsers })
const { subOrganizationId, rootUserIds } = begunBy((await w.done(w.proxy, 'create_sub_organization', signUp)).result)
const child = placeIn(w, subOrganizationId, { ...w.root, userId: rootUserIds[0] ?? '', apiKeyId: '' })
right(await register(child, w.proxy, child.root.userId, byGoogle(EMAIL, { aud: LINKED, sub: 'another' })))
await w.done(w.root, 'disable_auth_proxy', {})
await w.done(w.root, 'enable_auth_proxy', {})
const text = await exported(w.storage.store)

it.after(() => w.close())

const audited = (log: string) => auditedWith(log, {}, [eraseUser])
const codes = async (drafts: readonly Draft[]) => codesIn(await audited(forged(rebased(drafts))))

it('find nothing in an honest log, and have executed all of it again', async () => {
  const { counts, findings } = await audited(text)
  assert.equal(findings, [])
  assert.is(counts.believed, 0)
  assert.equal([counts.executionsErased, counts.executionsInPart], [0, 0])
})

it('find one bit that was changed in the sealed key', async () => {
  const sealed = must(/"ciphertext":"([0-9a-f]{96})"/.exec(text)?.[1])
  const flipped = `${sealed.slice(0, -1)}${sealed.endsWith('0') ? '1' : '0'}`
  assert.not.equal(codesIn(await audited(text.replace(sealed, flipped))), [])
})

const completionOf = (drafts: readonly Draft[], kind: string, organization = w.organizationId): Draft =>
  must(
    drafts.find(
      ({ event: { type, data, organization: own } }) =>
        type === 'ActivityCompleted' && own === organization && data['type'] === `ACTIVITY_TYPE_${kind}`,
    ),
  )

const OFF_CURVE = `02${'f'.repeat(64)}`

/** What a forger says of an enabling, in what the work brought and in the change. */
const forgeries: { readonly [what: string]: (data: string) => string } = {
  'a key that is none': (data) => data.replaceAll(w.proxy.key.publicKey, OFF_CURVE),
  'a key of its own that is none': (data) => data.replaceAll(PROXY_KEYS.signing.publicKey, OFF_CURVE),
  'a sealed key that is too short': (data) => data.replaceAll(/("ciphertext":"[0-9a-f]{94})../g, '$1'),
}
for (const [what, forge] of Object.entries(forgeries))
  it(`find an enabling with ${what}`, async () => {
    const drafts = draftsOf(text)
    const { event } = completionOf(drafts, 'ENABLE_AUTH_PROXY')
    event.data = JSON.parse(forge(JSON.stringify(event.data))) as typeof event.data // as it was
    assert.ok((await codes(drafts)).includes('PERFORMED_DIFFERS'))
  })

it('find a policy that lets the proxy do more, and a user with another key', async () => {
  for (const forge of [
    (data: string) => data.replace(/"condition":"[^"]*"/, '"condition":"true"'),
    (data: string) => data.replace('"AUTH_PROXY"', '"LOGIN"'),
  ]) {
    const drafts = draftsOf(text)
    const { event } = completionOf(drafts, 'ENABLE_AUTH_PROXY')
    event.data = JSON.parse(forge(JSON.stringify(event.data))) as typeof event.data // as it was
    assert.ok((await codes(drafts)).includes('EXECUTION_DIFFERS'))
  }
})

it('find settings that nobody has asked for, by which an account could be connected', async () => {
  const drafts = draftsOf(text)
  const { event } = completionOf(drafts, 'UPDATE_AUTH_PROXY_CONFIG')
  event.data = JSON.parse(JSON.stringify(event.data).replace(LINKED, 'another app')) as typeof event.data // as it was
  assert.ok((await codes(drafts)).includes('EXECUTION_DIFFERS'))
})

it('find an address that was verified, and an account that was connected, by tokens for a client that nobody had named', async () => {
  const drafts = draftsOf(text)
  const update = completionOf(drafts, 'UPDATE_AUTH_PROXY_CONFIG')
  const asked = must(drafts.find(({ event, request }) => event.activity === update.event.activity && request)?.request)
  // The request is not in order either, but that is found in the log above.
  asked.body = asked.body.replace(LINKED, 'another app')
  update.event.data = JSON.parse(
    JSON.stringify(update.event.data).replace(LINKED, 'another app'),
  ) as typeof update.event.data // as it was
  const { findings } = await audited(forged(rebased(drafts)))
  assert.equal(
    findings
      .filter(({ organization }) => organization === subOrganizationId)
      .map(({ code, sequence }) => [code, sequence]),
    [
      ['EXECUTION_DIFFERS', 2n],
      ['EXECUTION_DIFFERS', 4n],
    ],
  )
})

it('find a request that the key of the proxy cannot send', async () => {
  const drafts = draftsOf(text)
  const made = must(drafts.find(({ event: { data } }) => data['type'] === 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8'))
  const request = must(made.request)
  const body = JSON.parse(request.body) as { [member: string]: Json } // our own
  request.body = JSON.stringify({ ...body, type: 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters: { userTagName: 'a', userIds: [] } }) // prettier-ignore
  request.head.stamp = stamp(w.proxy.key, Buffer.from(request.body))
  assert.ok((await codes(drafts)).includes('STAMP_INVALID'))
})

it('find nothing when the user of the proxy was erased', async () => {
  const userId = w.proxy.userId
  await w.done(w.root, 'erase_user', { userId })
  assert.equal((await audited(await exported(w.storage.store))).findings, [])
})

it.run()
