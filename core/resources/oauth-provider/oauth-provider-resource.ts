import { resource } from '../../definition/resource.ts'
import { createOauthProviders } from './create-oauth-providers.ts'
import { deleteOauthProviders } from './delete-oauth-providers.ts'
import { getOauthProviders } from './get-oauth-providers.ts'
import { oauthProviderLimits } from './oauth-provider-limits.ts'

export { createOauthProviders, deleteOauthProviders, getOauthProviders }

export const oauthProviderResource = resource({
  name: 'oauth-providers',
  limits: oauthProviderLimits,
  operations: [createOauthProviders, deleteOauthProviders],
  queries: [getOauthProviders],
})
