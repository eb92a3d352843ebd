// The message names 'vault'.
import { limits, type Limits } from 'countersign/define'

const vaultLimits = limits({ vaults: { default: 20, about: 'Per organization.' } })

export const most = (context: { readonly limits: Limits }): number => vaultLimits.of(context).vault
