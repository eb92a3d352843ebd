// The message stands at the member.
import { limits } from 'countersign'

export const vaultLimits = limits({ vaults: { default: '20', about: 'Per organization.' } })
