import { operation, refuse, t } from 'countersign'
import { Vault, vaultLimits, vaults } from './vaults.ts'

export const createVault = operation({
  type: 'ACTIVITY_TYPE_CREATE_VAULT',
  path: 'create_vault',
  summary: 'Creates a vault.',
  resource: 'VAULT',
  action: 'CREATE',
  intent: t.fields({ name: t.Label, shelves: t.number }),
  result: t.fields({ vaultId: t.string }),
  change: Vault,
  params: ({ shelves }) => ({ shelves }),
  execute: ({ name, shelves }, context) => {
    const countMax = vaultLimits.of(context).vaults
    if (vaults.of(context.organization).size >= countMax) throw refuse.overQuota(countMax, 'vaults')
    const vaultId = context.ids()
    return { result: { vaultId }, change: { vaultId, name, shelves } }
  },
  evolve: (draft, vault) => {
    vaults.in(draft).set(vault.vaultId, vault)
  },
})
