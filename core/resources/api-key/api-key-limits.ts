import { limits } from '../../definition/limits.ts'

export const apiKeyLimits = limits({
  longLivedApiKeys: { default: 10, about: 'Per user: keys without an expiration.' },
  expiringApiKeys: {
    default: 10,
    about: 'Per user: keys with an expiration; one more evicts an expired or the oldest.',
  },
})
