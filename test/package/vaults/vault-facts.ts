import type { FactTypes, Organization } from 'countersign/define'
import { vaults } from './vaults.ts'

/** What policies can say of the vault that an activity is about, and of the shelves that it asks for. */
export const vaultFactTypes: FactTypes = {
  keywords: { vault: { struct: 'Vault', fields: { name: 'string', shelves: 'int' } } },
  params: { shelves: 'int' },
}

export const vaultFacts = ({ vaultId }: { readonly vaultId: string }, organization: Organization) => {
  const vault = vaults.of(organization).get(vaultId)
  return vault === undefined ? {} : { vault: { name: vault.name, shelves: vault.shelves } }
}
