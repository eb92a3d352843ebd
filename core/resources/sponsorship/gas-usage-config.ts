import * as t from '../../codec/t.ts'
import { state } from '../../organization/state.ts'

export const SolanaConfig = t.fields({}, { rentPrefundEnabled: t.boolean })

/** The limits are in US dollars, for each window of so many minutes. */
export const GasUsageConfig = t.fields(
  {
    gasUsageConfigId: t.string,
    orgWindowLimitUsd: t.string,
    subOrgWindowLimitUsd: t.string,
    windowDurationMinutes: t.string,
  },
  { enabled: t.boolean, solanaConfig: SolanaConfig },
)
type GasUsageConfig = t.TypeOf<typeof GasUsageConfig>

/** How much gas the organization pays for others, and its sub-organizations for theirs. Nothing is paid here yet. */
export const gasUsage = state({
  name: 'gas-usage',
  version: 1,
  codec: t.fields({}, { config: GasUsageConfig }),
  initial: (): { config?: GasUsageConfig | undefined } => ({}),
})
