import * as t from 'io-ts'
import { fields } from '../../codec/fields.ts'
import { query } from '../../definition/query.ts'
import { TE } from '../../prelude.ts'
import { featureViews, FeatureView } from '../feature/feature-view.ts'
import { InOrganization } from '../in-organization.ts'
import { quorumView, QuorumView } from './quorum-view.ts'

const Configs = fields({ features: t.readonlyArray(FeatureView), quorum: QuorumView })

export const getOrganizationConfigs = query({
  path: 'get_organization_configs',
  summary: 'Shows the root quorum and the features that are set.',
  request: InOrganization,
  answer: fields({ configs: Configs }),
  run: (_, { organization }) =>
    TE.right({ configs: { features: featureViews(organization), quorum: quorumView(organization) } }),
})
