import { sha256 } from '@noble/hashes/sha2.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { TurnkeyApiTypes } from '@turnkey/sdk-server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NOBODY, onStage, refusal, type Stage } from './stage.ts'

const it = suite('@turnkey/sdk-server: wallets and private keys')

type Decided = { readonly activity: TurnkeyApiTypes['v1Activity'] }
type Parts = { readonly r: string; readonly s: string; readonly v: string }

const PATH_FORMAT = 'PATH_FORMAT_BIP32'
const ethereum = (index = 0) =>
  ({
    curve: 'CURVE_SECP256K1',
    pathFormat: PATH_FORMAT,
    path: `m/44'/60'/0'/0/${index}`,
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }) as const
const solana = {
  curve: 'CURVE_ED25519',
  pathFormat: PATH_FORMAT,
  path: "m/44'/501'/0'/0'",
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
} as const
const compressed = { ...ethereum(), addressFormat: 'ADDRESS_FORMAT_COMPRESSED' } as const

const key = (privateKeyName: string, privateKeyTags: string[] = []) => ({
  privateKeyName,
  curve: 'CURVE_SECP256K1' as const,
  privateKeyTags,
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const, 'ADDRESS_FORMAT_COMPRESSED' as const],
})

/** The form of a text whose SHA-256 is signed. */
const text = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' } as const

/** Whether r, s and v are the signature of a text: they give the public key back. */
const signs = ({ r, s, v }: Parts, message: string, publicKey: string): boolean => {
  const signature = secp256k1.Signature.fromHex(r + s).addRecoveryBit(Number(v))
  return signature.recoverPublicKey(sha256(Buffer.from(message))).toHex(true) === publicKey
}

it('makes a wallet with addresses at once, and lists what it has', () =>
  onStage(async ({ sdk, root }) => {
    const client = sdk(root)
    const made = await client.createWallet({ walletName: 'savings', accounts: [ethereum(), solana] })
    const { walletId, addresses } = made
    assert.is(made.activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.match(addresses[0] ?? '', /^0x[0-9a-fA-F]{40}$/)
    const { wallets } = await client.getWallets()
    assert.equal(
      wallets.map((one) => [one.walletId, one.walletName, one.exported, one.imported]),
      [[walletId, 'savings', false, false]],
    )
    assert.equal((await client.getWallet({ walletId })).wallet, wallets[0])

    const named = { ...ethereum(1), name: 'second' }
    const more = await client.createWalletAccounts({ walletId, accounts: [named] })
    assert.is(more.activity.status, 'ACTIVITY_STATUS_COMPLETED')
    const { accounts } = await client.getWalletAccounts({ walletId, includeWalletDetails: true })
    assert.equal(
      accounts.map(({ address, path, name, walletDetails }) => [address, path, name, walletDetails?.walletName]),
      [
        [more.addresses[0], named.path, 'second', 'savings'],
        [addresses[1], solana.path, undefined, 'savings'],
        [addresses[0], ethereum().path, undefined, 'savings'],
      ],
    )
    for (const asked of [{ address: addresses[1] ?? '' }, { path: solana.path }])
      assert.is((await client.getWalletAccount({ walletId, ...asked })).account.address, addresses[1])
    assert.equal(
      await client.updateWallet({ walletId, walletName: 'spending' }).then(({ walletId: id }) => id),
      walletId,
    )
    assert.is((await client.getWallet({ walletId })).wallet.walletName, 'spending')
  }))

it('tells the addresses of a hundred accounts that it does not keep', () =>
  onStage(async ({ sdk, root }) => {
    const client = sdk(root)
    const { walletId } = await client.createWallet({ walletName: 'savings', accounts: [] })
    const accounts = Array.from({ length: 100 }, (_, index) => ethereum(index))
    const told = await client.createWalletAccounts({ walletId, accounts, persist: false })
    assert.is(new Set(told.addresses).size, 100)
    assert.equal((await client.getWalletAccounts({ walletId })).accounts, [])
    const { addresses } = await client.createWalletAccounts({ walletId, accounts: [ethereum(7)] })
    assert.equal(addresses, [told.addresses[7]])
  }))

it('makes private keys, and tags them', () =>
  onStage(async ({ sdk, root }) => {
    const client = sdk(root)
    const { privateKeyTagId } = await client.createPrivateKeyTag({ privateKeyTagName: 'hot', privateKeyIds: [] })
    const { privateKeys: made } = await client.createPrivateKeys({
      privateKeys: [key('one', [privateKeyTagId]), key('two')],
    })
    const { privateKeys } = await client.getPrivateKeys()
    assert.equal(
      privateKeys.map((one) => [one.privateKeyId, one.privateKeyName, one.privateKeyTags, one.addresses]),
      [
        [made[0]?.privateKeyId, 'one', [privateKeyTagId], made[0]?.addresses],
        [made[1]?.privateKeyId, 'two', [], made[1]?.addresses],
      ],
    )
    const { privateKey } = await client.getPrivateKey({ privateKeyId: made[1]?.privateKeyId ?? '' })
    assert.equal(privateKey, privateKeys[1])
    const compressedKey = made[1]?.addresses?.find(({ format }) => format === 'ADDRESS_FORMAT_COMPRESSED')?.address
    assert.is(secp256k1.Point.fromHex(privateKey.publicKey).toHex(true), compressedKey)
  }))

it('signs one payload and several, by address, id and public key', () =>
  onStage(async ({ sdk, root }) => {
    const client = sdk(root)
    const { addresses } = await client.createWallet({ walletName: 'savings', accounts: [ethereum(), compressed] })
    const [address = '', publicKey = ''] = addresses
    for (const signWith of [address, address.toLowerCase(), publicKey]) {
      const signed = await client.signRawPayload({ signWith, payload: 'hello', ...text })
      assert.is(signed.activity.status, 'ACTIVITY_STATUS_COMPLETED')
      assert.ok(signs(signed, 'hello', publicKey), signWith)
    }
    const { signatures } = await client.signRawPayloads({ signWith: address, payloads: ['one', 'two'], ...text })
    assert.equal(
      signatures?.map((one, index) => signs(one, ['one', 'two'][index] ?? '', publicKey)),
      [true, true],
    )

    const { privateKeys } = await client.createPrivateKeys({ privateKeys: [key('one')] })
    const { privateKeyId = '', addresses: own = [] } = privateKeys[0] ?? {}
    const mine = own.find(({ format }) => format === 'ADDRESS_FORMAT_COMPRESSED')?.address ?? ''
    const shown = (await client.getPrivateKey({ privateKeyId })).privateKey.publicKey
    for (const signWith of [privateKeyId, own[0]?.address ?? '', mine, shown])
      assert.ok(signs(await client.signRawPayload({ signWith, payload: 'hello', ...text }), 'hello', mine), signWith)
  }))

it('deletes wallets and private keys that were not exported only if it is told so', () =>
  onStage(async ({ sdk, root }) => {
    const client = sdk(root)
    const { walletId, addresses } = await client.createWallet({ walletName: 'savings', accounts: [ethereum()] })
    const { privateKeys } = await client.createPrivateKeys({ privateKeys: [key('one')] })
    const privateKeyIds = privateKeys.map(({ privateKeyId = '' }) => privateKeyId)
    const refused = [
      await refusal(client.deleteWallets({ walletIds: [walletId] })),
      await refusal(client.deletePrivateKeys({ privateKeyIds, deleteWithoutExport: false })),
    ]
    assert.equal(
      refused.map(({ code, error, message }) => [code, error, message]),
      [
        [9, 'WALLET_ACCOUNT_NOT_EXPORTED', 'wallet has not been exported'],
        [9, 'WALLET_ACCOUNT_NOT_EXPORTED', 'private key has not been exported'],
      ],
    )
    const gone = await client.deleteWallets({ walletIds: [walletId], deleteWithoutExport: true })
    assert.equal([gone.activity.status, gone.walletIds], ['ACTIVITY_STATUS_COMPLETED', [walletId]])
    const deleted = await client.deletePrivateKeys({ privateKeyIds, deleteWithoutExport: true })
    assert.equal(deleted.privateKeyIds, privateKeyIds)
    assert.equal([(await client.getWallets()).wallets, (await client.getPrivateKeys()).privateKeys], [[], []])
    for (const signWith of [...addresses, ...privateKeyIds])
      assert.is((await refusal(client.signRawPayload({ signWith, payload: 'hello', ...text }))).code, 5)
  }))

it('says clearly what is wrong: a name that is taken, an account that is there, a key that is not', () =>
  onStage(async ({ sdk, root }) => {
    const client = sdk(root)
    const { walletId } = await client.createWallet({ walletName: 'savings', accounts: [ethereum()] })
    const { accounts } = await client.getWalletAccounts({ walletId })
    await client.createPrivateKeys({ privateKeys: [key('one')] })
    const cases: readonly (readonly [() => Promise<unknown>, readonly unknown[]])[] = [
      [() => client.createWallet({ walletName: 'savings', accounts: [] }), [3, 'walletName']],
      [() => client.createPrivateKeys({ privateKeys: [key('one')] }), [3, 'privateKeys.0.privateKeyName']],
      [
        () => client.createWalletAccounts({ walletId, accounts: [ethereum()] }),
        [6, `path already exists in wallet account ${accounts[0]?.walletAccountId}`],
      ],
      [() => client.getWallet({ walletId: NOBODY }), [5, NOBODY]],
      [() => client.getPrivateKey({ privateKeyId: NOBODY }), [5, NOBODY]],
      [
        () => client.signRawPayload({ signWith: NOBODY, payload: 'hello', ...text }),
        [5, 'Could not find any resource to sign with.'],
      ],
      [() => client.deleteWallets({ walletIds: [NOBODY], deleteWithoutExport: true }), [5, NOBODY]],
    ]
    for (const [ask, [code, words]] of cases) {
      const refused = await refusal(ask())
      assert.is(refused.code, code, refused.message)
      assert.match(refused.message, String(words))
    }
  }))

/** Two who have to agree: by the quorum of the root, or by a policy. */
const agreements: {
  readonly [name: string]: (stage: Stage) => Promise<{ readonly asks: Stage['root']; readonly agrees: Stage['root'] }>
} = {
  'the root quorum': async ({ root, enrol, done }) => {
    const ada = await enrol('ada')
    await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
    return { asks: root, agrees: ada }
  },
  'a policy': async ({ sdk, root, enrol }) => {
    const [ada, grace] = [await enrol('ada'), await enrol('grace')]
    await sdk(root).createPolicy({
      policyName: 'two sign',
      effect: 'EFFECT_ALLOW',
      condition: "activity.action == 'SIGN' && wallet.label == 'savings'",
      consensus: `approvers.any(user, user.id == '${grace.userId}') && approvers.count() >= 2`,
      notes: '',
    })
    return { asks: ada, agrees: grace }
  },
}

for (const [name, agree] of Object.entries(agreements))
  it(`signs with the vote of the second where ${name} wants two`, () =>
    onStage(async (stage) => {
      const { sdk, root } = stage
      const wallet = { walletName: 'savings', accounts: [ethereum(), compressed] }
      const { addresses } = await sdk(root).createWallet(wallet)
      const { asks, agrees } = await agree(stage)
      const asked = await sdk(asks).signRawPayload({ signWith: addresses[0] ?? '', payload: 'hello', ...text })
      assert.equal([asked.activity.status, asked.activity.result], ['ACTIVITY_STATUS_CONSENSUS_NEEDED', {}])
      const { fingerprint, id } = asked.activity
      const { activity } = (await sdk(agrees).approveActivity({ fingerprint })) as Decided // the client's own type leaves it out
      assert.equal([activity.id, activity.status], [id, 'ACTIVITY_STATUS_COMPLETED'])
      const { signRawPayloadResult: parts } = activity.result
      assert.ok(parts !== undefined && signs(parts, 'hello', addresses[1] ?? ''))
      const read = (await sdk(asks).getActivity({ activityId: id })).activity.result.signRawPayloadResult
      assert.equal(read, parts)
    }))

it.run()
