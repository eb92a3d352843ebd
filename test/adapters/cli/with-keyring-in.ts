import { fileKeystore } from '../../../adapters/keyring/file-keystore.ts'
import { nodeKeyring, type NodeKeyring, type NodeKeyringOptions } from '../../../adapters/keyring/node-keyring.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { SealedRows } from '../../../core/ports/sealed-rows.ts'
import { sealedOf } from '../../sealed-of.ts'

type Files = Pick<NodeKeyringOptions, 'random'> & {
  /** That of an SQLite store. */
  readonly file: string
  /** That of its keystore, which is made if it is not there. */
  readonly keystore: string
}

/** Uses the sealed rows of a store in a file, and its keyring, and closes both. */
export const withKeyringIn = async <A>(
  { file, keystore, ...options }: Files,
  use: (keyring: NodeKeyring, rows: SealedRows) => Promise<A>,
): Promise<A> => {
  const storage = await right(openSqliteStore({ path: file }))
  const sealed = sealedOf(storage)
  const keyring = nodeKeyring({ sealed, keystore: fileKeystore({ path: keystore, make: true }), ...options })
  try {
    return await use(keyring, sealed)
  } finally {
    await keyring.close()
    await storage.readModels.close()
    await storage.store.close()
  }
}
