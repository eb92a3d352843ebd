import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { gasUsage } from '../../../../core/resources/sponsorship/gas-usage-config.ts'
import { upsertGasUsageConfig } from '../../../../core/resources/sponsorship/upsert-gas-usage-config.ts'
import { anyOrganization, fieldsOf } from '../execute.ts'

const it = suite('upsert gas usage config')

const limits = { orgWindowLimitUsd: '100', subOrgWindowLimitUsd: '10.5', windowDurationMinutes: '43200' }

it('makes one configuration, which keeps its id, and what a later request leaves out', () => {
  const tried = anyOrganization()
  const more = { enabled: false, solanaConfig: { rentPrefundEnabled: true } }
  const { result } = tried.execute(upsertGasUsageConfig, { ...limits, ...more })
  const other = { ...limits, orgWindowLimitUsd: '200' }
  assert.equal(tried.execute(upsertGasUsageConfig, other).result, result)
  assert.equal(gasUsage.of(tried.state).config, { ...(result as object), ...other, ...more })
})

it('takes numbers in decimal digits, and a window of at most thirty days', () => {
  for (const [member, wrong] of [
    ['orgWindowLimitUsd', '-1'],
    ['subOrgWindowLimitUsd', 'a lot'],
    ['windowDurationMinutes', '43201'],
  ] as const)
    assert.equal(fieldsOf(anyOrganization().refuse(upsertGasUsageConfig, { ...limits, [member]: wrong })), [member])
})

it.run()
