import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { E } from '../../../../core/prelude.ts'
import { sealedOf } from '../../../sealed-of.ts'
import { eventsOf } from '../../command/history.ts'
import { beginBelow, codeOf, right, type World } from '../../world/world.ts'
import {
  auth,
  bundleOf,
  encrypted,
  GENERATIONS,
  otherThan,
  plain,
  rootIsAda,
  sayAuth,
  sayEncrypted,
  sayPlain,
} from './generations.ts'
import { ADA, clientKey, loginBy, office, toAda, VERIFY_PLAIN, verifyEncrypted } from './scene.ts'

const it = suite('enemies of codes')

const CROWD = 10_000
/** As many as come: the door of a server lets fewer in. */
const wide = { waitForEffectsMax: CROWD + 1, effectsAtOncePerOrganization: 256 }

/** What was taken so far: the content of each row is who took it. */
const owners = async ({ storage }: World): Promise<readonly string[]> =>
  right(await sealedOf(storage).list({ organization: 'taken.', id: '' }, 1_000)()).flatMap((row) =>
    'isGone' in row ? [] : [Buffer.from(row.bytes).toString()],
  )

const REFUSED = { code: 'REQUEST_INVALID', message: 'Invalid OTP code' }

it('have three of 10,000 guesses compared, and the right one late among them comes to nothing', async () => {
  const made = await office(wide)
  const { otpId, code } = await plain.send(made, made.mails, { alphanumeric: false, otpLength: 6 })
  const [before, taken] = [await eventsOf(made), await owners(made)]
  const wrong = Array.from({ length: CROWD }, (_, n) => String(n).padStart(6, '0')).filter((guess) => guess !== code)
  const guesses = wrong.toSpliced(wrong.length - 100, 0, code)
  const outcomes = await Promise.all(
    guesses.map((otpCode) => made.submit(made.root, 'verify_otp', { otpId, otpCode }, VERIFY_PLAIN)),
  )
  for (const outcome of outcomes) assert.equal(outcome, E.left(REFUSED))
  assert.is((await owners(made)).length - taken.length, 3)
  assert.is((await eventsOf(made)).length, before.length)
  await made.close()
})

it('get the code right in the third guess, and not in the fourth, of each generation', async () => {
  for (const { name, send, say } of GENERATIONS) {
    const made = await office()
    await rootIsAda(made)
    for (const wrong of [2, 3]) {
      const sent = await send(made, made.mails)
      for (let n = 0; n < wrong; n += 1)
        assert.equal(await say(made, sent, otherThan(sent.code)), E.left(REFUSED), name)
      assert.is(E.isRight(await say(made, sent, sent.code.toLowerCase())), wrong < 3, name)
    }
    await made.close()
  }
})

it('spend a code once, of 64 who say it at once', async () => {
  for (const { name, send, say } of GENERATIONS) {
    const made = await office()
    await rootIsAda(made)
    const sent = await send(made, made.mails)
    const outcomes = await Promise.all(Array.from({ length: 64 }, () => say(made, sent, sent.code)))
    const refused = outcomes.filter(E.isLeft)
    assert.is(refused.length, 63, name)
    for (const outcome of refused) assert.equal(outcome, E.left(REFUSED), name)
    await made.close()
  }
})

it('begin one session, and one organization, by one token of 64 who use it at once', async () => {
  const made = await office()
  await rootIsAda(made)
  const key = clientKey()
  const sent = await encrypted.send(made, made.mails)
  const verificationToken = await verifyEncrypted(made, made.root, sent, sent.code, key.publicKey)
  const all = <A>(one: (n: number) => Promise<A>) => Promise.all(Array.from({ length: 64 }, (_, n) => one(n)))
  const logins = await all(() => {
    const { publicKey } = clientKey()
    const clientSignature = loginBy(key, verificationToken, publicKey)
    return made.submit(made.root, 'otp_login', { verificationToken, publicKey, clientSignature })
  })
  assert.is(logins.filter(E.isRight).length, 1)

  const again = await plain.send(made, made.mails)
  const spent = right(await plain.say(made, again, again.code)).result['verifyOtpResult']
  const user = { userName: 'ada', userEmail: ADA, apiKeys: [], authenticators: [], oauthProviders: [] }
  const signUp = {
    rootUsers: [user],
    rootQuorumThreshold: 1,
    ...(spent as { readonly verificationToken: string }),
  }
  const type = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7'
  await all((n) =>
    made.submit(made.root, 'create_sub_organization', { subOrganizationName: `${n}`, ...signUp }, { type }),
  )
  assert.is(((await made.answer(made.root, 'list_verified_suborgs'))['organizationIds'] as readonly string[]).length, 1)
  await made.close()
})

it('learn nothing from a refusal, whatever is wrong', async () => {
  const made = await office()
  await rootIsAda(made)
  const below = await beginBelow(made, made, 'eve')
  const to = (contact: string) => ({ contact })
  const [codes, targets, keys] = [
    await plain.send(made, made.mails, to('a@example.com')),
    await encrypted.send(made, made.mails, to('b@example.com')),
    await auth.send(made, made.mails, to('root@example.com')),
  ]
  const others = [
    await plain.send(made, made.mails, to('c@example.com')),
    await encrypted.send(made, made.mails, to('d@example.com')),
  ]
  const ofBelow = await plain.send(below, made.mails, to('e@example.com'))
  const spent = await plain.send(made, made.mails, to('f@example.com'))
  right(await plain.say(made, spent, spent.code))
  const session = await made.done(made.root, 'create_read_only_session', {})
  const elsewhere = (session.result['createReadOnlySessionResult'] as { readonly session: string }).session
  const before = (await eventsOf(made)).length
  const altered = (text: string, at: number): string =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  const bundled = async (encryptedOtpBundle: string) =>
    made.submit(made.root, 'verify_otp', { otpId: targets.otpId, encryptedOtpBundle })
  const [{ otpId, code }] = [codes]
  const last = otpId.length - 1
  const refusals = {
    wrong: await sayPlain(made, codes, otherThan(code)),
    empty: await sayPlain(made, codes, ''),
    altered: await sayPlain(made, { otpId: altered(otpId, 30) }, code),
    'of another day': await sayPlain(made, { otpId: altered(otpId, 4) }, code),
    'spelled otherwise': await sayPlain(made, { otpId: `${otpId}=` }, code),
    'cut off': await sayPlain(made, { otpId: otpId.slice(0, last) }, code),
    'no id': await sayPlain(made, { otpId: '0' }, code),
    'a sealed text of another use': await sayPlain(made, { otpId: elsewhere }, code),
    'the code of another id': await sayPlain(made, others[0] ?? codes, code),
    spent: await sayPlain(made, spent, spent.code),
    'of the organization above': await sayPlain(below, codes, code),
    'of an organization below': await sayPlain(made, ofBelow, ofBelow.code),
    'encrypted, said in plain': await sayPlain(made, targets, targets.code),
    'in plain, said encrypted': await sayEncrypted(made, { ...others[1], otpId }, code),
    'of otp_auth, at verify_otp': await sayPlain(made, keys, keys.code),
    'in plain, at otp_auth': await sayAuth(made, codes, code),
    'encrypted, at otp_auth': await sayAuth(made, targets, targets.code),
    'encrypted to the key of another id': await bundled(await bundleOf(others[1] ?? targets, targets.code)),
    'for a key that is none': await bundled(await bundleOf(targets, targets.code, '02'.padEnd(66, 'f'))),
  }
  for (const [name, refused] of Object.entries(refusals)) assert.equal(refused, E.left(REFUSED), name)
  made.clock.pass(300_000)
  for (const sent of [codes, ofBelow])
    assert.equal(await sayPlain(sent === codes ? made : below, sent, sent.code), E.left(REFUSED), 'over')
  assert.equal(await sayAuth(made, keys, keys.code), E.left(REFUSED), 'over')
  assert.is((await eventsOf(made)).length, before)
  await made.close()
})

it('get a guess for each try, and no more codes to guess at than are sent to a contact in a day', async () => {
  const made = await office()
  const WINDOW_MS = 180_000
  let sent = 0
  for (let window = 0; window < 12; window += 1) {
    for (let n = 0; n < 4; n += 1) {
      const contact = n % 2 ? ADA : ADA.toLowerCase() // who it is does not rest on the case
      const outcome = await made.submit(made.root, 'init_otp', { ...toAda, contact })
      if (E.isRight(outcome)) sent += 1
      else
        assert.equal(
          [outcome.left.code, outcome.left.message],
          ['MAX_OTP_INITIATED', 'Max number of OTPs have been initiated'],
        )
    }
    made.clock.pass(WINDOW_MS)
  }
  assert.is(sent, 30)
  assert.is(made.mails.length, 30)
  const below = await beginBelow(made, made, 'eve')
  const fromBelow = await below.submit(below.root, 'init_otp', toAda)
  assert.is(codeOf(fromBelow), 'MAX_OTP_INITIATED') // those below send together with the one above
  for (const path of ['init_otp_auth', 'init_otp'])
    assert.is(codeOf(await made.submit(made.root, path, toAda)), 'MAX_OTP_INITIATED', path)
  made.clock.pass(24 * 60 * 60 * 1000)
  await plain.send(made, made.mails)
  await made.close()
})

it('are bounded by the identifier that a request gives, whatever its length', async () => {
  const made = await office()
  const userIdentifier = 'x'.repeat(4_096)
  const send = (contact: string, identifier: string) =>
    made.submit(made.root, 'init_otp', { ...toAda, contact, userIdentifier: identifier })
  const codes: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) codes.push(codeOf(await send(`${name}@example.com`, userIdentifier)))
  assert.equal(codes, ['no failure', 'no failure', 'no failure', 'MAX_OTP_INITIATED'])
  assert.is(codeOf(await send('e@example.com', `${userIdentifier}x`)), 'REQUEST_INVALID')
  assert.is(codeOf(await send('e@example.com', 'another')), 'no failure')
  for (const name of ['f', 'g', 'h', 'i']) assert.is(codeOf(await send(`${name}@example.com`, '')), 'no failure') // none
  await made.close()
})

it.run()
