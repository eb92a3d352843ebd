import { state, t } from 'countersign'
import { limits } from 'countersign/define'

export const Vault = t.fields({ vaultId: t.string, name: t.string, shelves: t.number })
export type Vault = t.TypeOf<typeof Vault>

/** The vaults, by id. */
export const vaults = state({ name: 'vaults', version: 1, codec: t.mapOf(Vault), initial: () => new Map() })

export const vaultLimits = limits({ vaults: { default: 3, about: 'Per organization.' } })
