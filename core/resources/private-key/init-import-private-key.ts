import { operation } from '../../definition/operation.ts'
import { beginsImportOfOne } from '../bundle/begins-import-of-one.ts'

export const initImportPrivateKey = operation({
  type: 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY',
  path: 'init_import_private_key',
  summary: 'Gives a user a key to which a client encrypts a private key.',
  resource: 'PRIVATE_KEY',
  ...beginsImportOfOne('private-key'),
})
