import { limits } from '../../definition/limits.ts'

export const userLimits = limits({ users: { default: 100, about: 'Per organization.' } })
