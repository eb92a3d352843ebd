import { TE } from '../../prelude.ts'
import { InOrganization } from '../in-organization.ts'
import { query } from '../query.ts'

export const getOrganizationConfigs = query({
  path: 'get_organization_configs',
  summary: 'Shows the root quorum and the features that are set.',
  request: InOrganization,
  answers: ['configs'],
  answer: (_, { organization: { quorum } }) =>
    TE.right({ configs: { features: [], quorum: { threshold: quorum.threshold, userIds: quorum.userIds } } }),
})
