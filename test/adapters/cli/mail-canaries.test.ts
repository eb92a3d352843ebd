import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { decryptCredentialBundle } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { uncompressed } from '../../../core/keys/public-key.ts'
import { clientKey } from '../../core/resources/otp/scene.ts'
import { filesOf } from '../../system/canaries/erased/places.ts'
import { secretBytes, secretText, sightings, type Secret } from '../../system/canaries/secret.ts'
import { mailServer } from '../mail/mail-server.ts'
import { done } from './leaver.ts'
import { rootClient } from './root-client.ts'
import { folder, run, serve } from './run-cli.ts'

const it = suite('secrets of mails, at the command line')

const STORE = ['--store', 'sqlite:store.db', '--init', '--credentials', 'c.json']

const PASSWORD = 'mail-password-4fd1c0a7e2b94c31'
const password = secretText('the password of the mail server', PASSWORD)
const contactOf = (mode: string): string => `canary.${mode}.93b1d6e0@example.com`

const MODES = ['takes', 'refuses-password', 'refuses-address', 'refuses-mail', 'hangs-up', 'answers-rubbish'] as const
type Mode = (typeof MODES)[number]

/** A mail server that behaves as it is told, and repeats in its refusals whatever it was given. */
const moodyServer = async () => {
  let mode: Mode = 'takes'
  const heard: string[] = []
  const refusal = (code: number, text: string): Error => {
    heard.push(text)
    return Object.assign(new Error(text.replaceAll(/\s+/g, ' ').slice(0, 400)), { responseCode: code })
  }
  const within = await mailServer({
    onAuth: ({ username = '', password: given = '' }, _, answer) =>
      mode === 'refuses-password'
        ? answer(refusal(535, `${username} is not ${given}`))
        : answer(null, { user: username }),
    onRcptTo: ({ address }, _, answer) =>
      answer(mode === 'refuses-address' ? refusal(550, `nobody is ${address}`) : undefined),
    onMailFrom: ({ address }, { user }, answer) =>
      answer(mode === 'refuses-mail' ? refusal(451, `not now, ${user} ${address} ${PASSWORD}`) : undefined),
  })
  const sockets = new Set<Socket>()
  const front = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    if (mode === 'hangs-up') return void socket.destroy()
    if (mode === 'answers-rubbish') return void socket.end(`\u0000 ${PASSWORD} ${contactOf(mode)}\r\n\r\n`)
    const inner = connect(Number(new URL(within.url).port), '127.0.0.1').on('error', () => undefined)
    return void socket.pipe(inner).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  return {
    ...within,
    heard,
    url: `smtp://sender:${PASSWORD}@127.0.0.1:${port}`,
    be: (next: Mode): void => void (mode = next),
    close: async () => {
      front.close()
      for (const socket of sockets) socket.destroy()
      await within.close()
    },
  }
}

type Shown = {
  readonly activity: { readonly result: { readonly [name: string]: { readonly [name: string]: string } } }
}

for (const form of ['json', 'pretty'])
  it(`are in no line of the log, in no number and in no refusal, however the mail server behaves: ${form}`, async () => {
    const cwd = folder()
    const server = await moodyServer()
    const flags = [...STORE, '--metrics', '--log-level', 'trace', '--log', form]
    const served = await serve([...flags, '--mail', server.url, '--mail-from', 'office@example.com'], { cwd })
    const client = await rootClient(join(cwd, 'c.json'))
    const [secrets, refusals, answers]: [Secret[], string[], string[]] = [[password], [], []]

    const submit = async (
      path: string,
      parameters: Json,
      version = '',
    ): Promise<{ readonly [name: string]: string }> => {
      const body = done(await client.stamped(path, parameters, version).send())
      answers.push(JSON.stringify(body))
      return Object.values((body as Shown).activity.result)[0] ?? {} // of an activity
    }
    const refused = async (status: number, path: string, parameters: Json, version = ''): Promise<void> => {
      const { body, ...answer } = await client.stamped(path, parameters, version).send()
      assert.is(answer.status, status, JSON.stringify(body))
      refusals.push(JSON.stringify(body))
    }
    const sentTo = (contact: string) => ({ otpType: 'OTP_TYPE_EMAIL', contact, appName: 'Engine' })
    const mailed = (pattern: RegExp): string => pattern.exec(server.arrived.at(-1)?.mail.text ?? '')?.[1] ?? ''

    const contacts = MODES.map(contactOf)
    for (const [index, mode] of MODES.entries()) {
      if (mode === 'takes') continue
      server.be(mode)
      await refused(mode === 'refuses-address' ? 400 : 503, 'init_otp', sentTo(contacts[index] ?? ''), '_V2')
    }
    server.be('takes')
    await refused(400, 'init_otp', sentTo(`${contactOf('bad')} x`), '_V2')

    const [contact = ''] = contacts
    const { userId } = done(await client.query('whoami')) as { readonly userId: string }
    await submit('update_user_email', { userId, userEmail: contact })
    const { otpId = '' } = await submit('init_otp', sentTo(contact), '_V2')
    const code = mailed(/^([0-9A-Z]{9})$/m)
    await refused(400, 'verify_otp', { otpId, otpCode: `${code}x` })
    const { verificationToken = '' } = await submit('verify_otp', { otpId, otpCode: code })
    await submit('otp_login', { verificationToken, publicKey: clientKey().publicKey })
    await refused(400, 'otp_login', { verificationToken, publicKey: clientKey().publicKey })
    const target = clientKey()
    const targetPublicKey = uncompressed('CURVE_P256', target.publicKey)
    const emailCustomization = { appName: 'Engine' }
    await submit('email_auth', { email: contact, targetPublicKey, emailCustomization }, '_V3')
    const bundle = mailed(/^(\w{100,})$/m)
    secrets.push(
      secretText('the bundle', bundle),
      secretBytes('its key', decryptCredentialBundle(bundle, target.privateKey)),
    )
    assert.equal(sightings(secrets, 'the answers', answers.join('\n')), [])
    answers.push(JSON.stringify(done(await client.query('list_email_events', { email: contact }))))

    const ofPerson = [secretText('the code', code), secretText('the token', verificationToken.slice(-80))]
    for (const one of [...contacts, contactOf('bad')]) ofPerson.push(secretText(`the contact ${one}`, one))
    const numbers = await (await fetch(`${served.url}/metrics`)).text()
    const { stdout, stderr } = await served.stop()
    const audited = await run(['audit', '--store', 'sqlite:store.db'], { cwd })
    assert.is(audited.code, 0, audited.stderr)
    const said = [stdout, stderr, numbers, audited.stdout, audited.stderr, ...refusals].join('\n')
    assert.equal(sightings([...secrets, ...ofPerson], 'what it says', said), [])
    for (const { bytes } of filesOf(join(cwd, 'store.db'))) assert.equal(sightings(secrets, 'the store', bytes), [])

    assert.match(server.heard.join('\n'), PASSWORD)
    assert.is(server.heard.length, 3)
    assert.equal(
      sightings(secrets.slice(1), 'the mails', server.arrived.map(({ mail }) => mail.text).join('\n')).length,
      1,
    )
    await server.close()
  })

it('are not in what it says of flags that it cannot use', async () => {
  for (const given of [`ftp://sender:${PASSWORD}@localhost`, `smtp://sender:${PASSWORD}@:1:2`, `smtp:${PASSWORD}`]) {
    const { code, stdout, stderr } = await run(['serve', '--mail', given], { cwd: folder() })
    assert.is.not(code, 0)
    assert.match(stderr, '--mail')
    assert.equal(sightings([password], 'what it says', stdout + stderr), [])
  }
})

it.run()
