import { limits } from '../../definition/limits.ts'

export const walletLimits = limits({ wallets: { default: 100, about: 'Per organization.' } })
