import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { FeatureName, features } from '../../organization/features.ts'
import { FeatureView, featureViews } from './feature-view.ts'

/** It is for the root quorum alone, as `set_organization_feature` is. */
export const removeOrganizationFeature = operation({
  type: 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE',
  path: 'remove_organization_feature',
  summary: 'Removes a feature that is set.',
  intent: t.fields({ name: FeatureName }),
  result: t.fields({ features: t.array(FeatureView) }),
  change: t.fields({ name: FeatureName }),

  execute: (intent, { organization, find }) => {
    find('feature', features, intent.name)
    const left = featureViews(organization).filter(({ name }) => name !== intent.name)
    return { result: { features: left }, change: intent }
  },

  evolve: (draft, { name }) => {
    features.in(draft).delete(name)
  },
})
