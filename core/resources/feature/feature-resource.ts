import { resource } from '../../definition/resource.ts'
import { features } from '../../organization/features.ts'
import { removeOrganizationFeature } from './remove-organization-feature.ts'
import { setOrganizationFeature } from './set-organization-feature.ts'

export { removeOrganizationFeature, setOrganizationFeature }

export const featureResource = resource({
  name: 'features',
  states: [features],
  operations: [setOrganizationFeature, removeOrganizationFeature],
})
