import { limits } from '../../definition/limits.ts'

export const oauth2CredentialLimits = limits({ oauth2Credentials: { default: 100, about: 'Per organization.' } })
