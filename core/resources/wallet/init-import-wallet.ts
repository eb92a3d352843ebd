import { operation } from '../../definition/operation.ts'
import { beginsImportOfOne } from '../bundle/begins-import-of-one.ts'

export const initImportWallet = operation({
  type: 'ACTIVITY_TYPE_INIT_IMPORT_WALLET',
  path: 'init_import_wallet',
  summary: 'Gives a user a key to which a client encrypts the mnemonic of a wallet.',
  resource: 'WALLET',
  ...beginsImportOfOne('wallet'),
})
