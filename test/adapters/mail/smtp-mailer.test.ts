import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { smtpMailer } from '../../../adapters/mail/smtp-mailer.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import type { Mail } from '../../../core/ports/mailer.ts'
import { E } from '../../../core/prelude.ts'
import { testClock, codeOf, right } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { badMailServer } from './bad-mail-server.ts'
import { mailServer } from './mail-server.ts'

const it = suite('mails by SMTP')

const TEMPLATE = '3f1e6f5e-0b0a-4c6a-9d55-0c0d0e0f1011'
const mail: Mail = { organizationId: 'a', to: 'ada@example.com', what: 'code', secret: '7F3K9Q', appName: 'Engine' }
const from = 'office@example.com'
/** The library measures by the time of the process, which no test waits for. */
const HOUR_MS = 3_600_000

const withServer = async (
  use: (server: Awaited<ReturnType<typeof mailServer>>) => Promise<void>,
  options?: Parameters<typeof mailServer>[0],
): Promise<void> => {
  const server = await mailServer(options)
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

it('say the code, in both forms', () =>
  withServer(async ({ url, arrived }) => {
    const { send } = smtpMailer({ url, from, clock: systemClock() })
    const link = { magicLinkTemplate: 'https://app.example.com/?code=%s', logoUrl: 'https://app.example.com/logo.png' }
    const sent = right(await send({ ...mail, ...link })())
    assert.is(sent.from, from)
    assert.equal(arrived[0]?.to, ['ada@example.com'])
    const { subject, text, html, from: sender, messageId } = arrived[0]?.mail ?? {}
    assert.equal(
      [subject, sender?.name, sender?.address, messageId],
      ['Sign in to Engine', 'Notifications', from, sent.messageId],
    )
    for (const words of [text, html]) {
      assert.match(words ?? '', /7F3K9Q/)
      assert.match(words ?? '', /https:\/\/app\.example\.com\/\?code=7F3K9Q/)
    }
    assert.match(html ?? '', /<img src="https:\/\/app\.example\.com\/logo\.png"/)
  }))

it('let no request write headers, or markup', () =>
  withServer(async ({ url, arrived }) => {
    const { send } = smtpMailer({ url, from, fromDomain: 'example.com', clock: systemClock() })
    const wrong = 'x\r\nBcc: eve@example.com\r\n\r\n<b>bold</b>'
    right(
      await send({
        ...mail,
        appName: wrong,
        sendFromEmailAddress: 'app@example.com',
        sendFromEmailSenderName: wrong,
      })(),
    )
    const { to, mail: came } = arrived[0] ?? {}
    assert.equal(to, ['ada@example.com'])
    assert.is(came?.bcc, undefined)
    assert.equal(came?.headers.map(({ key }) => key).includes('bcc'), false)
    assert.not.match(came?.html ?? '', /<b>/)
  }))

it('are from the addresses of one domain alone', () =>
  withServer(async ({ url, arrived }) => {
    const { send } = smtpMailer({ url, from, fromDomain: 'app.example.com', clock: systemClock() })
    const names = { sendFromEmailSenderName: 'App', replyToEmailAddress: 'help@app.example.com' }
    right(await send({ ...mail, ...names, sendFromEmailAddress: 'hello@App.example.com' })())
    right(
      await send({
        ...mail,
        ...names,
        sendFromEmailAddress: 'hello@evilapp.example.com',
        replyToEmailAddress: 'a@b.example',
      })(),
    )
    assert.equal(
      arrived.map(({ mail: { from: sender, replyTo } }) => [sender?.name, sender?.address, replyTo?.[0]?.address]),
      [
        ['App', 'hello@app.example.com', 'help@app.example.com'],
        ['Notifications', from, undefined],
      ],
    )
  }))

it('fill templates, whose values are escaped', () =>
  withServer(async ({ url, arrived }) => {
    const templates = await mkdtemp(join(tmpdir(), 'templates-'))
    try {
      await writeFile(
        join(templates, `${TEMPLATE}.html`),
        '<p>{{ .OtpCode }} {{index .TemplateVariables "who"}} {{ .Nothing }}</p>',
      )
      await writeFile(join(templates, `${TEMPLATE}.txt`), '{{.OtpCode}} for {{ index .TemplateVariables "who" }}')
      const { send } = smtpMailer({ url, from, templates, clock: systemClock() })
      const values = { templateVariables: { who: '<Ada & co.>' } }
      right(await send({ ...mail, templateId: TEMPLATE, ...values })())
      assert.is(arrived[0]?.mail.html?.trim(), '<p>7F3K9Q &lt;Ada &amp; co.&gt; </p>')
      assert.is(arrived[0]?.mail.text?.trim(), '7F3K9Q for <Ada & co.>')
      const other = `${TEMPLATE.slice(0, -1)}2`
      assert.is(codeOf(await send({ ...mail, templateId: other })()), 'REQUEST_INVALID')
      assert.is(codeOf(await send({ ...mail, templateId: '../../etc/passwd' })()), 'REQUEST_INVALID')
    } finally {
      await rm(templates, { recursive: true })
    }
  }))

it('tell of a server that refuses, and nothing of what they were to say', async () => {
  const refusing = (responseCode: number) => ({
    onRcptTo: (_: unknown, __: unknown, done: (error?: Error) => void) =>
      done(Object.assign(new Error('ada@example.com 7F3K9Q'), { responseCode })),
  })
  for (const [responseCode, code] of [
    [550, 'REQUEST_INVALID'],
    [450, 'UNAVAILABLE'],
  ] as const)
    await withServer(async ({ url }) => {
      const refused = await smtpMailer({ url, from, clock: systemClock() }).send(mail)()
      assert.is(codeOf(refused), code)
      assert.not.match(JSON.stringify(refused), /ada@|7F3K9Q|password|127\.0\.0\.1/)
    }, refusing(responseCode))
  const nobody = await smtpMailer({ url: 'smtp://a:secret@127.0.0.1:1', from, clock: systemClock() }).send(mail)()
  assert.is(codeOf(nobody), 'UNAVAILABLE')
  assert.not.match(JSON.stringify(nobody), /secret|ada@/)
})

it('give up a server that says nothing, and keep the places of others', async () => {
  const { url, sockets, close } = await badMailServer('says nothing')
  const clock = testClock()
  const { send } = smtpMailer({ url, from, giveUpMs: HOUR_MS, clock })
  try {
    const waiting = Array.from({ length: 8 }, () => send(mail)())
    await until(() => sockets.length === 8)
    assert.is(codeOf(await send(mail)()), 'RATE_LIMIT_EXCEEDED')
    const other = send({ ...mail, organizationId: 'b' })()
    await until(() => sockets.length === 9)
    clock.pass(HOUR_MS)
    const outcomes = await Promise.all([...waiting, other])
    assert.ok(outcomes.every((outcome) => E.isLeft(outcome) && outcome.left.code === 'UNAVAILABLE'))
    const again = send(mail)()
    await until(() => sockets.length === 10)
    clock.pass(HOUR_MS)
    assert.is(codeOf(await again), 'UNAVAILABLE')
  } finally {
    await close()
  }
})

it.run()
