import { generateP256KeyPair } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mailed, onStageWithPost, texted, verified, type Post } from './post.ts'
import { refusal, type Refusal, type StageOptions } from './stage.ts'

const it = suite('@turnkey/sdk-server: codes that are not sent')

type Asked = Parameters<ReturnType<Post['sdk']>['initOtp']>[0]

const mail: Asked = { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com', appName: 'Engine' }
const message: Asked = { ...mail, otpType: 'OTP_TYPE_SMS', contact: '+441234567890' }
const six = { otpLength: 6, alphanumeric: false }

const onStageWithSms = (play: (stage: Post) => Promise<void>, options?: StageOptions): Promise<void> =>
  onStageWithPost(async (stage) => {
    await stage.sdk(stage.root).setOrganizationFeature({ name: 'FEATURE_NAME_SMS_AUTH', value: '' })
    await play(stage)
  }, options)

const fieldsOf = ({ details }: Refusal): readonly unknown[] =>
  details.flatMap(({ fieldViolations = [] }) => (fieldViolations as { field: string }[]).map(({ field }) => field))

const customized = (emailCustomization: Asked['emailCustomization'] & object): Asked => ({
  ...mail,
  emailCustomization,
})
const link = (magicLinkTemplate: string): Asked => customized({ magicLinkTemplate })

it('name what is wrong with the request', () =>
  onStageWithSms(async (stage) => {
    const client = stage.sdk(stage.root)
    for (const [asked, field, error = 'REQUEST_INVALID'] of [
      [{ ...mail, contact: 'ada' }, 'contact', 'INVALID_EMAIL'],
      [{ ...mail, contact: '' }, 'contact', 'INVALID_EMAIL'],
      [{ ...mail, contact: 'ada@example.com\r\nBcc: eve@example.com' }, 'contact', 'INVALID_EMAIL'],
      [{ ...mail, contact: 'ada@example.com, eve@example.com' }, 'contact', 'INVALID_EMAIL'],
      [{ ...mail, contact: message.contact }, 'contact', 'INVALID_EMAIL'],
      [{ ...message, contact: mail.contact }, 'contact'],
      [{ ...message, contact: '' }, 'contact'],
      [{ ...mail, otpType: 'OTP_TYPE_WHATSAPP' }, 'otpType'],
      [{ ...mail, otpLength: 5 }, 'otpLength'],
      [{ ...mail, otpLength: 10 }, 'otpLength'],
      [{ ...mail, otpLength: 6.5 }, 'otpLength'],
      [{ ...mail, expirationSeconds: '601' }, 'expirationSeconds'],
      [{ ...mail, expirationSeconds: '0' }, 'expirationSeconds'],
      [{ ...mail, appName: '' }, 'appName'],
      [{ ...mail, appName: 'Engine\r\nBcc: eve@example.com' }, 'appName'],
      [{ ...mail, sendFromEmailSenderName: 'Engine\nBcc: eve@example.com' }, 'sendFromEmailSenderName'],
      [{ ...mail, sendFromEmailAddress: 'engine' }, 'sendFromEmailAddress'],
      [{ ...mail, replyToEmailAddress: 'a@example.com\r\nBcc: eve@example.com' }, 'replyToEmailAddress'],
      [link('https://example.com/'), 'emailCustomization.magicLinkTemplate'],
      [link('https://example.com/%s/%s'), 'emailCustomization.magicLinkTemplate'],
      [link('javascript:alert("%s")'), 'emailCustomization.magicLinkTemplate'],
      [customized({ templateVariables: '{' }), 'emailCustomization.templateVariables'],
      [customized({ templateVariables: '[]' }), 'emailCustomization.templateVariables'],
      [customized({ templateId: '../../etc/passwd' }), 'emailCustomization.templateId'],
      [customized({ logoUrl: 'http://example.com/logo.png' }), 'emailCustomization.logoUrl'],
      [{ ...message, smsCustomization: { template: 'no code' } }, 'smsCustomization.template'],
    ] as readonly (readonly [Asked, string, string?])[]) {
      const refused = await refusal(client.initOtp(asked))
      assert.equal([refused.code, refused.error, fieldsOf(refused)], [3, error, [field]], JSON.stringify(asked))
    }
    assert.equal([stage.arrived, stage.heard], [[], []])
  }))

it('let no name be markup', () =>
  onStageWithPost(async (stage) => {
    await stage.sdk(stage.root).initOtp({ ...mail, appName: '<img src=x onerror=alert(1)>' })
    const [came] = stage.arrived
    assert.is(came?.mail.subject, 'Sign in to <img src=x onerror=alert(1)>')
    assert.match(came?.mail.html ?? '', /<title>Sign in to &lt;img src=x/)
    assert.not.match(came?.mail.html ?? '', /<img/)
  }))

it('go nowhere for the two contacts for trials, where the server has them, and then the code is known', () =>
  onStageWithSms(
    async (stage) => {
      const client = stage.sdk(stage.root)
      for (const [contact, asked] of [
        ['user@example.com', mail],
        ['+19999999999', message],
      ] as const) {
        const started = await client.initOtp({ ...asked, ...six, contact })
        assert.match(await verified(stage, started, '000000', generateP256KeyPair()), /^ey/)
        assert.equal([stage.arrived, stage.heard], [[], []])
      }
      await client.initOtp({ ...mail, contact: 'user@example.com' }) // with a code of the usual length it is a contact like others
      await client.initOtp({ ...mail, ...six })
      assert.equal(
        stage.arrived.map(({ to }) => to),
        [['user@example.com'], ['ada@example.com']],
      )
    },
    { ports: { sandboxContacts: true } },
  ))

it('go to the contacts for trials, where the server has none', () =>
  onStageWithSms(async (stage) => {
    const client = stage.sdk(stage.root)
    await client.initOtp({ ...mail, ...six, contact: 'user@example.com' })
    await client.initOtp({ ...message, ...six, contact: '+19999999999' })
    for (const code of [mailed(stage), texted(stage)]) assert.match(code, /^[0-9]{6}$/)
    assert.equal([stage.arrived.length, stage.heard.length], [1, 1])
  }))

it('name the flag of the server that is missing', () =>
  onStageWithSms(
    async (stage) => {
      const client = stage.sdk(stage.root)
      for (const [asked, words] of [
        [mail, 'this server sends no e-mail: it was started without --mail'],
        [message, 'this server sends no short messages: it was started without --sms'],
      ] as const) {
        const { code, error, message: said } = await refusal(client.initOtp(asked))
        assert.equal([code, error, said], [9, 'EMAIL_SENDING_DISABLED', words])
      }
    },
    { ports: { mailer: undefined, sms: undefined } },
  ))

it.run()
