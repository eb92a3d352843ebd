import {
  PRODUCTION_SIGNER_SIGN_PUBLIC_KEY,
  decryptExportBundle,
  decryptSecretBundle,
  encryptPrivateKeyToBundle,
  encryptSecretToBundle,
  encryptWalletToBundle,
  generateP256KeyPair,
  verifyAppProofSignature,
} from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { begin } from '../../core/world/world.ts'
import { onStage, publishedKey } from './stage.ts'

/* What goes over the border by the official clients, unmodified; they are told which key signs bundles here. */
const it = suite('@turnkey/crypto: bundles')

const accounts = [
  ['CURVE_SECP256K1', "m/44'/60'/0'/0/0", 'ADDRESS_FORMAT_ETHEREUM'],
  ['CURVE_ED25519', "m/44'/501'/0'/0'", 'ADDRESS_FORMAT_SOLANA'],
  ['CURVE_P256', "m/44'/1'/0'/0/0", 'ADDRESS_FORMAT_COMPRESSED'],
].map(([curve, path, addressFormat]) => ({ curve, pathFormat: 'PATH_FORMAT_BIP32', path, addressFormat })) as never

const rejects = async (asked: () => Promise<unknown>): Promise<void> => {
  const outcome = await asked().then(
    () => 'resolved',
    () => 'rejected',
  )
  assert.is(outcome, 'rejected')
}

it('a wallet is exported, and has the same addresses in another organization', () =>
  onStage(async (stage) => {
    const signer = await publishedKey(stage, 'signer')
    const { organizationId, root } = stage
    const client = stage.sdk(root)
    const { walletId, addresses } = await client.createWallet({ walletName: 'made', accounts })
    const keys = generateP256KeyPair()
    const { exportBundle } = await client.exportWallet({ walletId, targetPublicKey: keys.publicKeyUncompressed })
    const open = (dangerouslyOverrideSignerPublicKey: string): Promise<string> =>
      decryptExportBundle({
        exportBundle,
        embeddedKey: keys.privateKey,
        organizationId,
        returnMnemonic: true,
        dangerouslyOverrideSignerPublicKey,
      })
    await rejects(() => open(PRODUCTION_SIGNER_SIGN_PUBLIC_KEY))
    const mnemonic = await open(signer)

    const other = stage.at(await begin(stage))
    const there = other.sdk(other.root)
    const { userId } = other.root
    const { importBundle } = await there.initImportWallet({ userId })
    const encrypt = (dangerouslyOverrideSignerPublicKey: string): Promise<string> =>
      encryptWalletToBundle({
        mnemonic,
        importBundle,
        userId,
        organizationId: other.organizationId,
        dangerouslyOverrideSignerPublicKey,
      })
    await rejects(() => encrypt(PRODUCTION_SIGNER_SIGN_PUBLIC_KEY))
    const encryptedBundle = await encrypt(signer)
    const imported = await there.importWallet({ userId, walletName: 'imported', encryptedBundle, accounts })
    assert.equal(imported.addresses, addresses)
    assert.is((await there.getWallet({ walletId: imported.walletId })).wallet.imported, true)
  }))

it('an account is exported, and imported as a private key with the same address', () =>
  onStage(async (stage) => {
    const signer = await publishedKey(stage, 'signer')
    const { organizationId, root } = stage
    const client = stage.sdk(root)
    const { addresses } = await client.createWallet({ walletName: 'made', accounts })
    const forms = [
      ['CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM', 'HEXADECIMAL'],
      ['CURVE_ED25519', 'ADDRESS_FORMAT_SOLANA', 'SOLANA'],
      ['CURVE_P256', 'ADDRESS_FORMAT_COMPRESSED', 'HEXADECIMAL'],
    ] as const
    for (const [index, [curve, addressFormat, keyFormat]] of forms.entries()) {
      const keys = generateP256KeyPair()
      const address = addresses[index] ?? ''
      const exported = await client.exportWalletAccount({ address, targetPublicKey: keys.publicKeyUncompressed })
      const privateKey = await decryptExportBundle({
        exportBundle: exported.exportBundle,
        embeddedKey: keys.privateKey,
        organizationId,
        keyFormat,
        returnMnemonic: false,
        dangerouslyOverrideSignerPublicKey: signer,
      })
      const { importBundle } = await client.initImportPrivateKey({ userId: root.userId })
      const encryptedBundle = await encryptPrivateKeyToBundle({
        privateKey,
        keyFormat,
        importBundle,
        userId: root.userId,
        organizationId,
        dangerouslyOverrideSignerPublicKey: signer,
      })
      const imported = await client.importPrivateKey({
        userId: root.userId,
        privateKeyName: curve,
        encryptedBundle,
        curve,
        addressFormats: [addressFormat],
      })
      assert.equal(imported.addresses, [{ format: addressFormat, address }])
      const again = generateP256KeyPair()
      const { privateKeyId } = imported
      const back = await client.exportPrivateKey({ privateKeyId, targetPublicKey: again.publicKeyUncompressed })
      const opened = await decryptExportBundle({
        exportBundle: back.exportBundle,
        embeddedKey: again.privateKey,
        organizationId,
        keyFormat,
        returnMnemonic: false,
        dangerouslyOverrideSignerPublicKey: signer,
      })
      assert.is(opened, privateKey)
    }
  }))

it('secrets go in and out', () =>
  onStage(async (stage) => {
    const signer = await publishedKey(stage, 'signer')
    const { organizationId, root } = stage
    const client = stage.sdk(root)
    const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1' as const
    const asks = stage.asks('ACTIVITY_TYPE_INIT_IMPORT_SECRETS', { encryptionSuite, numSecrets: 2 })
    const begun = await stage.http(root).initImportSecrets(asks) // the other client has no such method
    const { enclaveTargetMessages = [] } = begun.activity.result.initImportSecretsResult ?? {}
    const secrets = await Promise.all(
      enclaveTargetMessages.map(async (ingressTargetBundle, index) => ({
        ...(await encryptSecretToBundle({
          plaintext: `secret ${index}`,
          ingressTargetBundle,
          organizationId,
          dangerouslyOverrideSignerPublicKey: signer,
        })),
        encryptionSuite,
        staticProperties: [],
      })),
    )
    const { secretIds } = await client.importSecrets({ secrets })
    const keys = generateP256KeyPair()
    const asked = secretIds.map((secretId) => ({
      secretId,
      targetPublicKey: keys.publicKeyUncompressed,
      encryptionSuite,
      requestContext: [],
    }))
    const { secretPayloads } = await client.exportSecrets({ secrets: asked })
    const open = (secretPayload: string, dangerouslyOverrideSignerPublicKey: string): Promise<string> =>
      decryptSecretBundle({
        secretPayload,
        embeddedPrivateKey: keys.privateKey,
        organizationId,
        dangerouslyOverrideSignerPublicKey,
      })
    assert.equal(await Promise.all(secretPayloads.map((one) => open(one, signer))), ['secret 0', 'secret 1'])
    await rejects(() => open(secretPayloads[0] ?? '', PRODUCTION_SIGNER_SIGN_PUBLIC_KEY))
  }))

it('app proofs hold, and none with a character changed', () =>
  onStage(async (stage) => {
    const client = stage.http(stage.root)
    const asks = stage.asks('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'made', accounts })
    const made = await client.createWallet({ ...asks, generateAppProofs: true })
    const { organizationId } = stage
    const { appProofs } = await client.getAppProofs({ organizationId, activityId: made.activity.id })
    assert.equal(made.activity.appProofs, appProofs)
    const payloads = appProofs.map(({ proofPayload }) => JSON.parse(proofPayload) as { type: string })
    const ADDRESS = 'APP_PROOF_TYPE_ADDRESS_DERIVATION'
    assert.equal(
      payloads.map(({ type }) => type),
      [ADDRESS, ADDRESS, ADDRESS, 'APP_PROOF_TYPE_POLICY_OUTCOME'],
    )
    for (const proof of appProofs) {
      verifyAppProofSignature(proof)
      const changed = proof.proofPayload.replace(/"address":"(.)|"outcome":"(.)/, (found) => `${found.slice(0, -1)}_`)
      assert.throws(() => verifyAppProofSignature({ ...proof, proofPayload: changed }))
    }
  }))

it.run()
