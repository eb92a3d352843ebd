import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import type { AuditOptions } from '../../../core/audit/report.ts'
import { eraseUser } from '../../../core/resources/erasure/erase-user.ts'
import { family } from '../resources/sub-organization/children.ts'
import { clientKey, loginBy, PLAIN, postOffice, sendCode, verifyEncrypted, verify } from '../resources/otp/scene.ts'
import { right } from '../world/world.ts'
import { draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited as auditedWith, codesIn, exported } from './logs.ts'

/* A log of codes, tokens and credentials that were mailed, and forgeries of it whose hashes all fit. */
const it = suite('audits of codes')

const { ports, mails } = postOffice()
const w = await family({ ports })
const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
const addressOf = new Map([
  [ada.userId, 'ada@example.com'],
  [grace.userId, 'grace@example.com'],
])
for (const [userId, userEmail] of addressOf) await w.done(w.root, 'update_user_email', { userId, userEmail })

const tokenFor = async (
  userId: string,
): Promise<{ readonly key: ReturnType<typeof clientKey>; readonly token: string }> => {
  const key = clientKey()
  const contact = addressOf.get(userId) ?? ''
  const started = await sendCode(w, w.root, { otpType: 'OTP_TYPE_EMAIL', contact, appName: 'a' })
  return { key, token: await verifyEncrypted(w, w.root, started, mails.at(-1)?.secret ?? '', key.publicKey) }
}
const { key, token } = await tokenFor(ada.userId)
const { publicKey } = clientKey()
const signature = loginBy(key, token, publicKey)
await w.done(w.root, 'otp_login', { verificationToken: token, publicKey, clientSignature: signature })
await w.done(w.root, 'update_user_email', {
  userId: ada.userId,
  userEmail: 'ada@example.com',
  verificationToken: token,
})
const plain = await sendCode(
  w,
  w.root,
  { otpType: 'OTP_TYPE_EMAIL', contact: 'grace@example.com', appName: 'a' },
  PLAIN,
)
await verify(w, w.root, plain.otpId, mails.at(-1)?.secret ?? '')
const mail = {
  email: 'grace@example.com',
  targetPublicKey: clientKey().publicKey,
  emailCustomization: { appName: 'a' },
}
await w.done(w.root, 'email_auth', mail)
const text = await exported(w.storage.store)
const keys = right(await w.engine.deploymentKeys()())
  .filter(({ purpose }) => purpose === 'verification')
  .map((one) => one.publicKey)

it.after(() => w.close())

const audited = (log: string, known: readonly string[] | undefined = keys, options: AuditOptions = {}) =>
  auditedWith(log, options, [eraseUser], undefined, undefined, undefined, known)
const codes = async (drafts: readonly Draft[]) => codesIn(await audited(forged(rebased(drafts))))

it('find nothing in an honest log, and have executed all of it again', async () => {
  const { counts, findings } = await audited(text)
  assert.equal(findings, [])
  assert.is(counts.executions, counts.activities)
  assert.is(counts.believed, 0)
})

it('count what rests on tokens where the keys are not known', async () => {
  const without = await auditedWith(text, {}, [eraseUser])
  assert.equal(without.findings, [])
  assert.is(without.counts.believed, 4) // two events of each of two activities
  assert.is(without.counts.executions, without.counts.activities - 2)
  assert.equal(codesIn(await auditedWith(text, { believedMax: 0 }, [eraseUser])), ['AUDIT_IMPOSSIBLE'])
})

it('find tokens that other keys have signed', async () => {
  assert.equal(codesIn(await audited(text, [clientKey().publicKey])), ['REQUEST_DIFFERS'])
})

const completionOf = (drafts: readonly Draft[], kind: string): Draft =>
  must(
    drafts.find(
      ({ event: { type, data } }) => type === 'ActivityCompleted' && data['type'] === `ACTIVITY_TYPE_${kind}`,
    ),
  )

it('find a log-in of another user than the token names', async () => {
  const drafts = draftsOf(text)
  const draft = completionOf(drafts, 'OTP_LOGIN_V2')
  const changed = (one: string): string => one.replaceAll(ada.userId, grace.userId)
  draft.event = JSON.parse(changed(JSON.stringify(draft.event))) as Draft['event']
  for (const part of draft.others ?? []) {
    part.name = changed(part.name)
    part.bytes = encodeUtf8(changed(decodeUtf8(part.bytes) ?? ''))
  }
  assert.equal(await codes(drafts), ['EXECUTION_DIFFERS'])
})

it('find a contact that counts as verified without a token', async () => {
  const drafts = draftsOf(text)
  const draft = drafts.find(
    ({ event: { type, data } }) => type === 'ActivityCompleted' && data['type'] === 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
  )
  Object.assign(must(draft).event.data['change'] as object, { isVerified: true })
  assert.equal(await codes(drafts), ['EXECUTION_DIFFERS'])
})

it('find nothing when a user was erased', async () => {
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  await w.done(w.root, 'erase_user', { userId: ada.userId })
  const left = await exported(w.storage.store)
  assert.equal((await audited(left)).findings, [])
  const contents = [...left.matchAll(/"bytes":"([^"]+)"/g)].map(([, bytes = '']) =>
    Buffer.from(bytes, 'base64').toString(),
  )
  assert.not.ok(contents.some((one) => one.includes('ada@example.com') || one.includes(token)))
  assert.not.match(left, /ada@example\.com/)
})

it.run()
