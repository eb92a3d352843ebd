import { fields, query, t, TE, Uuid } from 'countersign'
import { Vault, vaults } from './vaults.ts'

export const listVaults = query({
  path: 'list_vaults',
  summary: 'Lists all vaults.',
  request: fields({ organizationId: Uuid }),
  answer: fields({ vaults: t.array(Vault) }),
  run: (_, { organization }) => TE.right({ vaults: [...vaults.of(organization).values()] }),
})
