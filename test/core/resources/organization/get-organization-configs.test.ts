import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getOrganizationConfigs } from '../../../../core/resources/organization/get-organization-configs.ts'
import { updateAllowedOrigins } from '../../../../core/resources/organization/update-allowed-origins.ts'
import { setOrganizationFeature } from '../../../../core/resources/feature/set-organization-feature.ts'
import { ADA, anyOrganization, GRACE } from '../execute.ts'
import { answer } from '../ask.ts'

const it = suite('get organization configs')

it('shows the root quorum', async () =>
  assert.equal(await answer(getOrganizationConfigs, anyOrganization().state), {
    configs: { features: [], quorum: { threshold: 1, userIds: [ADA, GRACE] }, allowedOrigins: ['*'] },
  }))

it('shows the features that are set', async () => {
  const tried = anyOrganization()
  const feature = { name: 'FEATURE_NAME_EMAIL_AUTH', value: '' }
  tried.execute(setOrganizationFeature, feature)
  const { configs } = await answer(getOrganizationConfigs, tried.state)
  const quorum = { threshold: 1, userIds: [ADA, GRACE] }
  assert.equal(configs, { features: [feature], quorum, allowedOrigins: ['*'] })
})

it('shows the origins that are allowed', async () => {
  const tried = anyOrganization()
  tried.execute(updateAllowedOrigins, { allowedOrigins: ['https://app.example.com'] })
  const quorum = { threshold: 1, userIds: [ADA, GRACE] }
  assert.equal(await answer(getOrganizationConfigs, tried.state), {
    configs: { features: [], quorum, allowedOrigins: ['https://app.example.com'] },
  })
})

it.run()
