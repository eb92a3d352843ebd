import * as t from 'io-ts'
import { refined } from './codec.ts'

/*
 * The rules that definitions of the wire name beside a text (`required`, `email`, `hexadecimal`, `numeric`, `max`): a codec for each, so
 * that members with the same rule refuse the same texts. `uuid`, `tk_label` and `tk_label_length` are `Uuid` and `Label`.
 */

/** A text of at least one character, and at most `max`. Without a `max` of the wire, 4,096: states and answers hold what is kept. */
export const textUpTo = (max: number): t.Type<string, string, unknown> =>
  refined(
    t.string,
    `a text of 1 to ${max} characters`,
    (text) => text !== '' && text.length <= max && text.isWellFormed(),
  )
export const Text = textUpTo(4_096)

/** A text that the wire lets a request leave out; the empty text means none. */
export const TextOrEmpty = refined(
  t.string,
  'a text of at most 4096 characters',
  (text) => text === '' || Text.is(text),
)

// The pattern that HTML gives for input of type email, with at least one dot in the domain.
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const isEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text)

export const Email = refined(t.string, 'an e-mail address', isEmail)

/** As on the wire, the empty text means none. */
export const EmailOrEmpty = refined(t.string, 'an e-mail address', (text) => text === '' || isEmail(text))

const E164 = /^\+[1-9][0-9]{6,14}$/

/** A telephone number in E.164, with a plus sign. The empty text means none. */
export const PhoneNumberOrEmpty = refined(
  t.string,
  'a phone number in E.164 format',
  (text) => text === '' || E164.test(text),
)

/** Bytes in hexadecimal digits, at most 4,096 characters of them. */
export const Hexadecimal = refined(
  t.string,
  'bytes in hexadecimal digits',
  (text) => text.length <= 4_096 && /^(?:[0-9a-f]{2})+$/i.test(text),
)

/** A number in decimal digits, perhaps with a fraction. */
export const Numeric = refined(t.string, 'a number in decimal digits', (text) =>
  /^[0-9]{1,30}(?:\.[0-9]{1,18})?$/.test(text),
)
