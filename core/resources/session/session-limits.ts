import { limits } from '../../definition/limits.ts'

export const sessionLimits = limits({
  sessionSeconds: { default: 30 * 24 * 60 * 60, about: 'The longest life of a session, in seconds.' },
})
