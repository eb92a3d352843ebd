import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { allowedOrigins, ANY_ORIGIN } from '../../organization/origins.ts'
import { featureViews, FeatureView } from '../feature/feature-view.ts'
import { InOrganization } from '../in-organization.ts'
import { quorumView, QuorumView } from './quorum-view.ts'

const Configs = t.fields({
  features: t.readonlyArray(FeatureView),
  quorum: QuorumView,
  allowedOrigins: t.readonlyArray(t.string),
})

export const getOrganizationConfigs = query({
  path: 'get_organization_configs',
  summary: 'Shows the root quorum, the features that are set and the origins that are allowed.',
  request: InOrganization,
  answer: t.fields({ configs: Configs }),
  run: (_, { organization }) => {
    const { origins } = allowedOrigins.of(organization)
    return {
      configs: {
        features: featureViews(organization),
        quorum: quorumView(organization),
        allowedOrigins: origins.length === 0 ? [ANY_ORIGIN] : origins,
      },
    }
  },
})
