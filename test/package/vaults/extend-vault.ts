import { operation, t } from 'countersign'
import { vaultFacts } from './vault-facts.ts'
import { vaults } from './vaults.ts'

export const extendVault = operation({
  type: 'ACTIVITY_TYPE_EXTEND_VAULT',
  path: 'extend_vault',
  summary: 'Puts more shelves into a vault.',
  resource: 'VAULT',
  action: 'UPDATE',
  intent: t.fields({ vaultId: t.Uuid, shelves: t.number }),
  result: t.fields({ shelves: t.number }),
  change: t.fields({ vaultId: t.string, shelves: t.number }),
  params: ({ shelves }) => ({ shelves }),
  facts: vaultFacts,
  execute: ({ vaultId, shelves: more }, { find }) => {
    const shelves = find('vault', vaults, vaultId).shelves + more
    return { result: { shelves }, change: { vaultId, shelves } }
  },
  evolve: (draft, { vaultId, shelves }) => {
    const vault = vaults.in(draft).get(vaultId)
    if (vault !== undefined) vault.shelves = shelves
  },
})
