import { limits } from '../../definition/limits.ts'

export const mfaPolicyLimits = limits({ mfaPolicies: { default: 10, about: 'Per user.' } })
