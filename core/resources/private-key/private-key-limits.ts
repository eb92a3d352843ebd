import { limits } from '../../definition/limits.ts'

export const privateKeyLimits = limits({ privateKeys: { default: 1_000, about: 'Per organization.' } })
