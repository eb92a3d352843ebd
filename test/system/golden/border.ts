import { englishOf, mnemonicOf } from '../../../core/keys/mnemonic.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { borderClient, dataOf, encryptedTo } from '../../core/resources/bundle/border.ts'
import { keyIn, targetFor, walletIn } from '../../core/resources/bundle/border-world.ts'
import { idIn, type Office } from './office.ts'

/** A traveller brings a wallet and a private key, takes them away, and is erased; the root does so with a secret, and stays. */
export const border = async (office: Office): Promise<void> => {
  const { done, enrol, root } = office
  const condition = "activity.action in ['IMPORT', 'EXPORT']"
  const policy = { policyName: 'border', effect: 'EFFECT_ALLOW', consensus: 'true', condition, notes: '' }
  await done(root, 'create_policy', policy)
  const traveller = await enrol('traveller')
  const { publicKey: targetPublicKey } = borderClient()

  const account = { curve: 'CURVE_ED25519', pathFormat: 'PATH_FORMAT_BIP32', path: "m/44'/501'/0'/0'" }
  const accounts = [{ ...account, addressFormat: 'ADDRESS_FORMAT_SOLANA' }]
  const words = `${mnemonicOf(englishOf(new Uint8Array(16).fill(7)))}\n--PASS--\nof the traveller`
  const bundle = await targetFor(office, traveller)
  const wallet = await done(traveller, 'import_wallet', await walletIn(traveller, bundle, words, { accounts }))
  await done(traveller, 'export_wallet', { walletId: idIn(wallet, 'walletId'), targetPublicKey })
  await done(traveller, 'export_wallet_account', { address: idIn(wallet, 'addresses'), targetPublicKey })

  const ofKey = await targetFor(office, traveller, 'key')
  const key = await done(
    traveller,
    'import_private_key',
    await keyIn(traveller, ofKey, new Uint8Array(32).fill(7), { addressFormats: [] }),
  )
  await done(traveller, 'export_private_key', { privateKeyId: idIn(key, 'privateKeyId'), targetPublicKey })
  await done(root, 'delete_users', { userIds: [traveller.userId] })
  await done(root, 'erase_user', { userId: traveller.userId })

  const secretIds = [idIn(await secretOf(office), 'secretIds')]
  const [encryptionSuite, requestContext] = [SUITE, [{ key: 'for', value: 'a golden log' }]]
  const secrets = secretIds.map((secretId) => ({ secretId, targetPublicKey, encryptionSuite, requestContext }))
  await done(root, 'export_secrets', { secrets })
  await done(root, 'delete_secrets', { secretIds })
}

const SUITE = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

const secretOf = async ({ done, root }: Office): Promise<ActivityView> => {
  const begun = await done(root, 'init_import_secrets', { encryptionSuite: SUITE, numSecrets: 1 })
  const bundle = idIn(begun, 'enclaveTargetMessages')
  const secret = {
    name: 'kept',
    secretPayload: await encryptedTo(bundle, 'a secret'),
    targetPublicKey: dataOf(bundle).targetPublic ?? '',
    encryptionSuite: SUITE,
    staticProperties: [{ key: 'kind', value: 'token' }],
  }
  return done(root, 'import_secrets', { secrets: [secret] })
}
