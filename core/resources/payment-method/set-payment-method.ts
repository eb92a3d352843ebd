import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { CardHolderName, nothingBut, PaymentMethodId } from './card-numbers.ts'
import { replacePaymentMethod } from './payment-method.ts'

const cardHolder = {
  cardHolderId: t.subject(t.string),
  cardHolderName: t.personal(t.string, ''),
  cardHolderEmail: t.personal(t.string, ''),
}

/**
 * The payment provider knows the card by the id; nobody here does, so `lastFour` of the result is empty. The first version is refused on
 * purpose: it carries the number of the card.
 */
export const setPaymentMethod = operation({
  type: 'ACTIVITY_TYPE_SET_PAYMENT_METHOD_V2',
  path: 'set_payment_method',
  summary:
    'Records the payment method of the organization, by the id that the payment provider gave, in place of the one before.',
  resource: 'PAYMENT_METHOD',
  action: 'UPDATE',
  intent: t.fields(
    { paymentMethodId: PaymentMethodId, cardHolderEmail: t.Email, cardHolderName: CardHolderName },
    {},
    nothingBut('paymentMethodId', 'cardHolderEmail', 'cardHolderName'),
  ),
  /** On the wire without `cardHolderId`. */
  result: t.fields({ lastFour: t.string, ...cardHolder }),
  change: t.fields({ paymentMethodId: t.string, ...cardHolder }),
  subjects: (_, __, activityId) => [activityId],

  execute: ({ paymentMethodId, ...holder }, { activityId }) => {
    const held = { cardHolderId: activityId, ...holder }
    return { result: { lastFour: '', ...held }, change: { paymentMethodId, ...held } }
  },

  evolve: (draft, method, { sequence }) => replacePaymentMethod(draft, method, sequence),

  encodeResult: ({ lastFour, cardHolderName, cardHolderEmail }) => ({ lastFour, cardHolderName, cardHolderEmail }),
})
