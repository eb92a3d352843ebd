import { resource } from '../../definition/resource.ts'
import { activateBillingTier } from './activate-billing-tier.ts'
import { subscription } from './subscription.ts'

export { activateBillingTier, subscription }

export const subscriptionResource = resource({
  name: 'subscriptions',
  states: [subscription],
  operations: [activateBillingTier],
})
