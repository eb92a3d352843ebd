import { resource } from 'countersign'
import { createVault } from './create-vault.ts'
import { deleteVault } from './delete-vault.ts'
import { extendVault } from './extend-vault.ts'
import { getVaultNames } from './get-vault-names.ts'
import { listVaults } from './list-vaults.ts'
import { renameVault } from './rename-vault.ts'
import { vaultFactTypes } from './vault-facts.ts'
import { vaultNames } from './vault-names.ts'
import { vaultLimits, vaults } from './vaults.ts'

/** A resource of a host, whole: nothing else of the engine knows of it. */
export const vaultResource = resource({
  name: 'vaults',
  states: [vaults],
  limits: vaultLimits,
  facts: vaultFactTypes,
  operations: [createVault, renameVault, extendVault, deleteVault],
  queries: [listVaults, getVaultNames],
  projections: [vaultNames],
})
