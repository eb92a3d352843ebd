import { keystoreOf, newKey } from '../../../adapters/keyring/keystore-keys.ts'
import { nodeKeyring, type NodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { TE } from '../../../core/prelude.ts'

/** One for all engines of a test: those that share a store have to share it. */
const keystore = keystoreOf(TE.right([newKey()]))

/** The keyring of an engine of tests. Its thread begins when a key is first used. */
export const testKeyring = ({ sealed }: Storage): NodeKeyring => {
  if (sealed === undefined) throw new Error('the store of a test keeps sealed rows')
  return nodeKeyring({ sealed, keystore })
}
