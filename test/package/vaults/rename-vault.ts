import { E, fields, find, Label, operation, pipe, t, Uuid } from 'countersign'
import { vaultFacts } from './vault-facts.ts'
import { vaults } from './vaults.ts'

export const renameVault = operation({
  type: 'ACTIVITY_TYPE_RENAME_VAULT',
  path: 'rename_vault',
  summary: 'Renames a vault.',
  resource: 'VAULT',
  action: 'UPDATE',
  intent: fields({ vaultId: Uuid, name: Label }),
  result: fields({ vaultId: t.string }),
  change: fields({ vaultId: t.string, name: t.string }),
  facts: vaultFacts,
  execute: ({ vaultId, name }, { organization }) =>
    pipe(
      find('vault', vaults.of(organization), vaultId, organization),
      E.map(() => ({ result: { vaultId }, change: { vaultId, name } })),
    ),
  evolve: (draft, { vaultId, name }) => {
    const vault = vaults.in(draft).get(vaultId)
    if (vault !== undefined) vault.name = name
  },
})
