import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { nothingBut } from './card-numbers.ts'
import { findPaymentMethod, paymentMethod, replacePaymentMethod } from './payment-method.ts'

const Bills = t.fields({ payerId: t.subject(t.string), paymentEmail: t.personal(t.string, '') })

export const updatePaymentMethod = operation({
  type: 'ACTIVITY_TYPE_UPDATE_PAYMENT_METHOD',
  path: 'update_payment_method',
  summary: 'Records the e-mail address for bills beside the payment method of the organization.',
  resource: 'PAYMENT_METHOD',
  action: 'UPDATE',
  intent: t.fields({ paymentEmail: t.Email }, {}, nothingBut('paymentEmail')),
  /** On the wire without `payerId`. */
  result: Bills,
  change: Bills,
  subjects: (_, __, activityId) => [activityId],

  execute: ({ paymentEmail }, { organization, activityId }) => {
    findPaymentMethod(null, organization)
    const bills = { payerId: activityId, paymentEmail }
    return { result: bills, change: bills }
  },

  evolve: (draft, bills, { sequence }) => {
    const { present } = paymentMethod.in(draft)
    if (present !== undefined) replacePaymentMethod(draft, { ...present, bills }, sequence)
  },

  encodeResult: ({ paymentEmail }) => ({ paymentEmail }),
})
