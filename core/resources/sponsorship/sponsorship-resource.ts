import { resource } from '../../definition/resource.ts'
import { gasUsage } from './gas-usage-config.ts'
import { upsertGasUsageConfig } from './upsert-gas-usage-config.ts'

export { gasUsage, upsertGasUsageConfig }

export const sponsorshipResource = resource({
  name: 'sponsorship',
  states: [gasUsage],
  operations: [upsertGasUsageConfig],
})
