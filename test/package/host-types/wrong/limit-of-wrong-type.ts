// The message stands at 'default'.
import { limits } from 'countersign/define'

export const vaultLimits = limits({ vaults: { default: '20', about: 'Per organization.' } })
