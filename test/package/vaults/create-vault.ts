import { E, fields, Label, operation, overQuota, t } from 'countersign'
import { Vault, vaultLimits, vaults } from './vaults.ts'

export const createVault = operation({
  type: 'ACTIVITY_TYPE_CREATE_VAULT',
  path: 'create_vault',
  summary: 'Creates a vault.',
  resource: 'VAULT',
  action: 'CREATE',
  intent: fields({ name: Label, shelves: t.number }),
  result: fields({ vaultId: t.string }),
  change: Vault,
  params: ({ shelves }) => ({ shelves }),
  execute: ({ name, shelves }, context) => {
    const countMax = vaultLimits.of(context).vaults
    if (vaults.of(context.organization).size >= countMax) return E.left(overQuota(countMax, 'vaults'))
    const vaultId = context.ids()
    return E.right({ result: { vaultId }, change: { vaultId, name, shelves } })
  },
  evolve: (draft, vault) => {
    vaults.in(draft).set(vault.vaultId, vault)
  },
})
