import * as t from '../../codec/t.ts'

// The pattern that HTML gives for input of type email, with at least one dot in the domain.
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const E164 = /^\+[1-9][0-9]{6,14}$/

/** An e-mail address. As on the wire, the empty text means none. */
export const Email = t.refined(t.string, 'an e-mail address', (s) => s === '' || (s.length <= 254 && EMAIL.test(s)))

/** A telephone number in E.164, with a plus sign. The empty text means none. */
export const PhoneNumber = t.refined(t.string, 'a phone number in E.164 format', (s) => s === '' || E164.test(s))
