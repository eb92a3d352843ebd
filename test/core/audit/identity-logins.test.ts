import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateP256KeyPair } from '@turnkey/crypto'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { eraseUser } from '../../../core/resources/erasure/erase-user.ts'
import { family } from '../resources/sub-organization/children.ts'
import { ADA, movingClock, newKey, register, tokenFor } from '../resources/oauth-login/scene.ts'
import { fakeIssuer, knownIssuers } from '../world/issuer.ts'
import { draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited as auditedWith, codesIn, exported } from './logs.ts'

/* A log of log-ins by identity tokens, whose providers are gone when it is audited, and forgeries of it whose hashes all fit. */
const it = suite('audits of log-ins by identity tokens')

const [issuer, other] = [fakeIssuer('https://one.example.com'), fakeIssuer('https://other.example.com')]
const identityTokens = knownIssuers(issuer, other)
const w = await family({ testClock: movingClock(), ports: { identityTokens } })
const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
await register(w, ada, issuer.token(ADA))
const { publicKey } = newKey()
const oidcToken = tokenFor(issuer, publicKey)
await w.done(w.root, 'oauth_login', { oidcToken, publicKey })
const { publicKey: targetPublicKey } = generateP256KeyPair()
await w.done(w.root, 'oauth', { oidcToken: tokenFor(issuer, targetPublicKey), targetPublicKey })
identityTokens.answer(false)
issuer.rotate()
const text = await exported(w.storage.store)

it.after(() => w.close())

const audited = (log: string) => auditedWith(log, {}, [eraseUser])
const codes = async (drafts: readonly Draft[]) => codesIn(await audited(forged(rebased(drafts))))

const completionOf = (drafts: readonly Draft[], type: string): Draft =>
  must(drafts.find(({ event }) => event.type === 'ActivityCompleted' && event.data['type'] === type))
const TYPES = ['ACTIVITY_TYPE_OAUTH_LOGIN', 'ACTIVITY_TYPE_OAUTH'] as const

it('hold with the provider gone, and have executed all of it again', async () => {
  const { counts, findings } = await audited(text)
  assert.equal(findings, [])
  assert.is(counts.executions, counts.activities)
  assert.is(counts.believed, 0)
})

it('find the key of somebody who has not signed the token', async () => {
  for (const type of TYPES) {
    const drafts = draftsOf(text)
    Object.assign(completionOf(drafts, type).event.data['performed'] as object, { key: other.key() })
    assert.equal(await codes(drafts), ['PERFORMED_DIFFERS'], type)
  }
})

it('find a token with one bit changed', async () => {
  const drafts = draftsOf(text)
  for (const { request } of drafts) {
    if (request?.body.includes(oidcToken) !== true) continue
    const [head = '', claims = '', signature = ''] = oidcToken.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    bytes[7] = (bytes[7] ?? 0) ^ 1
    request.body = request.body.replace(oidcToken, `${head}.${claims}.${bytes.toString('base64url')}`)
  }
  const found = await codes(drafts)
  assert.ok(found.includes('PERFORMED_DIFFERS'), found.join())
})

it('find a log-in of another user than the token names', async () => {
  for (const type of TYPES) {
    const drafts = draftsOf(text)
    const draft = completionOf(drafts, type)
    const changed = (one: string): string => one.replaceAll(ada.userId, grace.userId)
    draft.event = JSON.parse(changed(JSON.stringify(draft.event))) as Draft['event']
    for (const part of draft.others ?? []) {
      part.name = changed(part.name)
      part.bytes = encodeUtf8(changed(decodeUtf8(part.bytes) ?? ''))
    }
    assert.equal(await codes(drafts), ['EXECUTION_DIFFERS'], type)
  }
})

it('find nothing when the user was erased, of whom nothing is left', async () => {
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  await w.done(w.root, 'erase_user', { userId: ada.userId })
  const left = await exported(w.storage.store)
  assert.equal((await audited(left)).findings, [])
  const contents = [...left.matchAll(/"bytes":"([^"]+)"/g)].map(([, bytes = '']) =>
    Buffer.from(bytes, 'base64').toString(),
  )
  for (const name of [ADA.sub, issuer.url, oidcToken])
    assert.not.ok(
      contents.some((one) => one.includes(name)),
      name,
    )
})

it.run()
