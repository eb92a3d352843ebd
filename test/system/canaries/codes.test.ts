import { decryptCredentialBundle } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keystoreOf, newKey } from '../../../adapters/keyring/keystore-keys.ts'
import { signingKey } from '../../../adapters/signatures/signer.ts'
import { failure, type Json } from '../../../core/failure.ts'
import { uncompressed } from '../../../core/keys/public-key.ts'
import type { Mail, Mailer } from '../../../core/ports/mailer.ts'
import { E, TE } from '../../../core/prelude.ts'
import {
  loginBy,
  clientKey,
  PLAIN,
  postOffice,
  sendCode,
  verify,
  verifyEncrypted,
} from '../../core/resources/otp/scene.ts'
import { anyPasskey, paramsOf } from '../../core/world/software-passkey.ts'
import { right, type Person, type Signer } from '../../core/world/world.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { filesOf, placesOf, type Place } from './erased/places.ts'
import { openHousehold, type Household } from './keys/household.ts'
import { knownKeys } from './keys/known-keys.ts'
import { secretBytes, secretText, sightings, type Secret } from './secret.ts'

const it = suite('canaries of codes')

const keys = knownKeys('canaries of codes')
const said: string[] = []
const { mails, messages, ports } = postOffice()

const EMAILS = {
  ada: 'canary.ada.71c5@example.com',
  grace: 'canary.grace.e60b@example.com',
  stranger: 'canary.stranger.2f9d@example.com',
  refused: 'canary.refused.b83a@example.com',
  thrown: 'canary.thrown.4d17@example.com',
}
const PHONE = '+15550193377465'
const contactsOf = (...texts: readonly string[]): readonly Secret[] => texts.map((text) => secretText(text, text))
const contacts = contactsOf(...Object.values(EMAILS), PHONE)

/** Refuses one contact, and throws at another, with all that it was given in its words. */
const mailer: Mailer = {
  send: (mail: Mail) => {
    const sent = ports.mailer.send(mail)
    if (mail.to === EMAILS.refused) return TE.left(failure('UNAVAILABLE', 'the mail server does not take the mail now'))
    return mail.to === EMAILS.thrown ? () => Promise.reject(new Error(JSON.stringify(mail))) : sent
  },
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let home: Household
let [ada, grace, clerk]: readonly Person[] = []
/** Those that stand nowhere; those that stand in requests, which only their requester is shown. */
const [nowhere, inRequests, tokens]: [Secret[], Secret[], Secret[]] = [[], [], []]
const refusals: string[] = []
const path = (): string => `${folder.path}/codes.db`

const lastMail = (): string => mails.at(-1)?.secret ?? ''
const to = (contact: string) => ({ otpType: 'OTP_TYPE_EMAIL', contact, appName: 'Engine' })
const tokenOf = (name: string, token: string): string => {
  tokens.push(secretText(name, token))
  return token
}
const refused = async (signer: Signer, of: string, parameters: Json, more = {}): Promise<void> => {
  const answer = await home.submit(signer, of, parameters, more)
  assert.ok(E.isLeft(answer), of)
  refusals.push(JSON.stringify(answer))
}

/** Codes that come encrypted stand nowhere. */
const logsIn = async (by: Person): Promise<void> => {
  const [key, session] = [clientKey(), clientKey()]
  const started = await sendCode(home, by, to(EMAILS.ada))
  nowhere.push(secretText('a code that came encrypted', lastMail()))
  const token = tokenOf('a token with a key', await verifyEncrypted(home, by, started, lastMail(), key.publicKey))
  const { publicKey } = session
  const signIn = { verificationToken: token, publicKey, clientSignature: loginBy(key, token, publicKey) }
  await home.done(by, 'otp_login', signIn)
  await refused(by, 'otp_login', signIn)
}

const changesPhone = async (by: Person, userId: string): Promise<void> => {
  const { otpId } = await sendCode(home, by, { ...to(PHONE), otpType: 'OTP_TYPE_SMS' }, PLAIN)
  const code = /[0-9A-Z]{9}/.exec(messages.at(-1)?.text ?? '')?.[0] ?? ''
  inRequests.push(secretText('a code by a short message', code))
  assert.match(await verify(home, by, otpId, 'WRONGCODE'), 'Invalid OTP code')
  const verificationToken = tokenOf('a token without a key', await verify(home, by, otpId, code))
  await home.done(by, 'update_user_phone_number', { userId, userPhoneNumber: PHONE, verificationToken })
  await refused(by, 'verify_otp', { otpId, otpCode: code }, { type: 'ACTIVITY_TYPE_VERIFY_OTP' })
}

/** What a client's key opens. */
const target = () => {
  const key = clientKey()
  return {
    targetPublicKey: uncompressed('CURVE_P256', key.publicKey),
    opened: (name: string, bundle: string): Signer => {
      const privateKey = decryptCredentialBundle(bundle, key.privateKey)
      nowhere.push(secretBytes(`the key of ${name}`, privateKey))
      return { key: right(signingKey('API_KEY_CURVE_P256', privateKey)) }
    },
    mailed: (name: string): void => void nowhere.push(secretText(name, lastMail())),
  }
}

const getsCredentials = async (by: Person, userId: string): Promise<void> => {
  const [byCode, byMail, byRecovery] = [target(), target(), target()]
  const begun = await home.done(by, 'init_otp_auth', to(EMAILS.grace))
  const { otpId = '' } = Object.values(begun.result)[0] as { readonly otpId?: string }
  const otpCode = lastMail()
  inRequests.push(secretText('a code for a credential', otpCode))
  const { result } = await home.done(by, 'otp_auth', { otpId, otpCode, targetPublicKey: byCode.targetPublicKey })
  byCode.opened('a bundle', (Object.values(result)[0] as { readonly credentialBundle: string }).credentialBundle)
  const asked = { email: EMAILS.grace, emailCustomization: { appName: 'Engine' } }
  await home.done(by, 'email_auth', { ...asked, targetPublicKey: byMail.targetPublicKey })
  byMail.mailed('a mailed bundle')
  byMail.opened('a mailed bundle', lastMail())
  await home.done(by, 'init_user_email_recovery', { ...asked, targetPublicKey: byRecovery.targetPublicKey })
  byRecovery.mailed('a bundle for recovery')
  const recovering = byRecovery.opened('a bundle for recovery', lastMail())
  await home.done(recovering, 'recover_user', { userId, authenticator: paramsOf(anyPasskey()) })
}

it.before(async () => {
  folder = await temporaryFolder()
  const keystore = keystoreOf(TE.right([newKey()]))
  const say = (text: string): void => void said.push(text)
  home = await openHousehold({ path: path(), keystore, say, random: keys.random, post: { ...ports, mailer } })
  const { root, done } = home
  await done(root, 'create_policy', { policyName: 'all', effect: 'EFFECT_ALLOW', consensus: 'true', notes: '' })
  await done(root, 'set_organization_feature', { name: 'FEATURE_NAME_SMS_AUTH', value: '' })
  ;[ada, grace, clerk] = [await home.enrol('ada'), await home.enrol('grace'), await home.enrol('clerk')]
  for (const [{ userId }, userEmail] of [
    [ada, EMAILS.ada],
    [grace, EMAILS.grace],
  ] as const)
    await done(root, 'update_user_email', { userId, userEmail })
  await logsIn(clerk)
  await changesPhone(clerk, ada.userId)
  await getsCredentials(clerk, grace.userId)
  await sendCode(home, clerk, to(EMAILS.stranger))
  for (const contact of [EMAILS.refused, EMAILS.thrown, 'canary.stranger.2f9d@@example.com']) {
    await refused(clerk, 'init_otp', to(contact))
    nowhere.push(secretText(`the code for ${contact}`, lastMail()))
  }
})
it.after(async () => {
  await home.host.close()
  await folder.remove()
})

const placesNow = async (): Promise<readonly Place[]> => {
  const { organizationId, root } = home
  const log = await home.host.storage.store.readLog(organizationId, 0n, 10_000)()
  const activities = new Map(E.isRight(log) ? log.right.map(({ activity }) => [activity, '']) : [])
  const askAll = async () => {
    const from = home.answers.length
    await home.ask(root, 'list_activities')
    await home.ask(root, 'list_users')
    await home.ask(root, 'list_email_events', { email: EMAILS.stranger.toUpperCase() })
    for (const activityId of activities.keys()) await home.ask(root, 'get_activity', { activityId })
    return home.answers.slice(from).map((text) => ({ path: '', status: 200, text }))
  }
  return placesOf(path(), home.host, { organizationId, activities, askAll })
}
const seen = (secrets: readonly Secret[], places: readonly Place[]): readonly string[] =>
  places.flatMap(({ name, bytes }) => sightings(secrets, name, bytes))
const named = (name: string, texts: readonly string[]): Place => ({ name, bytes: Buffer.from(texts.join('\n')) })

it('find no mailed bundle, no key and no code that came encrypted: nowhere', async () => {
  assert.ok(nowhere.length >= 9 && nowhere.every(({ forms }) => (forms[0]?.bytes.length ?? 0) > 8))
  const secrets = [...nowhere, ...keys.secrets([])]
  assert.equal(seen(secrets, [...(await placesNow()), named('the first answers', home.answers)]), [])
})

it('find no code, token or contact in a line, but in requests and in parts of their persons', async () => {
  const log = right(await home.host.storage.store.readLog(home.organizationId, 0n, 10_000)())
  const all = [...inRequests, ...tokens, ...contacts]
  for (const { line } of log) assert.equal(sightings(all, Buffer.from(line).toString().slice(0, 300), line), [])
  const parts = log.flatMap((event) => event.parts)
  const others = parts.filter(({ name }) => name !== 'request')
  for (const { name, bytes } of others) assert.equal(sightings([...inRequests, ...tokens], name, bytes), [])
  const found = parts.flatMap(({ name, bytes }) => sightings(all, name, bytes)).join('\n')
  for (const { name } of [...inRequests, ...tokens]) assert.match(found, `${name} stands in request`)
})

it('find them in nothing that the server says, and in no refusal', () => {
  const all = [...nowhere, ...inRequests, ...tokens, ...contacts]
  assert.match(said.join('\n'), 'countersign.perform')
  assert.equal(seen(all, [named('what it says', said), named('refusals', refusals)]), [])
})

it('show codes and tokens to their requester alone', async () => {
  const answers = (await placesNow()).filter(({ name }) => name === 'the answers')
  assert.equal(seen([...inRequests, ...tokens], answers), [])
})

it('find nothing of persons who were erased, nor of contacts that nobody had when their requester is', async () => {
  const erase = async (person: Person | undefined, requests: string): Promise<void> => {
    const userId = person?.userId ?? ''
    await home.done(home.root, 'delete_users', { userIds: [userId] })
    await home.done(home.root, 'erase_user', { userId, requests })
  }
  await erase(ada, 'NAMING')
  await erase(grace, 'NAMING')
  const theirs = contactsOf(EMAILS.ada, EMAILS.grace)
  assert.equal(seen([...theirs, ...tokens], await placesNow()), [])
  await erase(clerk, 'MADE')
  assert.equal(seen([...contacts, ...tokens, ...inRequests], await placesNow()), [])
  await home.host.close()
  assert.equal(seen([...contacts, ...tokens, ...inRequests], filesOf(path())), [])
  assert.equal(seen([...contacts, ...tokens, ...inRequests], [named('what it says', said)]), [])
})

it.run()
