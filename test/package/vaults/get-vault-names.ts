import { query, t } from 'countersign'
import { vaultNames } from './vault-names.ts'

export const getVaultNames = query({
  path: 'get_vault_names',
  summary: 'Tells which names a vault was given, the newest first.',
  request: t.fields({ organizationId: t.Uuid, vaultId: t.Uuid }),
  answer: t.fields({ names: t.array(t.string) }),
  run: async ({ vaultId }, { rows }) => ({ names: await rows(vaultNames, { limit: 100, first: [vaultId] }) }),
})
