import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { allowedOrigins } from '../../organization/origins.ts'
import { featureViews, FeatureView } from '../feature/feature-view.ts'
import { InOrganization } from '../in-organization.ts'
import { quorumView, QuorumView } from './quorum-view.ts'

const Configs = t.fields({
  features: t.readonlyArray(FeatureView),
  quorum: QuorumView,
  allowedOrigins: t.described(
    t.readonlyArray(t.string),
    'what `update_allowed_origins` has set; `*` alone is every origin',
  ),
})

export const getOrganizationConfigs = query({
  path: 'get_organization_configs',
  summary: 'Shows the root quorum, the features that are set, and the origins that the organization allows.',
  request: InOrganization,
  answer: t.fields({ configs: Configs }),
  run: (_, { organization }) => ({
    configs: {
      features: featureViews(organization),
      quorum: quorumView(organization),
      allowedOrigins: allowedOrigins.of(organization).origins,
    },
  }),
})
