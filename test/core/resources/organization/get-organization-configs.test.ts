import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getOrganizationConfigs } from '../../../../core/resources/organization/get-organization-configs.ts'
import { setOrganizationFeature } from '../../../../core/resources/feature/set-organization-feature.ts'
import { ADA, anyOrganization, GRACE } from '../execute.ts'
import { answer } from '../ask.ts'

const it = suite('get organization configs')

it('shows the root quorum', async () =>
  assert.equal(await answer(getOrganizationConfigs, anyOrganization().state), {
    configs: { features: [], quorum: { threshold: 1, userIds: [ADA, GRACE] } },
  }))

it('shows the features that are set', async () => {
  const tried = anyOrganization()
  const feature = { name: 'FEATURE_NAME_EMAIL_AUTH', value: '' }
  tried.execute(setOrganizationFeature, feature)
  const { configs } = await answer(getOrganizationConfigs, tried.state)
  assert.equal(configs, { features: [feature], quorum: { threshold: 1, userIds: [ADA, GRACE] } })
})

it.run()
