import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureCodes } from '../../../../core/failure-codes.ts'
import { defaultLimits } from '../../world/with-host.ts'
import { world } from '../../world/world.ts'
import { NOBODY } from '../example.ts'
import {
  account,
  addAccounts,
  assertRefused,
  isSigned,
  listed,
  makeWallet,
  onEd25519,
  refused,
  sealedIn,
  signature,
  type Members,
} from './wallet-world.ts'

const it = suite('wallets and their accounts')

const INVALID = 'REQUEST_INVALID'

it('are made with a seed each, and the ids of accounts and addresses in the order of the request', async () => {
  const w = await world()
  const one = await makeWallet(w, 'one', account({ name: 'first' }), onEd25519())
  const two = await makeWallet(w, 'two', account())
  assert.equal(
    (await listed(w, 'list_wallet_accounts', 'accounts')).map(({ address, name = '' }) => [address, name]),
    [[two.addresses[0], ''], [one.addresses[1], ''], [one.addresses[0], 'first']], // prettier-ignore
  )
  assert.is.not(one.addresses[0], two.addresses[0])
  assert.equal((await sealedIn(w.storage)).map(({ id }) => id).toSorted(), [one.walletId, two.walletId].toSorted())
  await w.close()
})

it('refuse what does not fit, with the place and without the value, and store nothing', async () => {
  const w = await world()
  const { walletId } = await makeWallet(w, 'savings', account({ name: 'first' }))
  const cases: readonly (readonly [Members, string])[] = [
    [account({ curve: 'CURVE_P256' }), 'addressFormat'],
    [account({ curve: 'CURVE_ED25519' }), 'addressFormat'],
    [onEd25519("m/44'", 'ADDRESS_FORMAT_ETHEREUM'), 'addressFormat'],
    [account({ addressFormat: 'ADDRESS_FORMAT_SOLANA' }), 'addressFormat'],
    [account({ addressFormat: 'ADDRESS_FORMAT_CARDANO' }), 'addressFormat'],
    [account({ curve: 'CURVE_BLS12381' }), 'curve'],
    [account({ pathFormat: 'PATH_FORMAT_BIP44' }), 'pathFormat'],
    ...[
      '',
      'm/',
      "44'/60'",
      'm/44h/60',
      'm/-1',
      'm/01',
      'm/2147483648',
      'm/4294967296',
      'M/0',
      'm/0 ',
      'm//0',
      "m/0''",
    ].map((path) => [account({ path }), 'path'] as const),
    [account({ path: "m/44'/60'/0'/0/1", name: 'first' }), 'name'],
    [account({ path: "m/44'/60'/0'/0/1", name: 'a\nb' }), 'name'],
  ]
  for (const [wrong, member] of cases) {
    const accounts = [account({ path: "m/44'/60'/0'/0/9" }), wrong]
    for (const [path, parameters] of [
      ['create_wallet', { walletName: 'another', accounts }],
      ['create_wallet_accounts', { walletId, accounts }],
    ] as const) {
      const asked = await w.submit(w.root, path, parameters)
      assert.equal(refused(asked), [INVALID, `accounts.1.${member}`], JSON.stringify(wrong))
      const said = JSON.stringify(asked)
      for (const value of [wrong['path'], wrong['addressFormat'], wrong['curve']])
        if (value !== '') assert.not.ok(said.includes(JSON.stringify(value)), said)
    }
    await assertRefused(w, () => w.submit(w.root, 'create_wallet', { walletName: 'another', accounts }), [
      INVALID,
      `accounts.1.${member}`,
    ])
  }
  for (const mnemonicLength of [1, 11, 13, 48, 12.5])
    await assertRefused(
      w,
      () => w.submit(w.root, 'create_wallet', { walletName: 'another', accounts: [], mnemonicLength }),
      [INVALID, 'mnemonicLength'],
    )
  await w.close()
})

it('have one account of a path and a format: a second one is there already', async () => {
  const w = await world()
  const { walletId } = await makeWallet(w, 'savings', account())
  const [made] = await listed(w, 'list_wallet_accounts', 'accounts')
  const there = ['ALREADY_EXISTS', `path already exists in wallet account ${made?.['walletAccountId']}`]
  const add = (...accounts: readonly Members[]) => w.submit(w.root, 'create_wallet_accounts', { walletId, accounts })
  await assertRefused(w, () => add(account()), there)
  await assertRefused(w, () => add(onEd25519(), account({ name: 'another' })), there)
  await assertRefused(w, () => add(onEd25519(), onEd25519()), [INVALID, 'accounts.1'])
  const { http, grpc } = failureCodes.ALREADY_EXISTS
  assert.equal([http, grpc], [409, 6])
  for (const other of [
    account({ addressFormat: 'ADDRESS_FORMAT_COMPRESSED' }),
    account({ addressFormat: 'ADDRESS_FORMAT_COMPRESSED', curve: 'CURVE_P256' }),
    account({ path: "m/44'/60'/0'/0/1" }),
  ])
    assert.is((await addAccounts(w, walletId, [other])).length, 1)
  assert.is((await makeWallet(w, 'another', account())).addresses.length, 1)
  await w.close()
})

it('have names of their own, also when they are renamed', async () => {
  const w = await world()
  const { walletId } = await makeWallet(w, 'savings', account({ name: 'first' }), onEd25519())
  const other = await makeWallet(w, 'spending')
  const accounts = await listed(w, 'list_wallet_accounts', 'accounts')
  const [ofEd25519, first] = accounts.map(({ walletAccountId = '' }) => walletAccountId)
  const taken: readonly (readonly [path: string, parameters: Members, field: string])[] = [
    ['create_wallet', { walletName: 'savings', accounts: [] }, 'walletName'],
    ['create_wallet', { walletName: 'third', accounts: [account({ name: 'first' })] }, 'accounts.0.name'],
    [
      'create_wallet',
      { walletName: 'third', accounts: [account({ name: 'same' }), { ...onEd25519(), name: 'same' }] },
      'accounts.1.name',
    ],
    ['create_wallet_accounts', { walletId: other.walletId, accounts: [account({ name: 'first' })] }, 'accounts.0.name'],
    ['update_wallet', { walletId: other.walletId, walletName: 'savings' }, 'walletName'],
    ['update_wallet_account_name', { walletAccountId: ofEd25519 ?? '', name: 'first' }, 'name'],
  ]
  for (const [path, parameters, field] of taken)
    await assertRefused(w, () => w.submit(w.root, path, parameters), [INVALID, field])
  await w.done(w.root, 'update_wallet', { walletId, walletName: 'savings' }) // its own name
  await w.done(w.root, 'update_wallet_account_name', { walletAccountId: first ?? '', name: 'second' })
  await w.done(w.root, 'update_wallet_account_name', { walletAccountId: ofEd25519 ?? '', name: 'first' })
  await w.done(w.root, 'update_wallet', { walletId, walletName: '' })
  const shown = (await listed(w, 'list_wallets', 'wallets')).find((one) => one['walletId'] === walletId)
  assert.is(shown?.['walletName'], 'savings')
  await w.close()
})

it('have the quotas of the public API, unless the engine is told others', () =>
  assert.equal(
    ['wallets', 'privateKeys', 'privateKeyTags'].map(
      (name) => Object.entries(defaultLimits).find(([one]) => one === name)?.[1],
    ),
    [100, 1_000, 100],
  ))

it('stay below the quota, and below a hundred accounts a request', async () => {
  const w = await world({ limits: { wallets: 2 } })
  const { walletId } = await makeWallet(w, 'one')
  await makeWallet(w, 'two')
  const quota = 'this organization cannot execute activities because it is over its allotted quota: at most 2 wallets'
  await assertRefused(w, () => w.submit(w.root, 'create_wallet', { walletName: 'three', accounts: [] }), [
    'RESOURCE_EXHAUSTED',
    quota,
  ])
  const many = Array.from({ length: 101 }, (_, index) => account({ path: `m/${index}` }))
  await assertRefused(w, () => w.submit(w.root, 'create_wallet_accounts', { walletId, accounts: many }), [
    INVALID,
    'accounts',
  ])
  assert.is((await addAccounts(w, walletId, many.slice(1))).length, 100)
  await w.done(w.root, 'delete_wallets', { walletIds: [walletId], deleteWithoutExport: true })
  await makeWallet(w, 'three')
  await w.close()
})

it('tell the addresses of accounts that are not to be kept, and keep none', async () => {
  const w = await world()
  const { walletId } = await makeWallet(w, 'savings')
  const told = await addAccounts(w, walletId, [account({ name: 'first' }), onEd25519()], { persist: false })
  assert.equal(await listed(w, 'list_wallet_accounts', 'accounts'), [])
  for (const address of told)
    assert.equal(refused(await w.ask(w.root, 'get_wallet_account', { walletId, address }))[0], 'RESOURCE_NOT_FOUND')
  assert.equal(await addAccounts(w, walletId, [account({ name: 'first' }), onEd25519()], { persist: true }), told)
  await w.close()
})

it('derive the same address where an account was deleted and is made again', async () => {
  const w = await world()
  const { walletId, addresses } = await makeWallet(w, 'savings', account({ name: 'first' }), onEd25519())
  const [, { walletAccountId = '' } = {}] = await listed(w, 'list_wallet_accounts', 'accounts')
  const remove = (more: Members) =>
    w.submit(w.root, 'delete_wallet_accounts', { walletAccountIds: [walletAccountId], ...more })
  await assertRefused(w, () => remove({}), ['WALLET_ACCOUNT_NOT_EXPORTED', 'wallet account has not been exported'])
  const secrets = await sealedIn(w.storage)
  await remove({ deleteWithoutExport: true })
  assert.equal(await sealedIn(w.storage), secrets)
  assert.is((await listed(w, 'list_wallet_accounts', 'accounts')).length, 1)
  assert.equal(await addAccounts(w, walletId, [account({ name: 'first' })]), [addresses[0]])
  await w.close()
})

it('are found by address and by path, in the wallet that is asked for', async () => {
  const w = await world()
  const [one, two] = [await makeWallet(w, 'one', account(), onEd25519()), await makeWallet(w, 'two', account())]
  const [address = ''] = one.addresses
  const path = "m/44'/501'/0'/0'"
  for (const [members, expected] of [
    [{ walletId: one.walletId, address }, address],
    [{ walletId: one.walletId, address: address.toUpperCase().replace('0X', '0x') }, address],
    [{ walletId: one.walletId, path }, one.addresses[1]],
    [{ walletId: two.walletId, address }, 'RESOURCE_NOT_FOUND'],
    [{ walletId: two.walletId, path }, 'RESOURCE_NOT_FOUND'],
    [{ walletId: one.walletId, address, path }, 'RESOURCE_NOT_FOUND'],
    [{ walletId: NOBODY, address }, 'RESOURCE_NOT_FOUND'],
    [{ walletId: one.walletId }, INVALID],
  ] as const) {
    const asked = await w.ask(w.root, 'get_wallet_account', members)
    const found = asked._tag === 'Right' ? (asked.right['account'] as Members)['address'] : asked.left.code
    assert.is(found, expected, JSON.stringify(members))
  }
  await w.close()
})

it('are listed a page at a time, newest first, and pages name accounts', async () => {
  const w = await world()
  const { walletId } = await makeWallet(w, 'one', ...[0, 1, 2, 3, 4].map((index) => account({ path: `m/${index}` })))
  await makeWallet(w, 'two', account())
  const all = await listed(w, 'list_wallet_accounts', 'accounts', { walletId })
  assert.equal(all.map(({ path }) => path), ['m/4', 'm/3', 'm/2', 'm/1', 'm/0']) // prettier-ignore
  const page = async (paginationOptions: Members) =>
    (await listed(w, 'list_wallet_accounts', 'accounts', { walletId, paginationOptions })).map(({ path }) => path)
  const id = (index: number) => all[index]?.['walletAccountId'] ?? ''
  assert.equal(await page({ limit: '2' }), ['m/4', 'm/3'])
  assert.equal(await page({ limit: '2', before: id(1) }), ['m/2', 'm/1'])
  assert.equal(await page({ limit: '2', after: id(3) }), ['m/3', 'm/2'])
  const [elsewhere] = await listed(w, 'list_wallet_accounts', 'accounts')
  const before = elsewhere?.['walletAccountId'] ?? ''
  const asked = await w.ask(w.root, 'list_wallet_accounts', { walletId, paginationOptions: { before } })
  assert.equal(refused(asked), [INVALID, 'paginationOptions.before'])
  await w.close()
})

it('are deleted with their secret, and refused where one of several is not there', async () => {
  const w = await world()
  const { walletId, addresses } = await makeWallet(w, 'savings', account())
  const remove = (...walletIds: readonly string[]) =>
    w.submit(w.root, 'delete_wallets', { walletIds, deleteWithoutExport: true })
  await assertRefused(w, () => remove(walletId, NOBODY), [
    'RESOURCE_NOT_FOUND',
    `unable to find wallet ${NOBODY} in organization ${w.organizationId}`,
  ])
  const [{ publicKey = '' } = {}] = await listed(w, 'list_wallet_accounts', 'accounts')
  assert.ok(isSigned(await signature(w, addresses[0] ?? ''), publicKey))
  await remove(walletId)
  assert.equal(await listed(w, 'list_wallets', 'wallets'), [])
  assert.equal(await listed(w, 'list_wallet_accounts', 'accounts'), [])
  const [left] = await sealedIn(w.storage)
  assert.ok(left !== undefined && 'isGone' in left, 'only the id is left')
  await makeWallet(w, 'savings', account())
  await w.close()
})

it.run()
