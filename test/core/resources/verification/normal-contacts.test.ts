import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refuse } from '../../../../core/definition/refuse.ts'
import { E } from '../../../../core/prelude.ts'
import { office } from '../otp/scene.ts'

const it = suite('contacts as they are compared')

it('count addresses as the same whatever their case, and telephones in E.164 alone', async () => {
  const made = await office()
  const send = async (otpType: string, contact: string) => {
    const outcome = await made.submit(made.root, 'init_otp', { otpType, contact, appName: 'a' })
    return E.isLeft(outcome) ? `${outcome.left.code} ${JSON.stringify(outcome.left.details)}` : 'sent'
  }
  const at = (expected: string): string => JSON.stringify(refuse.field('contact', expected).details)
  for (const contact of [
    'ada@b\u00fccher.example', // a domain is ASCII: xn--…
    '\u212aate@example.com', // lower case makes a k of it
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com,eve@example.com',
    'ada@example.com ',
    'Ada <ada@example.com>',
    '"ada"@example.com',
    'ada@localhost',
    'ada',
    '',
  ])
    assert.is(await send('OTP_TYPE_EMAIL', contact), `INVALID_EMAIL ${at('an e-mail address')}`, contact)
  await made.done(made.root, 'set_organization_feature', { name: 'FEATURE_NAME_SMS_AUTH', value: '' })
  for (const contact of ['15005550006', '+1 500 555 0006', '+05005550006', '+1', '', '\uff0b15005550006'])
    assert.is(await send('OTP_TYPE_SMS', contact), `REQUEST_INVALID ${at('a phone number in E.164 format')}`, contact)
  assert.is(await send('OTP_TYPE_EMAIL', 'Ada+1@XN--BCHER-KVA.example'), 'sent')
  for (const contact of ['ada+1@xn--bcher-kva.example', 'ADA+1@xn--bcher-kva.EXAMPLE'])
    assert.is(await send('OTP_TYPE_EMAIL', contact), 'sent')
  assert.match(await send('OTP_TYPE_EMAIL', 'ada+1@xn--bcher-kva.example'), /^MAX_OTP_INITIATED/)
  assert.is(await send('OTP_TYPE_EMAIL', 'ada@xn--bcher-kva.example'), 'sent') // of another mailbox
  assert.is(await send('OTP_TYPE_SMS', '+15005550006'), 'sent')
  await made.close()
})

it.run()
