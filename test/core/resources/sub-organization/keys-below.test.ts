import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import { codeOf, placeIn, type Place, type World } from '../../world/world.ts'
import {
  account,
  isSigned,
  listed,
  makeWallet,
  onEd25519,
  privateKey,
  refused,
  sealedIn,
  signature,
  type MadeKey,
  type Members,
} from '../wallet/wallet-world.ts'
import { beginning, childOf, family } from './children.ts'

const it = suite('keys of organizations below another one')

type Begun = {
  readonly subOrganizationId: string
  readonly rootUserIds: readonly string[]
  readonly wallet?: { readonly walletId: string; readonly addresses: readonly string[] }
  readonly privateKeys?: readonly MadeKey[]
}

const asking = (more: Members) => {
  const key = generateKey('API_KEY_CURVE_P256')
  return { key, parameters: { ...(beginning({ name: 'eve', publicKey: key.publicKey }) as Members), ...more } } // an object
}

/** Begins an organization with keys, by the newest form of the request or another one. */
const childWith = async (w: World, more: Members, type?: string): Promise<Place & { readonly begun: Begun }> => {
  const { key, parameters } = asking(more)
  const { result } = await w.done(w.root, 'create_sub_organization', parameters, type === undefined ? {} : { type })
  const begun = Object.values(result)[0] as Begun // as the operation defines it
  const place = placeIn(w, begun.subOrganizationId, { key, userId: begun.rootUserIds[0] ?? '', apiKeyId: '' })
  return { ...place, begun }
}

const wallet = { walletName: 'savings', accounts: [account({ name: 'first' }), onEd25519()] }
const V3 = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V3'
const withKeys = (...privateKeys: readonly Members[]): Members => ({ privateKeys })

const found = async (w: World, address: string) =>
  (await w.answer(w.root, 'list_suborgs', { filterType: 'WALLET_ACCOUNT_ADDRESS', filterValue: address }))
    .organizationIds

/** The secrets that an organization has. */
const secretsOf = async (w: World, organizationId: string) =>
  (await sealedIn(w.storage, organizationId)).filter((row) => !('isGone' in row)).map(({ id }) => id)

it('begin with a wallet, whose addresses the result has and which signs below alone', async () => {
  const w = await family()
  const child = await childWith(w, { wallet })
  const { walletId = '', addresses = [] } = child.begun.wallet ?? {}
  const accounts = await listed(child, 'list_wallet_accounts', 'accounts')
  assert.equal(accounts.map(({ address, name }) => [address, name]), [[addresses[1], undefined], [addresses[0], 'first']]) // prettier-ignore
  assert.ok(isSigned(await signature(child, addresses[0] ?? ''), accounts[1]?.['publicKey'] ?? ''))
  assert.equal(await listed(w, 'list_wallets', 'wallets'), [])
  const above = { signWith: addresses[0] ?? '', payload: 'aa', encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' }
  const asked = await w.submit(w.root, 'sign_raw_payload', { ...above, hashFunction: 'HASH_FUNCTION_SHA256' })
  assert.is(codeOf(asked), 'RESOURCE_NOT_FOUND')
  assert.equal(await secretsOf(w, child.organizationId), [walletId])
  assert.equal(await secretsOf(w, w.organizationId), [])
  await w.close()
})

it('begin with private keys in the third version, whose answer has them', async () => {
  const w = await family()
  const child = await childWith(
    w,
    withKeys(privateKey('one'), privateKey('two', { curve: 'CURVE_P256', addressFormats: [] })),
    V3,
  )
  const { privateKeys = [] } = child.begun
  const shown = await listed(child, 'list_private_keys', 'privateKeys')
  assert.equal(shown.map(({ privateKeyId }) => privateKeyId), privateKeys.map(({ privateKeyId }) => privateKeyId)) // prettier-ignore
  assert.equal([privateKeys[0]?.addresses[0]?.format, privateKeys[1]?.addresses], ['ADDRESS_FORMAT_ETHEREUM', []])
  const named = privateKeys.map(({ privateKeyId }) => privateKeyId)
  for (const name of named) assert.is((await signature(child, name)).r.length, 64)
  assert.equal((await secretsOf(w, child.organizationId)).toSorted(), named.toSorted())
  assert.equal(await found(w, privateKeys[0]?.addresses[0]?.address ?? ''), []) // it is no account of a wallet
  await w.close()
})

it('are refused where they do not fit, with the place, and nothing begins', async () => {
  const w = await family({ limits: { privateKeys: 1 } })
  const cases: readonly (readonly [more: Members, type: string | undefined, field: string])[] = [
    [{ wallet: { ...wallet, walletName: '' } }, undefined, 'wallet.walletName'],
    [{ wallet: { ...wallet, accounts: [account({ path: 'm/x' })] } }, undefined, 'wallet.accounts.0.path'],
    [{ wallet: { ...wallet, accounts: [account(), account()] } }, undefined, 'wallet.accounts.1'],
    [withKeys(privateKey('one', { curve: 'CURVE_ED25519' })), V3, 'privateKeys.0.addressFormats'],
  ]
  for (const [more, type, field] of cases) {
    const { parameters } = asking(more)
    const asked = await w.submit(w.root, 'create_sub_organization', parameters, type === undefined ? {} : { type })
    assert.equal(refused(asked), ['REQUEST_INVALID', field])
  }
  const { parameters } = asking(withKeys(privateKey('one'), privateKey('two')))
  assert.is(codeOf(await w.submit(w.root, 'create_sub_organization', parameters, { type: V3 })), 'RESOURCE_EXHAUSTED')
  assert.equal((await w.answer(w.root, 'list_suborgs')).organizationIds, [])
  assert.equal(await sealedIn(w.storage), [])
  await w.close()
})

it('are not supported without a keyring; an organization without keys needs none', async () => {
  const w = await family({ ports: { keyring: undefined } })
  const { parameters } = asking({ wallet })
  assert.is(codeOf(await w.submit(w.root, 'create_sub_organization', parameters)), 'UNSUPPORTED')
  const child = await childOf(w)
  assert.equal((await w.answer(w.root, 'list_suborgs')).organizationIds, [child.organizationId])
  await w.close()
})

it('let the organization be found by the address of an account, for as long as there is the account', async () => {
  const w = await family()
  const child = await childWith(w, { wallet })
  const [ethereum = '', solana = ''] = child.begun.wallet?.addresses ?? []
  const { addresses, walletId } = await makeWallet(child, 'spending', account())
  const later = addresses[0] ?? ''
  const own = [child.organizationId]
  for (const address of [ethereum, ethereum.toLowerCase(), ethereum.toUpperCase(), solana, later])
    assert.equal(await found(w, address), own, address)
  for (const address of [solana.toLowerCase(), ethereum.slice(0, -1), ethereum.slice(2)])
    assert.equal(await found(w, address), [], address)

  const [, { walletAccountId = '' } = {}] = await listed(child, 'list_wallet_accounts', 'accounts')
  const gone = { walletAccountIds: [walletAccountId], deleteWithoutExport: true } // the account of Solana
  await child.done(child.root, 'delete_wallet_accounts', gone)
  assert.equal([await found(w, solana), await found(w, ethereum), await found(w, later)], [[], own, own])
  await child.done(child.root, 'delete_wallets', { walletIds: [walletId], deleteWithoutExport: true })
  assert.equal([await found(w, later), await found(w, ethereum)], [[], own])
  await child.done(child.root, 'delete_sub_organization', { deleteWithoutExport: true })
  assert.equal(await found(w, ethereum), [])
  await w.close()
})

it('are destroyed with the organization, which says whether they may go without an export', async () => {
  const w = await family()
  const other = await childWith(w, { wallet })
  const byWallet = await childWith(w, { wallet })
  const byKey = await childWith(w, withKeys(privateKey('one')), V3)
  for (const [child, what] of [
    [byWallet, 'wallet'],
    [byKey, 'private key'],
  ] as const) {
    const asked = await child.submit(child.root, 'delete_sub_organization', {})
    assert.equal(refused(asked), ['WALLET_ACCOUNT_NOT_EXPORTED', `${what} has not been exported`])
    assert.is((await secretsOf(w, child.organizationId)).length, 1)
    await child.done(child.root, 'delete_sub_organization', { deleteWithoutExport: true })
    assert.equal(await secretsOf(w, child.organizationId), [])
  }
  assert.is((await secretsOf(w, other.organizationId)).length, 1)
  await w.close()
})

it.run()
