import type { Rule } from '../../codec/fields.ts'
import * as t from '../../codec/t.ts'

/*
 * A stamped body is kept as a whole, so the number of a card must not be in one: neither in a member that reading would drop, as in a body
 * of the first version under the type of the second, nor in the place of another text.
 */

const CARD_NUMBER = /^\s*[0-9](?:[ -]?[0-9]){11,18}\s*$/

const noCardNumber = (codec: t.Type<string, string, unknown>, expected: string): t.Type<string, string, unknown> =>
  t.refined(codec, expected, (text) => !CARD_NUMBER.test(text))

export const PaymentMethodId = noCardNumber(
  t.textUpTo(256),
  'the id that the payment provider gave, of 1 to 256 characters',
)
export const CardHolderName = noCardNumber(t.Label, 'a name of 1 to 256 printable characters')

/** A rule that takes no other members than these. It does not name those that it refuses: a name could be the number itself. */
export const nothingBut =
  (...members: readonly string[]): Rule<unknown> =>
  (_, given) =>
    Object.keys(given).every((member) => members.includes(member))
      ? undefined
      : { member: '', expected: `no members but ${members.join(', ')}, so that no number of a card is kept` }
