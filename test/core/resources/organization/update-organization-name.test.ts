import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { profile } from '../../../../core/organization/profile.ts'
import { updateOrganizationName } from '../../../../core/resources/organization/update-organization-name.ts'
import { anyOrganization, fieldsOf, NOW, ORGANIZATION } from '../execute.ts'

const it = suite('update organization name')

it('changes the name, and not when the organization was created', () => {
  const tried = anyOrganization()
  const { result } = tried.execute(
    updateOrganizationName,
    { organizationName: 'Difference Engines' },
    { atMs: NOW + 1 },
  )
  assert.equal(result, { organizationId: ORGANIZATION, organizationName: 'Difference Engines' })
  assert.equal(profile.of(tried.state), { name: 'Difference Engines', createdAtMs: NOW })
})

it('refuses what is no name', () => {
  for (const organizationName of ['', ' ', '\n', 'n'.repeat(257), null])
    assert.equal(fieldsOf(anyOrganization().refuse(updateOrganizationName, { organizationName })), ['organizationName'])
})

it('is for the root quorum alone: no policy has a name for it', () =>
  assert.equal([updateOrganizationName.resource, updateOrganizationName.action], [undefined, undefined]))

it.run()
