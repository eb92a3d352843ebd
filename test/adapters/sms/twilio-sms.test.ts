import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { twilioSms } from '../../../adapters/sms/twilio-sms.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { codeOf, right, testClock } from '../../core/world/world.ts'
import { until } from '../../until.ts'

const it = suite('short messages by Twilio')

type Heard = {
  readonly path: string
  readonly authorization: string
  readonly form: { readonly [name: string]: string }
}

const service = async (answer: (response: ServerResponse) => void) => {
  const heard: Heard[] = []
  const server = createServer((request: IncomingMessage, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(body))
      heard.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '', form })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    heard,
    url: `http://AC123:the%20token@127.0.0.1:${port}/?From=%2B15005550006`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

const message = { organizationId: 'a', to: '+441234567890', text: '123456 is your code.' }

it('go to the message resource of the account', async () => {
  const { url, heard, close } = await service((response) => response.writeHead(201).end('{"sid":"SM1"}'))
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
    const { url, close } = await service((response) =>
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(JSON.stringify(message)),
    )
    const refused = await twilioSms({ url, clock: systemClock() }).send(message)()
    assert.is(codeOf(refused), code)
    assert.not.match(JSON.stringify(refused), /441234|123456|token|AC123/)
    await close()
  }
})

it('give up a service that says nothing', async () => {
  const { url, heard, close } = await service(() => undefined)
  const clock = testClock()
  const sent = twilioSms({ url, clock }).send(message)()
  await until(() => heard.length === 1)
  clock.pass(10_000)
  assert.is(codeOf(await sent), 'UNAVAILABLE')
  await close()
})

it.run()
