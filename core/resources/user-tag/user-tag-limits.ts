import { limits } from '../../definition/limits.ts'

export const userTagLimits = limits({ userTags: { default: 100, about: 'Per organization.' } })
