import { limits } from '../../definition/limits.ts'

export const oauthProviderLimits = limits({
  oauthProviders: { default: 10, about: 'Per user: identity providers.' },
})
