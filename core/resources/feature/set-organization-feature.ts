import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { FeatureName, features } from '../../organization/features.ts'
import { originsIn } from '../../organization/origins.ts'
import { admitUrl } from '../webhook-endpoint/webhook-url.ts'
import { FeatureView, featureViews } from './feature-view.ts'

/** The longest value of a feature: each result and each answer on features has them all. */
export const VALUE_LENGTH_MAX = 4_096

const Value = t.refined(
  t.string,
  `a text of at most ${VALUE_LENGTH_MAX} characters`,
  (text) => text.length <= VALUE_LENGTH_MAX && text.isWellFormed(),
)

const ORIGINS = 'exact origins such as https://app.example.com, each once, separated by commas only'

/**
 * It has no resource and no action, so no policy can allow it: only the root quorum sets features. A value that is left out is the empty
 * text.
 */
export const setOrganizationFeature = operation({
  type: 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE',
  path: 'set_organization_feature',
  summary: 'Sets a feature of the organization, or gives it another value.',
  intent: t.fields({ name: FeatureName, value: t.defaulted(Value, '') }, {}, ({ name, value }) =>
    name === 'FEATURE_NAME_WEBAUTHN_ORIGINS' && originsIn(value) === undefined
      ? { member: 'value', expected: ORIGINS }
      : undefined,
  ),
  result: t.fields({ features: t.array(FeatureView) }),
  change: t.fields({ name: FeatureName, value: t.string }),

  admit: ({ name, value }) => {
    if (name === 'FEATURE_NAME_WEBHOOK') admitUrl('value', value)
  },

  execute: (feature, { organization }) => {
    const before = featureViews(organization)
    const isSet = before.some(({ name }) => name === feature.name)
    const after = isSet ? before.map((one) => (one.name === feature.name ? feature : one)) : [...before, feature]
    return { result: { features: after }, change: feature }
  },

  evolve: (draft, { name, value }) => {
    features.in(draft).set(name, value)
  },
})
