import * as t from 'io-ts'
import { named } from '../../codec/described.ts'
import { fields } from '../../codec/fields.ts'
import { FeatureName, features } from '../../organization/features.ts'
import type { Organization } from '../../organization/state.ts'

/** A feature that is set, as the wire shows it, in results and in answers. */
export const FeatureView = named('Feature', fields({ name: FeatureName, value: t.string }))
export type FeatureView = t.TypeOf<typeof FeatureView>

/** All features that are set. */
export const featureViews = (organization: Organization): FeatureView[] =>
  Array.from(features.of(organization), ([name, value]) => ({ name: name as FeatureName, value })) // only such names are set
