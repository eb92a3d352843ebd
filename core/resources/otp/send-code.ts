import * as t from '../../codec/t.ts'
import type { CheckContext } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Mailer } from '../../ports/mailer.ts'
import type { Sms } from '../../ports/sms.ts'
import { DAY_SECRETS, type DaySecrets } from '../deployment-key/day-secrets.ts'
import { insideWork } from '../inside-work.ts'
import { admitContact, normalContact, OtpType, usersWith, type Contact } from '../verification/contact.ts'
import { featureOf, needsFeature } from './contact-features.ts'
import {
  customized,
  EmailCustomization,
  EmailCustomizationV2,
  senders,
  SmsCustomization,
  textWith,
} from './customization.ts'
import { codeOf, otpIdOf, type Handle } from './handle.ts'
import { secondsUpTo } from './seconds.ts'
import { countSending, mailed, texted } from './sending.ts'

/* What all activities have in common that send a code. */

const LENGTH = 9
/** The life of a code, in seconds, where the request does not say, and the longest. */
const [SECONDS, SECONDS_MAX] = [300, 600]

const OtpLength = t.refined(t.Integer, 'a number from 6 to 9', (number) => number >= 6 && number <= 9)
const Seconds = secondsUpTo(SECONDS_MAX)

const to = { otpType: OtpType, contact: t.string }
const more = { smsCustomization: SmsCustomization, userIdentifier: t.TextOrEmpty, ...senders }
const kindOfCode = { otpLength: OtpLength, alphanumeric: t.boolean }

/** The forms of the wire: the name of the app stands in the customization first, and beside it later. */
export const First = t.fields(to, { emailCustomization: EmailCustomization, ...more })
export const WithKind = t.fields(to, { emailCustomization: EmailCustomization, ...more, ...kindOfCode })
export const WithSeconds = t.fields(to, {
  emailCustomization: EmailCustomization,
  ...more,
  ...kindOfCode,
  expirationSeconds: Seconds,
})
export const WithApp = t.fields(
  { ...to, appName: t.Label },
  { emailCustomization: EmailCustomizationV2, ...more, ...kindOfCode, expirationSeconds: Seconds },
)
export type SendsCode = t.TypeOf<typeof WithSeconds>

export const fromWithApp = ({ appName, emailCustomization, ...intent }: t.TypeOf<typeof WithApp>): SendsCode => ({
  ...intent,
  emailCustomization: { ...emailCustomization, appName },
})

export const admitCode = ({ otpType, contact }: Contact): void => admitContact({ otpType, contact })

/** The users of the organization who have the contact. Whoever is no user has nobody to erase the request for. */
export const subjectsOf = (
  { otpType, contact }: Contact,
  organization: Parameters<typeof usersWith>[0],
): readonly string[] => usersWith(organization, { otpType, contact }).map(({ userId }) => userId)

/** What the work is given. It does not rest on whether anybody has the contact. */
export const codeToSend = (intent: SendsCode, { organization }: Pick<CheckContext, 'organization'>) => {
  admitContact(intent)
  needsFeature(organization, featureOf(intent.otpType))
  const { organizationId } = organization
  return { organizationId, topId: parentOf(organization) ?? organizationId, intent }
}

export const sendsCode = {
  ...insideWork,
  needs: {
    [DAY_SECRETS]: port<DaySecrets>(),
    mailer: port<Mailer>(),
    sms: port<Sms>(),
    sandboxContacts: port<boolean>(),
  },
  whenMissing: 'unsupported',
} as const

type Ports = {
  readonly [DAY_SECRETS]: DaySecrets
  readonly mailer?: Mailer | undefined
  readonly sms?: Sms | undefined
  readonly sandboxContacts?: boolean | undefined
}

/** The contacts of the official clients' trials: nothing is sent there, and the code is all zeros. */
const SANDBOX = new Set(['user@example.com', '+19999999999'])
const SANDBOX_LENGTH = 6

/** What was sent, for the record: nothing of a short message, or of a trial. */
export const SentCode = t.fields({}, { messageId: t.string, from: t.string, to: t.string })

/** Sends a code, and gives its id. */
export const sendCode = async (
  { organizationId, topId, intent }: ReturnType<typeof codeToSend>,
  generation: Handle['generation'],
  { ports, activityId, atMs }: { readonly ports: Ports; readonly activityId: string; readonly atMs: number },
): Promise<{ readonly otpId: string; readonly handle: Handle; readonly sent: t.TypeOf<typeof SentCode> }> => {
  const { otpType, contact, otpLength = LENGTH, alphanumeric = true, expirationSeconds } = intent
  const secrets = ports[DAY_SECRETS]
  const isSandbox =
    ports.sandboxContacts === true &&
    !alphanumeric &&
    otpLength === SANDBOX_LENGTH &&
    SANDBOX.has(normalContact({ otpType, contact }))
  const handle: Handle = {
    activityId,
    organizationId,
    otpType,
    contact,
    length: otpLength,
    alphanumeric,
    generation,
    endsAtMs: atMs + Number(expirationSeconds || SECONDS) * 1000,
    ...(isSandbox && { isSandbox }),
  }
  const otpId = await otpIdOf(secrets, handle)
  if (isSandbox) return { otpId, handle, sent: {} }
  await countSending(secrets, { otpType, contact, topId, userIdentifier: intent.userIdentifier, activityId, atMs })
  const code = codeOf(secrets, otpId, handle)
  const { emailCustomization = {}, smsCustomization } = intent
  if (otpType === 'OTP_TYPE_SMS') {
    const text = textWith(smsCustomization?.template, code, emailCustomization.appName)
    await texted(ports.sms, { organizationId, to: contact, text })
    return { otpId, handle, sent: {} }
  }
  const how = customized(emailCustomization, intent)
  const mail = await mailed(ports.mailer, { organizationId, to: contact, what: 'code', secret: code, ...how })
  return { otpId, handle, sent: { ...mail, to: secrets.nameOf(normalContact({ otpType, contact })) } }
}
