import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { features } from '../../../../core/organization/features.ts'
import { removeOrganizationFeature } from '../../../../core/resources/feature/remove-organization-feature.ts'
import { setOrganizationFeature } from '../../../../core/resources/feature/set-organization-feature.ts'
import { anyOrganization, fieldsOf, ORGANIZATION } from '../execute.ts'

const it = suite('remove organization feature')

const [WEBHOOK, EMAIL] = ['FEATURE_NAME_WEBHOOK', 'FEATURE_NAME_EMAIL_AUTH']

it('removes the feature, and answers those that are still set', () => {
  const tried = anyOrganization()
  for (const name of [WEBHOOK, EMAIL]) tried.execute(setOrganizationFeature, { name, value: 'v' })
  const { result } = tried.execute(removeOrganizationFeature, { name: WEBHOOK })
  assert.equal(result, { features: [{ name: EMAIL, value: 'v' }] })
  assert.equal([...features.of(tried.state)], [[EMAIL, 'v']])
  assert.equal(tried.execute(removeOrganizationFeature, { name: EMAIL }).result, { features: [] })
  assert.equal(features.of(tried.replayed()), new Map())
})

it('refuses a feature that is not set, and a name that no feature has', () => {
  const failure = anyOrganization().refuse(removeOrganizationFeature, { name: WEBHOOK })
  assert.is(failure.message, `unable to find feature ${WEBHOOK} in organization ${ORGANIZATION}`)
  assert.is(failure.code, 'RESOURCE_NOT_FOUND')
  assert.equal(fieldsOf(anyOrganization().refuse(removeOrganizationFeature, { name: 'WEBHOOK' })), ['name'])
})

it('is for the root quorum alone: no policy has a name for it', () =>
  assert.equal([removeOrganizationFeature.resource, removeOrganizationFeature.action], [undefined, undefined]))

it.run()
