import { generateP256KeyPair } from '@turnkey/crypto'
import PostalMime from 'postal-mime'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { smtpMailer } from '../../../adapters/mail/index.ts'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Mailer } from '../../../core/ports/mailer.ts'
import { badMailServer, type Fault } from '../../adapters/mail/bad-mail-server.ts'
import { mailServer, type Arrived } from '../../adapters/mail/mail-server.ts'
import { register } from '../../core/resources/authenticator/passkey-world.ts'
import { anyPasskey } from '../../core/world/software-passkey.ts'
import { testClock } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { OFFICE, opened, secretIn, verified } from './post.ts'
import { onStage, refusal, type Reply, type Stage } from './stage.ts'

const it = suite('mail servers that are out of order')

type Outage = {
  readonly arrived: readonly Arrived[]
  /** Mails that were lost on their way, if somebody had them. */
  readonly had: readonly string[]
  /** Sends something that waits for the mail server, if that says nothing, until the mailer gives up. */
  readonly givenUp: (send: () => Promise<Reply>) => Promise<Reply>
  readonly sockets: readonly unknown[]
  readonly giveUp: () => void
  /** From now on there is another mail server, which works. */
  readonly end: () => void
}

const HOUR_MS = 3_600_000

const onStageInOutage = async (
  fault: Fault | 'is not there',
  play: (stage: Stage, outage: Outage) => Promise<void>,
): Promise<void> => {
  const [good, bad] = await Promise.all([
    mailServer(),
    badMailServer(fault === 'is not there' ? 'says nothing' : fault),
  ])
  const clock = testClock() // of the mailer alone
  const mailerOf = (url: string): Mailer => smtpMailer({ url, from: OFFICE, clock, giveUpMs: HOUR_MS })
  let present = mailerOf(fault === 'is not there' ? 'smtp://127.0.0.1:1' : bad.url)
  const mailer: Mailer = { send: (mail) => present.send(mail) }
  const { sockets, had } = bad
  const giveUp = (): void => clock.pass(HOUR_MS)
  const outage: Outage = {
    had,
    sockets,
    giveUp,
    arrived: good.arrived,
    givenUp: async (send) => {
      const { length } = sockets
      const reply = send()
      if (fault !== 'says nothing') return reply
      let isOver = false
      void reply.finally(() => (isOver = true))
      await until(() => isOver || sockets.length > length)
      giveUp()
      return reply
    },
    end: () => {
      present = mailerOf(good.url)
    },
  }
  try {
    await onStage((stage) => play(stage, outage), { ports: { mailer } })
  } finally {
    await Promise.all([good.close(), bad.close()])
  }
}

const otpTo = (contact: string) => ({ otpType: 'OTP_TYPE_EMAIL', contact, appName: 'Engine' })
const INIT = 'ACTIVITY_TYPE_INIT_OTP_V3'

/** Posts the same bytes with the same stamp, whenever it is called. */
const poster = ({ root, postRaw }: Stage, path: string, body: string) => {
  const headers = { 'X-Stamp': stamp(root.key, Buffer.from(body)) }
  return () => postRaw(`submit/${path}`, body, headers)
}

const WORDS = {
  'says nothing': 'the mail server does not answer; the mail may have gone',
  'goes away when a mail begins': 'the mail server does not take the mail now',
  'goes away when it has a mail': 'the mail server does not take the mail now',
  'is not there': 'the mail server does not take the mail now',
} as const

for (const fault of Object.keys(WORDS) as (keyof typeof WORDS)[])
  it(`a server ${fault}: 503, and the same body sends the same code when it works again`, () =>
    onStageInOutage(fault, async (stage, { arrived, had, givenUp, end }) => {
      const send = poster(stage, 'init_otp', stage.bytes(INIT, otpTo('ada@example.com')))
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        const { status, body } = await givenUp(send)
        assert.equal([status, body.message], [503, WORDS[fault]])
      }
      end()
      const { status, body } = await send()
      assert.equal([status, arrived.length], [200, 1])
      const code = secretIn(arrived[0])
      assert.is(had.length, fault === 'goes away when it has a mail' ? 4 : 0)
      for (const raw of had) {
        const mail = await PostalMime.parse(raw)
        assert.is(secretIn({ to: [], mail, raw }), code)
      }
      const again = await send()
      assert.equal([again.status, again.body.activity.id, arrived.length], [200, body.activity.id, 1])
      const started = body.activity.result['initOtpResultV2' as 'initOtpResult'] as Parameters<typeof verified>[1]
      assert.match(await verified(stage, started, code, generateP256KeyPair()), /^ey/)
    }))

it('a server that says nothing keeps eight mails of an organization, and no log-in', () =>
  onStageInOutage('says nothing', async (stage, { sockets, giveUp }) => {
    const ada = await stage.enrol('ada')
    const passkey = anyPasskey()
    await register(stage, ada, passkey)
    const ask = (contact: string) => stage.post(stage.root, 'submit/init_otp', stage.bytes(INIT, otpTo(contact)))
    const waiting = Array.from({ length: 8 }, (_, index) => ask(`${index}@example.com`))
    await until(() => sockets.length === 8)
    const ninth = await ask('8@example.com')
    assert.equal([ninth.status, ninth.body.turnkeyErrorCode], [429, 'RATE_LIMIT_EXCEEDED'])

    const session = generateKey('API_KEY_CURVE_P256')
    const body = stage.bytes('ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: session.publicKey })
    const login = await stage.postRaw('submit/stamp_login', body, {
      'X-Stamp-Webauthn': passkey.stamp(encodeUtf8(body)),
    })
    assert.equal([login.status, login.body.activity.status], [200, 'ACTIVITY_STATUS_COMPLETED'])
    assert.is((await stage.sdk({ ...ada, key: session }).getWhoami({})).userId, ada.userId)
    await stage.sdk(stage.root).createUserTag({ userTagName: 'a', userIds: [] })

    giveUp()
    for (const { status } of await Promise.all(waiting)) assert.is(status, 503)
    assert.is(sockets.length, 8)
  }))

it('a mail that was lost opens nothing, and that of the same body does which has come', () =>
  onStageInOutage('goes away when it has a mail', async (stage, { arrived, had, end }) => {
    const ada = await stage.enrol('ada')
    await stage.sdk(stage.root).updateUserEmail({ userId: ada.userId, userEmail: 'ada@example.com' })
    const target = generateP256KeyPair()
    const parameters = {
      email: 'ada@example.com',
      targetPublicKey: target.publicKeyUncompressed,
      emailCustomization: { appName: 'Engine' },
    }
    const send = poster(stage, 'email_auth', stage.bytes('ACTIVITY_TYPE_EMAIL_AUTH_V3', parameters))
    assert.is((await send()).status, 503)
    end()
    assert.is((await send()).status, 200)
    const raw = had[0] ?? ''
    const bundles = [secretIn({ to: [], mail: await PostalMime.parse(raw), raw }), secretIn(arrived[0])]
    const [lost, come] = bundles.map((bundle) => stage.sdk({ ...ada, ...opened(bundle, target) }))
    assert.is((await refusal(lost?.getWhoami({}) ?? Promise.resolve())).error, 'PUBLIC_KEY_NOT_FOUND')
    assert.is((await come?.getWhoami({}))?.userId, ada.userId)
  }))

it.run()
