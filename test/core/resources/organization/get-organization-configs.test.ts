import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getOrganizationConfigs } from '../../../../core/resources/organization/get-organization-configs.ts'
import { updateAllowedOrigins } from '../../../../core/resources/organization/update-allowed-origins.ts'
import { setOrganizationFeature } from '../../../../core/resources/feature/set-organization-feature.ts'
import { ADA, anyOrganization, GRACE } from '../execute.ts'
import { answer } from '../ask.ts'

const it = suite('get organization configs')

it('shows the root quorum, and that every origin is allowed', async () =>
  assert.equal(await answer(getOrganizationConfigs, anyOrganization().state), {
    configs: { features: [], quorum: { threshold: 1, userIds: [ADA, GRACE] }, allowedOrigins: ['*'] },
  }))

it('shows the features and the origins that are set', async () => {
  const tried = anyOrganization()
  const feature = { name: 'FEATURE_NAME_EMAIL_AUTH', value: '' }
  tried.execute(setOrganizationFeature, feature)
  tried.execute(updateAllowedOrigins, { allowedOrigins: ['https://app.example.com'] })
  const { configs } = await answer(getOrganizationConfigs, tried.state)
  const quorum = { threshold: 1, userIds: [ADA, GRACE] }
  assert.equal(configs, { features: [feature], quorum, allowedOrigins: ['https://app.example.com'] })
})

it.run()
