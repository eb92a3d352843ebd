import { operation, t } from 'countersign'
import { vaultFacts } from './vault-facts.ts'
import { vaults } from './vaults.ts'

export const deleteVault = operation({
  type: 'ACTIVITY_TYPE_DELETE_VAULT',
  path: 'delete_vault',
  summary: 'Deletes a vault.',
  resource: 'VAULT',
  action: 'DELETE',
  intent: t.fields({ vaultId: t.Uuid }),
  result: t.fields({}),
  change: t.fields({ vaultId: t.string }),
  facts: vaultFacts,
  execute: ({ vaultId }, { find }) => {
    find('vault', vaults, vaultId)
    return { result: {}, change: { vaultId } }
  },
  evolve: (draft, { vaultId }) => {
    vaults.in(draft).delete(vaultId)
  },
})
