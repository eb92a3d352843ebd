import type { Transporter } from 'nodemailer'
import { failure, type Failure } from '../../core/failure.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { isWithin } from '../../core/ports/is-within.ts'
import type { Mail, Mailer, SentMail } from '../../core/ports/mailer.ts'
import { E } from '../../core/prelude.ts'
import { boundedPerOrganization } from '../../core/ports/at-once.ts'
import { contentOf, oneLine } from './mail-content.ts'
import { templateIn } from './templates.ts'

export type SmtpMailerOptions = {
  /** `smtp://user:password@host:port`, or `smtps://…` for TLS from the first byte. */
  readonly url: string
  /** The address that mails are from. */
  readonly from: string
  /** The domain whose addresses requests may name as sender and for answers. Default: none. */
  readonly fromDomain?: string | undefined
  /** The folder with templates. Default: there are none. */
  readonly templates?: string | undefined
  /** Certificates of authorities in place of those of Node, as PEM. */
  readonly ca?: string | undefined
  /** After how many milliseconds nobody waits for the mail server any more. Default: 9000. */
  readonly giveUpMs?: number | undefined
  /** By which it gives up: `systemClock()`. */
  readonly clock: Clock
}

/** Whoever waits for the answer has it within ten seconds, whatever else there is to do. */
const GIVE_UP_MS = 9_000
const SENDER = 'Notifications'

/** Sends mails by SMTP. The library loads with the first mail. */
export const smtpMailer = (options: SmtpMailerOptions): Mailer => {
  const { clock, templates, giveUpMs = GIVE_UP_MS } = options
  const bounded = boundedPerOrganization()
  let transport: Promise<Transporter> | undefined

  const deliver = async (mail: Mail): Promise<E.Either<Failure, SentMail>> => {
    const template = mail.templateId === undefined ? E.right(undefined) : await templateIn(templates, mail.templateId)
    if (E.isLeft(template)) return template
    const from = ownAddress(mail.sendFromEmailAddress, options)
    const name = from === undefined ? SENDER : oneLine(mail.sendFromEmailSenderName ?? SENDER)
    const replyTo = ownAddress(mail.replyToEmailAddress, options)
    const sender = from ?? options.from
    try {
      transport ??= transportTo(options)
      const { messageId } = await (
        await transport
      ).sendMail({
        from: { name, address: sender },
        to: { name: '', address: mail.to },
        ...(replyTo !== undefined && { replyTo }),
        ...contentOf(mail, template.right),
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      return E.right({ messageId, from: sender })
    } catch (error) {
      return E.left(failureOf(error))
    }
  }

  return {
    send: (mail) =>
      bounded(mail.organizationId, async () => {
        const sent = deliver(mail)
        return (await isWithin(clock, giveUpMs, sent)) ? sent : E.left(gaveUp)
      }),
  }
}

const transportTo = async ({ url, ca, giveUpMs = GIVE_UP_MS }: SmtpMailerOptions): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer')
  const waits = { connectionTimeout: giveUpMs, greetingTimeout: giveUpMs, socketTimeout: giveUpMs }
  return createTransport({ url, ...waits, ...(ca !== undefined && { tls: { ca } }) })
}

/** An address of the request, where it is of the domain for which mails may be sent. */
const ownAddress = (address: string | undefined, { fromDomain }: SmtpMailerOptions): string | undefined =>
  fromDomain !== undefined && address?.toLowerCase().endsWith(`@${fromDomain.toLowerCase()}`) === true
    ? address
    : undefined

const gaveUp = failure('UNAVAILABLE', 'the mail server does not answer; the mail may have gone')
const refused = failure('REQUEST_INVALID', 'the mail server takes no mail for this address')

/** What the library says may quote the address, the password or the mail: nothing of it is said again. */
const failureOf = (error: unknown): Failure => {
  const { code, responseCode = 0 } = error as { readonly code?: unknown; readonly responseCode?: number }
  return code === 'EENVELOPE' && responseCode >= 500
    ? refused
    : failure('UNAVAILABLE', 'the mail server does not take the mail now')
}
