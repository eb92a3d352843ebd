import { limits } from '../../definition/limits.ts'

export const privateKeyTagLimits = limits({ privateKeyTags: { default: 100, about: 'Per organization.' } })
