import { query, t } from 'countersign'
import { Vault, vaults } from './vaults.ts'

export const listVaults = query({
  path: 'list_vaults',
  summary: 'Lists all vaults.',
  request: t.fields({ organizationId: t.Uuid }),
  answer: t.fields({ vaults: t.array(Vault) }),
  run: (_, { organization }) => ({ vaults: [...vaults.of(organization).values()] }),
})
