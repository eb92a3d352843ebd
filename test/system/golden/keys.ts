import { createHash } from 'node:crypto'
import { keystoreOf, newKey } from '../../../adapters/keyring/keystore-keys.ts'
import { nodeKeyring, type NodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import type { SigningKey } from '../../../adapters/signatures/signer.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { TE } from '../../../core/prelude.ts'
import { childWith, keysLive } from '../../core/audit/keys-log.ts'
import type { TestClock } from '../../core/world/world.ts'
import { border } from './border.ts'
import { beginOffice, idIn } from './office.ts'
import { sealedOf } from '../../sealed-of.ts'

/** A keyring that makes the same keys each time: they are good for this log alone. */
export const goldenKeyring = (storage: Storage): NodeKeyring => {
  let made = 0
  const random = (length: number): Uint8Array =>
    createHash('shake256', { outputLength: length })
      .update(`golden ${(made += 1)}`)
      .digest()
  return nodeKeyring({ sealed: sealedOf(storage), keystore: keystoreOf(TE.right([newKey()])), random })
}

/** An organization whose wallets, private keys and secrets sign by every scheme, come, and go, and others below that begin with some. */
export const walletsAndKeys = async (
  engine: Engine,
  clock: TestClock,
): Promise<{ readonly organizationId: string; readonly key: SigningKey }> => {
  const office = await beginOffice(engine, clock)
  const { done, root, organizationId } = office
  await keysLive(office)
  await border(office)
  const account = { curve: 'CURVE_SECP256K1', pathFormat: 'PATH_FORMAT_BIP32', path: "m/44'/60'/0'/0/0" }
  const accounts = [{ ...account, addressFormat: 'ADDRESS_FORMAT_ETHEREUM', name: 'first' }]
  const walletId = idIn(await done(root, 'create_wallet', { walletName: 'renamed soon', accounts }), 'walletId')
  await done(root, 'update_wallet', { walletId, walletName: 'renamed' })
  const tag = await done(root, 'create_private_key_tag', { privateKeyTagName: 'gone soon', privateKeyIds: [] })
  const privateKeyTagId = idIn(tag, 'privateKeyTagId')
  const change = { newPrivateKeyTagName: 'renamed', addPrivateKeyIds: [], removePrivateKeyIds: [] }
  await done(root, 'update_private_key_tag', { privateKeyTagId, ...change })
  await done(root, 'delete_private_key_tags', { privateKeyTagIds: [privateKeyTagId] })
  await childWith(office, 'V8', { wallet: { walletName: 'below', accounts } })
  const privateKey = { privateKeyName: 'below', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }
  await childWith(office, 'V3', { privateKeys: [privateKey] })
  return { organizationId, key: root.key }
}
