import { limits } from '../../definition/limits.ts'

export const policyLimits = limits({ policies: { default: 100, about: 'Per organization.' } })
