import { limits } from '../../definition/limits.ts'

export const authenticatorLimits = limits({
  authenticators: { default: 10, about: 'Per user: passkeys.' },
})
