import { refuse, valueOf } from '../../definition/refuse.ts'
import type { Mail, Mailer, SentMail } from '../../ports/mailer.ts'
import type { ShortMessage, Sms } from '../../ports/sms.ts'
import type { DaySecrets } from '../deployment-key/day-secrets.ts'
import { normalContact, type Contact } from '../verification/contact.ts'

/* Sends codes and credentials, no more of them than a person wants to get. */

/** Sends a mail, where the server has a mailer. */
export const mailed = async (mailer: Mailer | undefined, mail: Mail): Promise<SentMail> => {
  if (mailer === undefined)
    throw refuse('EMAIL_SENDING_DISABLED', 'this server sends no e-mail: it was started without --mail')
  return valueOf(await mailer.send(mail)())
}

/** Sends a short message, where the server can. */
export const texted = async (sms: Sms | undefined, message: ShortMessage): Promise<void> => {
  if (sms === undefined)
    throw refuse('EMAIL_SENDING_DISABLED', 'this server sends no short messages: it was started without --sms')
  valueOf(await sms.send(message)())
}

const WINDOW_MS = 3 * 60 * 1000
const PER_WINDOW = 3
const DAY_MS = 24 * 60 * 60 * 1000
const PER_DAY = 30

export type Sending = Contact & {
  /** The organization on top: those below it send together. */
  readonly topId: string
  readonly userIdentifier?: string | undefined
  readonly activityId: string
  readonly atMs: number
}

/** Counts what is sent, before it is sent: by the identifier that the request gives and by contact, in each three minutes; and by contact in each day. */
export const countSending = async (secrets: DaySecrets, sending: Sending): Promise<void> => {
  const { topId, userIdentifier, activityId, atMs } = sending
  const contact = `contact ${topId} ${normalContact(sending)}`
  const within = async (name: string, ms: number, max: number): Promise<void> => {
    const number = Math.floor(atMs / ms)
    const taking = { name: `sent ${ms} ${number} ${name}`, owner: activityId, max }
    if (!valueOf(await secrets.take(taking, (number + 1) * ms - 1)()))
      throw refuse('MAX_OTP_INITIATED', 'Max number of OTPs have been initiated')
  }
  // First, so that whoever asks too often does not use up what is left to a contact.
  if (userIdentifier !== undefined && userIdentifier !== '')
    await within(`identifier ${topId} ${userIdentifier}`, WINDOW_MS, PER_WINDOW)
  await within(contact, WINDOW_MS, PER_WINDOW)
  await within(contact, DAY_MS, PER_DAY)
}
