import { existsSync } from 'node:fs'
import type { Services } from '../../core/definition/port.ts'
import type { Mailer } from '../../core/ports/mailer.ts'
import type { Sms } from '../../core/ports/sms.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { nodeContainer, tokens } from '../container.ts'
import { consoleMailer, smtpMailer } from '../mail/index.ts'
import { consoleSms, twilioSms } from '../sms/index.ts'
import { say } from './print.ts'
import { readText } from './read-text.ts'
import { unusable } from './stop.ts'

/** What sends mails and short messages, by the flags. */
export type MessageOptions = {
  readonly host: string
  /** `smtp://…`, `smtps://…`, `console:` or `@FILE` with such a URL. */
  readonly mail?: string
  readonly mailFrom?: string
  readonly mailFromDomain?: string
  readonly mailTemplates?: string
  /** `twilio+https://…`, `console:` or `@FILE` with such a URL. */
  readonly sms?: string
  readonly sandboxContacts: boolean
}

/** The services of the ports `mailer`, `sms` and `sandboxContacts`. */
export const openMessages = async (options: MessageOptions): Promise<Services> => ({
  mailer: await mailerOf(options),
  sms: await smsOf(options),
  sandboxContacts: options.sandboxContacts,
})

const clock = (): Clock => nodeContainer().resolve(tokens.clock)

const CONSOLE = 'console:'
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** A password does not belong into the arguments of a process: a file can have the URL. */
const urlOf = async (given: string): Promise<string> =>
  given.startsWith('@') ? (await readText(given.slice(1))).trim() : given

/** Prints what others send. Whoever reads the terminal of a public server would have everybody's codes. */
const mayPrint = (flag: string, host: string): void => {
  if (!LOOPBACK.has(host)) throw unusable(`${flag} ${CONSOLE} is for a server on 127.0.0.1 alone: it prints codes`)
}

const mailerOf = async ({
  host,
  mail,
  mailFrom,
  mailFromDomain,
  mailTemplates,
}: MessageOptions): Promise<Mailer | undefined> => {
  if (mail === undefined) return undefined
  const url = await urlOf(mail)
  if (url === CONSOLE) {
    mayPrint('--mail', host)
    return consoleMailer((text) => say(...text.split('\n')))
  }
  if (!/^smtps?:\/\//.test(url) || !URL.canParse(url))
    throw unusable(`--mail: expected smtp://HOST, smtps://HOST or ${CONSOLE}`)
  if (mailFrom === undefined) throw unusable('--mail needs --mail-from, the address that mails are from')
  if (mailTemplates !== undefined && !existsSync(mailTemplates))
    throw unusable(`--mail-templates: there is no folder ${mailTemplates}`)
  return smtpMailer({ url, from: mailFrom, fromDomain: mailFromDomain, templates: mailTemplates, clock: clock() })
}

const TWILIO = 'twilio+'

const smsOf = async ({ host, sms }: MessageOptions): Promise<Sms | undefined> => {
  if (sms === undefined) return undefined
  const url = await urlOf(sms)
  if (url === CONSOLE) {
    mayPrint('--sms', host)
    return consoleSms(say)
  }
  const place = url.slice(TWILIO.length)
  if (!url.startsWith(`${TWILIO}https://`) || !URL.canParse(place))
    throw unusable(`--sms: expected twilio+https://ACCOUNT:TOKEN@HOST/?From=NUMBER or ${CONSOLE}`)
  return twilioSms({ url: place, clock: clock() })
}
