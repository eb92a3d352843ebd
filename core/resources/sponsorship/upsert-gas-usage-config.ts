import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { GasUsageConfig, gasUsage, SolanaConfig } from './gas-usage-config.ts'

/** Thirty days. */
const WINDOW_MINUTES_MAX = 43_200

/** An organization has one configuration, which keeps its id. `enabled` and `solanaConfig` stay as they were if they are left out. */
export const upsertGasUsageConfig = operation({
  type: 'ACTIVITY_TYPE_UPSERT_GAS_USAGE_CONFIG',
  path: 'upsert_gas_usage_config',
  summary: 'Sets how much gas the organization, and its sub-organizations, may pay for others.',
  resource: 'SPONSORSHIP',
  action: 'UPDATE',
  intent: t.fields(
    { orgWindowLimitUsd: t.Numeric, subOrgWindowLimitUsd: t.Numeric, windowDurationMinutes: t.Numeric },
    { enabled: t.boolean, solanaConfig: SolanaConfig },
    ({ windowDurationMinutes }) =>
      Number(windowDurationMinutes) > WINDOW_MINUTES_MAX
        ? { member: 'windowDurationMinutes', expected: `at most ${WINDOW_MINUTES_MAX} minutes` }
        : undefined,
  ),
  result: t.fields({ gasUsageConfigId: t.string }),
  change: GasUsageConfig,

  execute: (intent, { organization, ids }) => {
    const { config } = gasUsage.of(organization)
    const gasUsageConfigId = config?.gasUsageConfigId ?? ids()
    const { enabled = config?.enabled, solanaConfig = config?.solanaConfig } = intent
    return { result: { gasUsageConfigId }, change: { ...intent, gasUsageConfigId, enabled, solanaConfig } }
  },

  evolve: (draft, config) => {
    gasUsage.in(draft).config = config
  },
})
