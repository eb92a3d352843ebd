import { E, fields, find, operation, pipe, t, Uuid } from 'countersign'
import { vaultFacts } from './vault-facts.ts'
import { vaults } from './vaults.ts'

export const extendVault = operation({
  type: 'ACTIVITY_TYPE_EXTEND_VAULT',
  path: 'extend_vault',
  summary: 'Puts more shelves into a vault.',
  resource: 'VAULT',
  action: 'UPDATE',
  intent: fields({ vaultId: Uuid, shelves: t.number }),
  result: fields({ shelves: t.number }),
  change: fields({ vaultId: t.string, shelves: t.number }),
  params: ({ shelves }) => ({ shelves }),
  facts: vaultFacts,
  execute: ({ vaultId, shelves }, { organization }) =>
    pipe(
      find('vault', vaults.of(organization), vaultId, organization),
      E.map((vault) => vault.shelves + shelves),
      E.map((sum) => ({ result: { shelves: sum }, change: { vaultId, shelves: sum } })),
    ),
  evolve: (draft, { vaultId, shelves }) => {
    const vault = vaults.in(draft).get(vaultId)
    if (vault !== undefined) vault.shelves = shelves
  },
})
