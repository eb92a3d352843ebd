import * as t from '../../codec/t.ts'
import type { CheckContext } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { valueOf } from '../../definition/refuse.ts'
import { isPublicKey } from '../../keys/public-key.ts'
import type { FeatureName } from '../../organization/features.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import type { Keyring } from '../../ports/keyring.ts'
import type { Mail, Mailer } from '../../ports/mailer.ts'
import { ExpirationSeconds } from '../api-key/api-key-params.ts'
import { admitAfterDeletions } from '../api-key/new-api-keys.ts'
import { TargetPublicKey } from '../bundle/bundle.ts'
import { DAY_SECRETS, type DaySecrets } from '../deployment-key/day-secrets.ts'
import { insideWork } from '../inside-work.ts'
import { needsFeature } from '../otp/contact-features.ts'
import {
  customized,
  EmailCustomization,
  EmailCustomizationWithApp,
  senders,
  type Senders,
} from '../otp/customization.ts'
import { SentCode } from '../otp/send-code.ts'
import { countSending, mailed } from '../otp/sending.ts'
import { credentialBundle } from '../session/credential-bundle.ts'
import { sessionSeconds } from '../session/issued-keys.ts'
import { normalContact, userWith, usersWith } from '../verification/contact.ts'

/* What mails of credentials have in common: a key is made for a client, and its private half is mailed, encrypted to the client's key. */

const wanted = { email: t.Email, targetPublicKey: TargetPublicKey }
const mailMaybe = { expirationSeconds: ExpirationSeconds, ...senders }

export const formsWith = <More extends t.Props>(more: More) => ({
  older: t.fields(wanted, { ...mailMaybe, ...more, emailCustomization: EmailCustomization }),
  newer: t.fields({ ...wanted, emailCustomization: EmailCustomizationWithApp }, { ...mailMaybe, ...more }),
})

export type MailsCredential = Senders & {
  readonly email: string
  readonly targetPublicKey: string
  readonly expirationSeconds?: string | undefined
  readonly emailCustomization?: EmailCustomization | undefined
}

const contactIn = ({ email }: Pick<MailsCredential, 'email'>) =>
  ({ otpType: 'OTP_TYPE_EMAIL', contact: email }) as const

export const usersNamed = (intent: Pick<MailsCredential, 'email'>, organization: Organization): readonly string[] =>
  usersWith(organization, contactIn(intent)).map(({ userId }) => userId)

export const toMail = (intent: MailsCredential, feature: FeatureName, context: CheckContext) => {
  const { organization, atMs } = context
  needsFeature(organization, feature)
  const user = userWith(organization, contactIn(intent))
  admitAfterDeletions(user, atMs)
  sessionSeconds(intent.expirationSeconds, undefined, context)
  const { organizationId } = organization
  const { userId, userEmail: to = intent.email } = user // not as the request spells it: somebody else may get that mail
  return { organizationId, topId: parentOf(organization) ?? organizationId, userId, to, intent }
}

/** What the work brings: the bundle goes by mail alone. */
export const Mailed = t.fields({ userId: t.subject(t.string), publicKey: t.string, sent: SentCode })

export const mailsCredential = {
  ...insideWork,
  needs: { [DAY_SECRETS]: port<DaySecrets>(), keyring: port<Keyring>(), mailer: port<Mailer>() },
  whenMissing: 'unsupported',
  performed: Mailed,
} as const

export const NEEDED = [DAY_SECRETS, 'keyring']

export const mailCredential = async (
  { organizationId, topId, userId, to, intent }: ReturnType<typeof toMail>,
  what: Mail['what'],
  {
    ports,
    activityId,
    atMs,
  }: {
    readonly ports: {
      readonly [DAY_SECRETS]: DaySecrets
      readonly keyring: Keyring
      readonly mailer?: Mailer | undefined
    }
    readonly activityId: string
    readonly atMs: number
  },
): Promise<t.TypeOf<typeof Mailed>> => {
  const { targetPublicKey, emailCustomization = {} } = intent
  const contact = contactIn(intent)
  await countSending(ports[DAY_SECRETS], { ...contact, topId, activityId, atMs })
  const { publicKey, encrypted } = valueOf(await ports.keyring.issueKey(targetPublicKey)())
  const secret = credentialBundle(encrypted)
  const mail = { organizationId, to, what, secret, ...customized(emailCustomization, intent) }
  const sent = await mailed(ports.mailer, mail)
  return { userId, publicKey, sent: { ...sent, to: ports[DAY_SECRETS].nameOf(normalContact(contact)) } }
}

export const isMailed = (
  { userId, publicKey }: t.TypeOf<typeof Mailed>,
  checked: { readonly userId: string },
): boolean => userId === checked.userId && isPublicKey('CURVE_P256', publicKey)
