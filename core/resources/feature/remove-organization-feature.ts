import * as t from 'io-ts'
import { fields } from '../../codec/fields.ts'
import { operation } from '../../definition/operation.ts'
import { find } from '../../definition/refusals.ts'
import { FeatureName, features } from '../../organization/features.ts'
import { E } from '../../prelude.ts'
import { FeatureView, featureViews } from './feature-view.ts'

/** It is for the root quorum alone, as `set_organization_feature` is. */
export const removeOrganizationFeature = operation({
  type: 'ACTIVITY_TYPE_REMOVE_ORGANIZATION_FEATURE',
  path: 'remove_organization_feature',
  summary: 'Removes a feature that is set.',
  intent: fields({ name: FeatureName }),
  result: fields({ features: t.array(FeatureView) }),
  change: fields({ name: FeatureName }),

  execute: (intent, { organization }) =>
    E.map(() => ({
      result: { features: featureViews(organization).filter(({ name }) => name !== intent.name) },
      change: intent,
    }))(find('feature', features.of(organization), intent.name, organization)),

  evolve: (draft, { name }) => {
    features.in(draft).delete(name)
  },
})
