import * as t from '../../codec/t.ts'
import { state } from '../../organization/state.ts'

/** A tier of a price list. Nothing is paid for it here, and nothing depends on it. */
const BillingTier = t.fields({ productId: t.string, activatedAtMs: t.number }, { orbPlanId: t.string })
type BillingTier = t.TypeOf<typeof BillingTier>

/** The billing tier that was activated last. */
export const subscription = state({
  name: 'subscription',
  version: 1,
  codec: t.fields({}, { tier: BillingTier }),
  initial: (): { tier?: BillingTier | undefined } => ({}),
})
