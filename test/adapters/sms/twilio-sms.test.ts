import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { twilioSms } from '../../../adapters/sms/twilio-sms.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { codeOf, right, testClock } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { smsService } from './sms-service.ts'

const it = suite('short messages by Twilio')

const message = { organizationId: 'a', to: '+441234567890', text: '123456 is your code.' }

it('go to the message resource of the account', async () => {
  const { url, heard, close } = await smsService((response) => response.writeHead(201).end('{"sid":"SM1"}'))
  assert.equal(right(await twilioSms({ url, clock: systemClock() }).send(message)()), { messageId: 'SM1' })
  assert.equal(heard, [
    {
      path: '/2010-04-01/Accounts/AC123/Messages.json',
      authorization: `Basic ${Buffer.from('AC123:the token').toString('base64')}`,
      form: { From: '+15005550006', To: message.to, Body: message.text },
    },
  ])
  await close()
})

it('tell of a service that refuses, and nothing of what they were to say', async () => {
  for (const [status, code] of [
    [400, 'REQUEST_INVALID'],
    [401, 'UNAVAILABLE'],
    [500, 'UNAVAILABLE'],
    [302, 'UNAVAILABLE'],
  ] as const) {
    const { url, close } = await smsService((response) =>
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(JSON.stringify(message)),
    )
    const refused = await twilioSms({ url, clock: systemClock() }).send(message)()
    assert.is(codeOf(refused), code)
    assert.not.match(JSON.stringify(refused), /441234|123456|token|AC123/)
    await close()
  }
})

it('give up a service that says nothing', async () => {
  const { url, heard, close } = await smsService(() => undefined)
  const clock = testClock()
  const sent = twilioSms({ url, clock }).send(message)()
  await until(() => heard.length === 1)
  clock.pass(10_000)
  assert.is(codeOf(await sent), 'UNAVAILABLE')
  await close()
})

it.run()
