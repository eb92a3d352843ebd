import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getOrganizationConfigs } from '../../../../core/resources/organization/get-organization-configs.ts'
import { ADA, anyOrganization, GRACE } from '../execute.ts'
import { answer } from '../ask.ts'

const it = suite('get organization configs')

it('shows the root quorum', async () =>
  assert.equal(await answer(getOrganizationConfigs, anyOrganization().state), {
    configs: { features: [], quorum: { threshold: 1, userIds: [ADA, GRACE] } },
  }))

it.run()
