import type { Failure } from '../failure.ts'
import type { TE } from '../prelude.ts'

/** What a mail is to say. The words are the mailer's, or those of a template. */
export type Mail = {
  /** Whose mail it is: the mailer bounds what one organization sends at once. */
  readonly organizationId: string
  /** An e-mail address. */
  readonly to: string
  /** A one-time code; a credential that signs in, or one that replaces a lost passkey, both as bundles. */
  readonly what: 'code' | 'credential' | 'recovery'
  /** The code, or the bundle. It stands in no log. */
  readonly secret: string
  readonly appName?: string | undefined
  /** Of a PNG. */
  readonly logoUrl?: string | undefined
  /** A URL with one `%s`, where the secret goes. */
  readonly magicLinkTemplate?: string | undefined
  /** A UUID. */
  readonly templateId?: string | undefined
  readonly templateVariables?: { readonly [name: string]: unknown } | undefined
  /** Each is followed where the mailer sends for its domain, and left out otherwise. */
  readonly sendFromEmailAddress?: string | undefined
  readonly sendFromEmailSenderName?: string | undefined
  readonly replyToEmailAddress?: string | undefined
}

/** What is known of a mail that a server has taken. */
export type SentMail = { readonly messageId: string; readonly from: string }

/**
 * Sends mails. Operations name it as the port `mailer`.
 *
 * `send` succeeds when a mail server has taken the mail. It fails with `REQUEST_INVALID` for a template that is not there, with `RATE_LIMIT_EXCEEDED`
 * where the organization sends too many at once, and with `UNAVAILABLE` where the server does not answer within ten seconds: then the mail may
 * have gone. No failure names the secret.
 */
export interface Mailer {
  readonly send: (mail: Mail) => TE.TaskEither<Failure, SentMail>
}
