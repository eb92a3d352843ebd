import { projection, t } from 'countersign'
import { completed, type EventContext, type RowChange } from 'countersign/define'
import { createVault } from './create-vault.ts'
import { renameVault } from './rename-vault.ts'

type Named = { readonly vaultId: string; readonly name: string }

const put = ({ vaultId, name }: Named, { organization, activityId, sequence }: EventContext): readonly RowChange[] => [
  { _tag: 'put', organization, key: activityId, order: sequence, facets: { first: vaultId }, value: name },
]

/** Every name that a vault was given, in the order of the log. */
export const vaultNames = projection({
  name: 'vault-names',
  version: 1,
  row: t.string,
  on: [completed(createVault, put), completed(renameVault, put)],
})
