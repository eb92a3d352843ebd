import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { featureViews, FeatureView } from '../feature/feature-view.ts'
import { InOrganization } from '../in-organization.ts'
import { quorumView, QuorumView } from './quorum-view.ts'

const Configs = t.fields({ features: t.readonlyArray(FeatureView), quorum: QuorumView })

export const getOrganizationConfigs = query({
  path: 'get_organization_configs',
  summary: 'Shows the root quorum and the features that are set.',
  request: InOrganization,
  answer: t.fields({ configs: Configs }),
  run: (_, { organization }) => ({
    configs: { features: featureViews(organization), quorum: quorumView(organization) },
  }),
})
