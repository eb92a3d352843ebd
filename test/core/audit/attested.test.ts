import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AuditOptions } from '../../../core/audit/report.ts'
import { eraseUser } from '../../../core/resources/erasure/erase-user.ts'
import { family } from '../resources/sub-organization/children.ts'
import { clientKey, PLAIN, postOffice, sendCode, verify, verifyEncrypted } from '../resources/otp/scene.ts'
import { right, type Signer } from '../world/world.ts'
import { draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited as auditedWith, codesIn, exported } from './logs.ts'

/* A log in which stamps brought tokens, and forgeries of it whose hashes all fit. */
const it = suite('audits of stamps that bring a token')

const { ports, mails } = postOffice()
const w = await family({ ports })
const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
const MAIL = 'ada@example.com'
const toAda = { otpType: 'OTP_TYPE_EMAIL', contact: MAIL, appName: 'a' }

const { otpId } = await sendCode(w, w.root, toAda, PLAIN)
const verificationToken = await verify(w, w.root, otpId, mails.at(-1)?.secret ?? '')
await w.done(w.root, 'update_user_email', { userId: ada.userId, userEmail: MAIL, verificationToken })
const proved = async (): Promise<Signer> => {
  const key = clientKey()
  const started = await sendCode(w, w.root, toAda)
  const token = await verifyEncrypted(w, w.root, started, mails.at(-1)?.secret ?? '', key.publicKey)
  return { key, proof: { by: 'VERIFICATION_TOKEN', token } }
}
const by = await proved()
await w.done(by, 'stamp_login', { publicKey: by.key.publicKey })
const text = await exported(w.storage.store)
const keys = right(await w.engine.deploymentKeys()())
  .filter(({ purpose }) => purpose === 'verification')
  .map((one) => one.publicKey)

it.after(() => w.close())

const audited = (log: string, known: readonly string[] | undefined = keys, options: AuditOptions = {}) =>
  auditedWith(log, options, [eraseUser], undefined, undefined, undefined, known)
const codes = async (drafts: readonly Draft[]) => codesIn(await audited(forged(rebased(drafts))))

/** The log with another basis of the log-in. */
const withBasis = (change: (basis: { [member: string]: unknown }, data: { [member: string]: unknown }) => void) => {
  const drafts = draftsOf(text)
  const { event } = must(drafts.find(({ event: { data } }) => data.type === 'ACTIVITY_TYPE_STAMP_LOGIN'))
  change((event.data.decision as { readonly basis: { [member: string]: unknown } }).basis, event.data)
  return drafts
}

it('find nothing in an honest log', async () => {
  const { counts, findings } = await audited(text)
  assert.equal(findings, [])
  assert.is(counts.executions, counts.activities)
  assert.is(counts.stamps, counts.activities)
  assert.is(counts.believed, 0)
})

it('believe the key of the deployment where nobody has given it', async () => {
  const { counts, findings } = await auditedWith(text, {}, [eraseUser])
  assert.equal(findings, [])
  assert.ok(counts.believed >= 1)
})

it('find a key that is not that of the deployment', async () => {
  const { findings } = await audited(text, [clientKey().publicKey])
  assert.ok(findings.some(({ code }) => code === 'SIGNATURE_INVALID'))
})

it('find another key that vouches, another kind of proof, another user, and nobody who vouches', async () => {
  const forge = (change: Parameters<typeof withBasis>[0]) => codes(withBasis(change))
  const key = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }
  assert.ok((await forge((basis) => (basis.attested = { kind: 'EMAIL_OTP', key }))).includes('SIGNATURE_INVALID'))
  const kept = (basis: { [member: string]: unknown }) => basis.attested as object
  assert.ok((await forge((basis) => (basis.attested = { ...kept(basis), kind: 'SMS_OTP' }))).includes('STAMP_INVALID'))
  assert.ok(
    (await forge((basis) => (basis.attested = { ...kept(basis), issuer: 'https://a.example' }))).includes(
      'STAMP_INVALID',
    ),
  )
  assert.ok((await forge((basis) => delete basis.attested)).includes('STAMP_INVALID'))
  assert.ok((await forge((basis) => (basis.credential = ada.apiKeyId))).includes('STAMP_INVALID'))
  assert.ok((await forge((_, data) => (data.requester = grace.userId))).includes('STAMP_INVALID'))
  assert.ok((await forge((_, data) => delete data.subjects)).includes('REQUEST_DIFFERS'))
})

it('find a stamp of a registered key for which somebody vouches', async () => {
  const drafts = draftsOf(text)
  const { event } = must(
    drafts.find(({ event: { type, data } }) => type === 'ActivityCreated' && data.type === 'ACTIVITY_TYPE_INIT_OTP_V3'),
  )
  const from = must(drafts.find(({ event: { data } }) => data.type === 'ACTIVITY_TYPE_STAMP_LOGIN'))
  const basisOf = (one: Draft['event']) =>
    (one.data.decision as { readonly basis: { [member: string]: unknown } }).basis
  basisOf(event).attested = basisOf(from.event).attested
  assert.ok((await codes(drafts)).includes('BASIS_DIFFERS'))
})

/** Whether a part of the log has the token, in a stamp. */
const hasToken = (log: string): boolean =>
  [...log.matchAll(/"bytes":"([^"]+)"/g)]
    .map(([, bytes = '']) => Buffer.from(bytes, 'base64').toString())
    .flatMap((content) => content.match(/[\w-]{200,}/g) ?? [])
    .some((stamp) =>
      Buffer.from(stamp, 'base64url')
        .toString()
        .includes(by.proof?.token ?? 'none'),
    )

it('find nothing when the user was erased, whose stamps went with them', async () => {
  assert.ok(hasToken(text))
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  await w.done(w.root, 'erase_user', { userId: ada.userId })
  const left = await exported(w.storage.store)
  const { counts, findings } = await audited(left)
  assert.equal(findings, [])
  assert.ok(counts.stampsErased >= 1)
  assert.not.ok(hasToken(left))
})

it.run()
