import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openMessages, type MessageOptions } from '../../../adapters/cli/open-messages.ts'
import { folder } from './run-cli.ts'

const it = suite('the flags of mails and short messages')

const place = folder()
const SECRET = 'hunter2'
const opened = (given: Partial<MessageOptions>) => openMessages({ host: '127.0.0.1', sandboxContacts: false, ...given })

const refusedWith = async (given: Partial<MessageOptions>): Promise<string> => {
  try {
    await opened(given)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing'
}

it('give what sends, also from a file with the URL', async () => {
  writeFileSync(join(place, 'mail.url'), `smtp://sender:${SECRET}@mail.example.com\n`)
  writeFileSync(join(place, 'sms.url'), `twilio+https://account:${SECRET}@sms.example.com/?From=%2B15005550006\n`)
  const both = await opened({
    mail: `@${join(place, 'mail.url')}`,
    mailFrom: 'no-reply@example.com',
    sms: `@${join(place, 'sms.url')}`,
  })
  for (const name of ['mailer', 'sms']) assert.type(both[name], 'object', name)
  const none = await opened({})
  for (const name of ['mailer', 'sms']) assert.is(none[name], undefined, name)
})

it('are refused by name where they are of no use, without what is secret in them', async () => {
  const mailFrom = 'no-reply@example.com'
  const cases: readonly (readonly [Partial<MessageOptions>, RegExp])[] = [
    [{ mail: `sender:${SECRET}@mail.example.com`, mailFrom }, /^--mail: expected smtp:/],
    [{ mail: `smtp://${SECRET}@[`, mailFrom }, /^--mail: expected smtp:/],
    [{ mail: `smtp://sender:${SECRET}@mail.example.com` }, /^--mail needs --mail-from/],
    [
      { mail: 'smtp://mail.example.com', mailFrom, mailTemplates: join(place, 'none') },
      /^--mail-templates: there is no/,
    ],
    [{ mail: `@${join(place, 'none.url')}` }, /none\.url/],
    [{ mail: 'console:', host: '0.0.0.0' }, /^--mail console: is for a server on 127\.0\.0\.1/],
    [{ sms: `https://account:${SECRET}@sms.example.com/` }, /^--sms: expected twilio\+https:/],
    [{ sms: `twilio+http://account:${SECRET}@sms.example.com/` }, /^--sms: expected twilio\+https:/],
    [{ sms: 'console:', host: '::' }, /^--sms console: is for a server on 127\.0\.0\.1/],
  ]
  for (const [given, says] of cases) {
    const said = await refusedWith(given)
    assert.match(said, says)
    assert.not.match(said, SECRET)
  }
})

it.run()
