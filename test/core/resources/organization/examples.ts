import { deleteOrganization } from '../../../../core/resources/organization/delete-organization.ts'
import { getOrganizationConfigs } from '../../../../core/resources/organization/get-organization-configs.ts'
import { getOrganization } from '../../../../core/resources/organization/get-organization.ts'
import { updateAllowedOrigins } from '../../../../core/resources/organization/update-allowed-origins.ts'
import { updateOrganizationName } from '../../../../core/resources/organization/update-organization-name.ts'
import { whoami } from '../../../../core/resources/user/whoami.ts'
import { asking, example, NOBODY, ORGANIZATION } from '../example.ts'

export const examples = [
  example(updateOrganizationName, {
    valid: ({ text }) => ({ organizationName: text('organizationName') }),
    refused: [{ organizationName: '' }, 'REQUEST_INVALID'],
  }),
  example(updateAllowedOrigins, {
    valid: ({ text }) => ({ allowedOrigins: [`https://${text('allowedOrigins')}.example.com`] }),
    refused: [{ allowedOrigins: ['https://*.example.com'] }, 'REQUEST_INVALID'],
  }),
  example(deleteOrganization, {
    valid: async ({ asked }) => ({ organizationId: (await asked(whoami)).organizationId }),
    refused: [{ organizationId: NOBODY }, 'ORGANIZATION_NOT_FOUND'],
    where: 'apart',
  }),
  asking(getOrganization, async ({ made }) => {
    const { organizationId, organizationName: name } = await made(updateOrganizationName)
    return { request: {}, shows: { organizationData: { organizationId, name } } }
  }),
  asking(getOrganizationConfigs, ({ root }) => ({
    request: {},
    shows: { configs: { quorum: { threshold: 1, userIds: [root] } } },
  })),
]

export const texts = { organizationName: ORGANIZATION, allowedOrigins: ORGANIZATION }
