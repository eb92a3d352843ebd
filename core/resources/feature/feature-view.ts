import * as t from '../../codec/t.ts'
import { FeatureName, features } from '../../organization/features.ts'
import type { Organization } from '../../organization/state.ts'

/** A feature that is set, as the wire shows it, in results and in answers. */
export const FeatureView = t.named('Feature', t.fields({ name: FeatureName, value: t.string }))
export type FeatureView = t.TypeOf<typeof FeatureView>

/** All features that are set. */
export const featureViews = (organization: Organization): FeatureView[] =>
  Array.from(features.of(organization), ([name, value]) => ({ name: name as FeatureName, value })) // only such names are set
