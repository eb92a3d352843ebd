import { E, fields, find, operation, pipe, t, Uuid } from 'countersign'
import { vaultFacts } from './vault-facts.ts'
import { vaults } from './vaults.ts'

export const deleteVault = operation({
  type: 'ACTIVITY_TYPE_DELETE_VAULT',
  path: 'delete_vault',
  summary: 'Deletes a vault.',
  resource: 'VAULT',
  action: 'DELETE',
  intent: fields({ vaultId: Uuid }),
  result: fields({}),
  change: fields({ vaultId: t.string }),
  facts: vaultFacts,
  execute: ({ vaultId }, { organization }) =>
    pipe(
      find('vault', vaults.of(organization), vaultId, organization),
      E.map(() => ({ result: {}, change: { vaultId } })),
    ),
  evolve: (draft, { vaultId }) => {
    vaults.in(draft).delete(vaultId)
  },
})
