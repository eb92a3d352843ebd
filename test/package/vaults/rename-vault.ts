import { operation, t } from 'countersign'
import { vaultFacts } from './vault-facts.ts'
import { vaults } from './vaults.ts'

export const renameVault = operation({
  type: 'ACTIVITY_TYPE_RENAME_VAULT',
  path: 'rename_vault',
  summary: 'Renames a vault.',
  resource: 'VAULT',
  action: 'UPDATE',
  intent: t.fields({ vaultId: t.Uuid, name: t.Label }),
  result: t.fields({ vaultId: t.string }),
  change: t.fields({ vaultId: t.string, name: t.string }),
  facts: vaultFacts,
  execute: (change, { find }) => {
    const { vaultId } = find('vault', vaults, change.vaultId)
    return { result: { vaultId }, change }
  },
  evolve: (draft, { vaultId, name }) => {
    const vault = vaults.in(draft).get(vaultId)
    if (vault !== undefined) vault.name = name
  },
})
