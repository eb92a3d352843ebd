import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { subscription } from './subscription.ts'

export const activateBillingTier = operation({
  type: 'ACTIVITY_TYPE_ACTIVATE_BILLING_TIER',
  path: 'activate_billing_tier',
  summary: 'Records the billing tier of the organization, in place of the one before.',
  resource: 'SUBSCRIPTION',
  action: 'CREATE',
  intent: t.fields({ productId: t.Text }, { orbPlanId: t.TextOrEmpty }),
  result: t.fields({ productId: t.string }),
  change: t.fields({ productId: t.string }, { orbPlanId: t.string }),

  execute: (intent) => ({ result: { productId: intent.productId }, change: intent }),

  evolve: (draft, tier, { atMs }) => {
    subscription.in(draft).tier = { ...tier, activatedAtMs: atMs }
  },
})
