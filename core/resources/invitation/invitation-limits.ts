import { limits } from '../../definition/limits.ts'

export const invitationLimits = limits({ invitations: { default: 100, about: 'Open ones, per organization.' } })
