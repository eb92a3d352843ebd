import { limits } from '../../definition/limits.ts'

export const sessionProfileLimits = limits({ sessionProfiles: { default: 100, about: 'Per organization.' } })
