import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { nothingBut, PaymentMethodId } from './card-numbers.ts'
import { findPaymentMethod, replacePaymentMethod } from './payment-method.ts'

const Deleted = t.fields({ paymentMethodId: t.string })

/** An id that is null, or left out, means the present payment method, whichever it is. */
export const deletePaymentMethod = operation({
  type: 'ACTIVITY_TYPE_DELETE_PAYMENT_METHOD',
  path: 'delete_payment_method',
  summary: 'Deletes the payment method of the organization.',
  resource: 'PAYMENT_METHOD',
  action: 'DELETE',
  intent: t.fields(
    { paymentMethodId: t.defaulted(t.union([PaymentMethodId, t.null]), null) },
    {},
    nothingBut('paymentMethodId'),
  ),
  result: Deleted,
  change: Deleted,

  execute: (intent, { organization }) => {
    const { paymentMethodId } = findPaymentMethod(intent.paymentMethodId, organization)
    return { result: { paymentMethodId }, change: { paymentMethodId } }
  },

  evolve: (draft, _, { sequence }) => replacePaymentMethod(draft, undefined, sequence),
})
