import { resource } from '../../definition/resource.ts'
import { deleteSecrets } from './delete-secrets.ts'
import { exportSecrets } from './export-secrets.ts'
import { importSecrets } from './import-secrets.ts'
import { initImportSecrets } from './init-import-secrets.ts'
import { listSecrets } from './list-secrets.ts'
import { secretLimits, secrets } from './secrets.ts'

export { deleteSecrets, exportSecrets, importSecrets, initImportSecrets, listSecrets, secrets }

export const secretResource = resource({
  name: 'secrets',
  states: [secrets],
  limits: secretLimits,
  operations: [initImportSecrets, importSecrets, exportSecrets, deleteSecrets],
  queries: [listSecrets],
})
