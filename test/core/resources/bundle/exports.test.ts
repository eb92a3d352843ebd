import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../../core/bytes.ts'
import { isBundleWith } from '../../../../core/resources/bundle/bundle.ts'
import { publicKeyOf } from '../../../../core/keys/public-key.ts'
import { codeOf, right, world, type World } from '../../world/world.ts'
import {
  account,
  assertRefused,
  listed,
  makeKeys,
  makeWallet,
  onEd25519,
  privateKey,
  refused,
} from '../wallet/wallet-world.ts'
import { borderClient, dataOf } from './border.ts'
import { resultOf } from './border-world.ts'

const it = suite('exports')

const inWorld = (name: string, play: (w: World) => Promise<void>): void =>
  it(name, async () => {
    const w = await world()
    await play(w)
    await w.close()
  })

type Exported = { readonly exportBundle: string | null }

const exporting = (w: World, path: string, asked: { readonly [member: string]: string }): Promise<Exported> =>
  resultOf<Exported>(w, w.root, path, asked)

inWorld('a bundle has the form that clients open, and is signed by the published key', async (w) => {
  const { walletId } = await makeWallet(w, 'made', account())
  const client = borderClient()
  const { exportBundle } = await exporting(w, 'export_wallet', { walletId, targetPublicKey: client.publicKey })
  const envelope = JSON.parse(exportBundle ?? '') as { readonly [member: string]: string }
  assert.equal(Object.keys(envelope), ['version', 'data', 'dataSignature', 'enclaveQuorumPublic'])
  assert.is(envelope['version'], 'v1.0.0')
  const keys = right(await w.engine.deploymentKeys()())
  assert.is(envelope['enclaveQuorumPublic'], keys.find(({ purpose }) => purpose === 'signer')?.publicKey)
  assert.equal(Object.keys(dataOf(exportBundle ?? '')), ['encappedPublic', 'ciphertext', 'organizationId'])
  assert.is(isBundleWith(exportBundle ?? '', { organizationId: w.organizationId }), true)
  assert.is(isBundleWith((exportBundle ?? '').replace(/"data":"(..)/, '"data":"00'), {}), false)
  assert.match(await client.text(exportBundle ?? ''), /^(?:[a-z]+ ){11}[a-z]+$/)
})

inWorld('the same body gets the same bundle, and get_activity shows it', async (w) => {
  const { walletId } = await makeWallet(w, 'made', account())
  const body = w.body('export_wallet', { walletId, targetPublicKey: borderClient().publicKey })
  const [first, second] = [await w.send(w.root, 'export_wallet', body), await w.send(w.root, 'export_wallet', body)]
  assert.equal(right(first).result, right(second).result)
  const { activity } = await w.answer(w.root, 'get_activity', { activityId: right(first).id })
  assert.equal((activity as { readonly result: unknown }).result, right(first).result)
})

inWorld('an account and a private key go out as 32 bytes, to a key that is compressed or not', async (w) => {
  const { addresses } = await makeWallet(w, 'made', account(), onEd25519())
  const [made] = await makeKeys(w, privateKey('one'))
  const accounts = await listed(w, 'list_wallet_accounts', 'accounts')
  for (const [index, address] of addresses.entries()) {
    const client = borderClient()
    const targetPublicKey = index === 0 ? client.publicKey.toUpperCase() : client.compressed
    const { exportBundle } = await exporting(w, 'export_wallet_account', { address, targetPublicKey })
    const key = await client.open(exportBundle ?? '')
    const shown = accounts.find((one) => one['address'] === address)
    assert.is(publicKeyOf(shown?.['curve'] as 'CURVE_ED25519', key), shown?.['publicKey'])
  }
  const client = borderClient()
  const asked = { privateKeyId: made?.privateKeyId ?? '', targetPublicKey: client.publicKey }
  const { exportBundle } = await exporting(w, 'export_private_key', asked)
  assert.is((await client.open(exportBundle ?? '')).length, 32)
})

inWorld('what was exported is marked, each for itself, and may be deleted', async (w) => {
  const one = await makeWallet(w, 'one', account(), onEd25519())
  const [key, other] = await makeKeys(w, privateKey('one'), privateKey('two'))
  const targetPublicKey = borderClient().publicKey
  const accounts = await listed(w, 'list_wallet_accounts', 'accounts')
  const first = accounts.find(({ address }) => address === one.addresses[0])?.['walletAccountId'] ?? ''
  const second = accounts.find(({ address }) => address === one.addresses[1])?.['walletAccountId'] ?? ''
  const deletes = async (path: string, asked: { readonly [member: string]: readonly string[] }) =>
    codeOf(await w.submit(w.root, path, asked))
  const NOT = 'WALLET_ACCOUNT_NOT_EXPORTED'
  await exporting(w, 'export_wallet_account', { address: one.addresses[0] ?? '', targetPublicKey })
  assert.is(await deletes('delete_wallets', { walletIds: [one.walletId] }), NOT)
  assert.is(await deletes('delete_wallet_accounts', { walletAccountIds: [second] }), NOT)
  await exporting(w, 'export_wallet', { walletId: one.walletId, targetPublicKey })
  assert.is(await deletes('delete_wallet_accounts', { walletAccountIds: [second] }), NOT)
  await w.done(w.root, 'delete_wallet_accounts', { walletAccountIds: [first] })
  await w.done(w.root, 'delete_wallets', { walletIds: [one.walletId] })
  await exporting(w, 'export_private_key', { privateKeyId: key?.privateKeyId ?? '', targetPublicKey })
  assert.is(await deletes('delete_private_keys', { privateKeyIds: [other?.privateKeyId ?? ''] }), NOT)
  await w.done(w.root, 'delete_private_keys', { privateKeyIds: [key?.privateKeyId ?? ''] })
})

inWorld('a key that is disabled, deleted or unknown goes nowhere', async (w) => {
  const [made] = await makeKeys(w, privateKey('one'))
  const privateKeyId = made?.privateKeyId ?? ''
  const targetPublicKey = borderClient().publicKey
  await w.done(w.root, 'disable_private_key', { privateKeyId })
  await assertRefused(w, () => w.submit(w.root, 'export_private_key', { privateKeyId, targetPublicKey }), [
    'REQUEST_INVALID',
    'privateKeyId',
  ])
  await w.done(w.root, 'delete_private_keys', { privateKeyIds: [privateKeyId], deleteWithoutExport: true })
  const gone = await w.submit(w.root, 'export_private_key', { privateKeyId, targetPublicKey })
  assert.is(codeOf(gone), 'RESOURCE_NOT_FOUND')
  const asked = { address: '0x00', targetPublicKey }
  assert.is(codeOf(await w.submit(w.root, 'export_wallet_account', asked)), 'RESOURCE_NOT_FOUND')
})

inWorld('a target key that is no point of the curve is refused', async (w) => {
  const { walletId } = await makeWallet(w, 'made', account())
  for (const targetPublicKey of [
    '',
    '04',
    `04${'11'.repeat(64)}`,
    `02${'ff'.repeat(32)}`,
    'zz',
    encodeHex(new Uint8Array(65)),
  ])
    assert.equal(refused(await w.submit(w.root, 'export_wallet', { walletId, targetPublicKey })), [
      'REQUEST_INVALID',
      'targetPublicKey',
    ])
})

inWorld('policies see the wallet, and the key to which it goes', async (w) => {
  const bob = await w.enrol('bob')
  const { walletId } = await makeWallet(w, 'made', account())
  const targetPublicKey = borderClient().publicKey
  const condition = `activity.params.target_public_key == '${targetPublicKey}' && wallet.label == 'made' && wallet.exported == false`
  const policy = { policyName: 'once', effect: 'EFFECT_ALLOW', consensus: 'true', condition, notes: '' }
  await w.done(w.root, 'create_policy', policy)
  const asks = (to: string) => w.submit(bob, 'export_wallet', { walletId, targetPublicKey: to })
  assert.is(codeOf(await asks(borderClient().publicKey)), 'REQUEST_NOT_AUTHORIZED')
  right(await asks(targetPublicKey))
  assert.is(codeOf(await asks(targetPublicKey)), 'REQUEST_NOT_AUTHORIZED') // it is exported now
})

it.run()
