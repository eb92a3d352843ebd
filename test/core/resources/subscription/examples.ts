import { activateBillingTier } from '../../../../core/resources/subscription/activate-billing-tier.ts'
import { example } from '../example.ts'

export const examples = [
  example(activateBillingTier, {
    valid: ({ text }) => ({ productId: text('productId'), orbPlanId: text('orbPlanId') }),
    refused: [{ productId: '' }, 'REQUEST_INVALID'],
  }),
]
