import { limits } from '../../definition/limits.ts'

export const onRampCredentialLimits = limits({ onRampCredentials: { default: 100, about: 'Per organization.' } })
