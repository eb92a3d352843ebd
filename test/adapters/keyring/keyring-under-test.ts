import { createHash } from 'node:crypto'
import { keystoreOf, newKey, type KeystoreKey } from '../../../adapters/keyring/keystore-keys.ts'
import { nodeKeyring, type NodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Failure } from '../../../core/failure.ts'
import type { Keystore } from '../../../core/ports/keystore.ts'
import type { SealedRows } from '../../../core/ports/sealed-rows.ts'
import { E, TE } from '../../../core/prelude.ts'
import { sealedOf } from '../../sealed-of.ts'

export const place = {
  organizationId: 'b1235103-ff80-8706-8980-45ebe2f9f13b',
  keyId: '00000000-0000-4000-8000-000000000001',
}

export const keystoreWith = (...keys: readonly KeystoreKey[]): Keystore =>
  keystoreOf(TE.right(keys.length === 0 ? [newKey()] : keys))

export const sealedInMemory = (): SealedRows => sealedOf(memoryStore())

/** Bytes that a test knows: the first ones from this seed. */
export const knownBytes =
  (seed: string) =>
  (length: number): Uint8Array =>
    createHash('shake256', { outputLength: length }).update(seed).digest()

/** Uses a keyring, and closes it in any case. */
export const withKeyring = async <A>(keyring: NodeKeyring, use: (keyring: NodeKeyring) => Promise<A>): Promise<A> => {
  try {
    return await use(keyring)
  } finally {
    await keyring.close()
  }
}

export const keyringOn = (
  sealed: SealedRows,
  keystore: Keystore = keystoreWith(),
  seed = 'a seed of tests',
): NodeKeyring => nodeKeyring({ sealed, keystore, random: knownBytes(seed) })

export const failureOf = async (task: TE.TaskEither<Failure, unknown>): Promise<Failure> => {
  const answer = await task()
  if (E.isRight(answer)) throw new Error('expected a failure')
  return answer.left
}
