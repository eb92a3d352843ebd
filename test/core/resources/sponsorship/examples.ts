import { upsertGasUsageConfig } from '../../../../core/resources/sponsorship/upsert-gas-usage-config.ts'
import { example, ORGANIZATION } from '../example.ts'

const config = { orgWindowLimitUsd: '100.50', subOrgWindowLimitUsd: '10', windowDurationMinutes: '1440' }

export const examples = [
  example(upsertGasUsageConfig, {
    valid: () => ({ ...config, enabled: true, solanaConfig: { rentPrefundEnabled: false } }),
    refused: [{ ...config, windowDurationMinutes: '43201' }, 'REQUEST_INVALID'],
  }),
]

export const texts = {
  orgWindowLimitUsd: ORGANIZATION,
  subOrgWindowLimitUsd: ORGANIZATION,
  windowDurationMinutes: ORGANIZATION,
}
