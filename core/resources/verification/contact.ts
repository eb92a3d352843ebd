import * as t from '../../codec/t.ts'
import { invalidAt } from '../../codec/codec.ts'
import { refuse } from '../../definition/refuse.ts'
import type { Organization } from '../../organization/state.ts'
import { users, type User } from '../../organization/users.ts'

/* What a code is sent to. */

export const OtpType = t.keyof({ OTP_TYPE_EMAIL: null, OTP_TYPE_SMS: null })
export type OtpType = t.TypeOf<typeof OtpType>

export type Contact = { readonly otpType: OtpType; readonly contact: string }

/** As contacts are compared: e-mail addresses in lower case. */
export const normalContact = ({ otpType, contact }: Contact): string =>
  otpType === 'OTP_TYPE_EMAIL' ? contact.toLowerCase() : contact

/** Whether a text is a contact of this type. */
export const isContact = ({ otpType, contact }: Contact): boolean =>
  otpType === 'OTP_TYPE_EMAIL' ? t.Email.is(contact) : contact !== '' && t.PhoneNumberOrEmpty.is(contact)

const NO_EMAIL = { field: 'contact', description: 'expected an e-mail address' }

/** Refuses a contact that is none. */
export const admitContact = (given: Contact): void => {
  if (isContact(given)) return
  if (given.otpType === 'OTP_TYPE_SMS') throw refuse.field('contact', 'a phone number in E.164 format')
  const { message, details } = invalidAt('parameters', [NO_EMAIL])
  throw refuse('INVALID_EMAIL', message, details)
}

/** The contact of a user of this type; `undefined` if they have none. */
export const contactOf = (user: Pick<User, 'userEmail' | 'userPhoneNumber'>, otpType: OtpType): string | undefined =>
  otpType === 'OTP_TYPE_EMAIL' ? user.userEmail : user.userPhoneNumber

/** Whether it is the contact of the user. */
export const hasContact = (user: Parameters<typeof contactOf>[0], { otpType, contact }: Contact): boolean => {
  const own = contactOf(user, otpType)
  return own !== undefined && normalContact({ otpType, contact: own }) === normalContact({ otpType, contact })
}

/** The users who have the contact, the oldest first. */
export const usersWith = (organization: Organization, contact: Contact): readonly User[] =>
  [...users.of(organization).values()].filter((user) => hasContact(user, contact))

/** The user who is meant: the oldest one with the contact. */
export const userWith = (organization: Organization, contact: Contact): User => {
  const [oldest] = usersWith(organization, contact)
  if (oldest === undefined) throw refuse('RESOURCE_NOT_FOUND', 'no user of the organization has this contact')
  return oldest
}
