import { resource } from '../../definition/resource.ts'
import { createPrivateKeys } from './create-private-keys.ts'
import { deletePrivateKeys } from './delete-private-keys.ts'
import { disablePrivateKey } from './disable-private-key.ts'
import { exportPrivateKey } from './export-private-key.ts'
import { importPrivateKey } from './import-private-key.ts'
import { initImportPrivateKey } from './init-import-private-key.ts'
import { getPrivateKey } from './get-private-key.ts'
import { listPrivateKeys } from './list-private-keys.ts'
import { privateKeyLimits } from './private-key-limits.ts'
import { privateKeys } from './private-keys.ts'

export {
  createPrivateKeys,
  deletePrivateKeys,
  disablePrivateKey,
  exportPrivateKey,
  getPrivateKey,
  importPrivateKey,
  initImportPrivateKey,
  listPrivateKeys,
}

export const privateKeyResource = resource({
  name: 'private-keys',
  states: [privateKeys],
  limits: privateKeyLimits,
  operations: [
    createPrivateKeys,
    disablePrivateKey,
    initImportPrivateKey,
    importPrivateKey,
    exportPrivateKey,
    deletePrivateKeys,
  ],
  queries: [getPrivateKey, listPrivateKeys],
})
