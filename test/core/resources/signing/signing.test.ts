import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SigningScheme } from '../../../../core/keys/signing.ts'
import { begin, right, world } from '../../world/world.ts'
import { NOBODY } from '../example.ts'
import {
  account,
  assertRefused,
  isSigned,
  listed,
  makeKeys,
  makeWallet,
  onEd25519,
  PLAIN,
  privateKey,
  refused,
  sign,
  signature,
  type Members,
} from '../wallet/wallet-world.ts'

const it = suite('signatures')

const INVALID = 'REQUEST_INVALID'
const NOT_FOUND = ['RESOURCE_NOT_FOUND', 'Could not find any resource to sign with.']

const hex = (hashFunction: string, payload = 'ab'.repeat(32)) => ({
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: `HASH_FUNCTION_${hashFunction}`,
  payload,
})
const typed = (message: string, hashFunction = 'NO_OP') => ({
  encoding: 'PAYLOAD_ENCODING_EIP712',
  hashFunction: `HASH_FUNCTION_${hashFunction}`,
  payload: `{"domain":{},"types":{"A":[{"name":"worth","type":"uint256"}]},"primaryType":"A","message":${message}}`,
})
const authorization = (nonce: string) => ({
  encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
  hashFunction: 'HASH_FUNCTION_NO_OP',
  payload: `{"address":"0x${'ab'.repeat(20)}","chainId":1,"nonce":${nonce}}`,
})

it('are refused where payload, encoding, hash and curve do not fit, with the place and without the payload', async () => {
  const w = await world()
  const { addresses } = await makeWallet(w, 'savings', account(), onEd25519())
  const [ethereum = '', solana = ''] = addresses
  const wrong: readonly (readonly [signWith: string, more: Members, member: string])[] = [
    [ethereum, hex('NOT_APPLICABLE'), 'hashFunction'],
    [solana, hex('NO_OP'), 'hashFunction'],
    [solana, hex('SHA256'), 'hashFunction'],
    [solana, typed('{"worth":1}'), 'hashFunction'],
    [ethereum, hex('BLAKE2B'), 'hashFunction'],
    [ethereum, { ...hex('NO_OP'), encoding: 'PAYLOAD_ENCODING_BASE64' }, 'encoding'],
    [ethereum, hex('NO_OP', 'ab'.repeat(31)), 'payload'],
    [ethereum, hex('NO_OP', ''), 'payload'],
    [ethereum, hex('NO_OP', '0x'), 'payload'],
    [ethereum, hex('SHA256', 'abc'), 'payload'],
    [ethereum, hex('SHA256', 'xy'), 'payload'],
    [ethereum, typed('{"worth":9007199254740993}'), 'payload'],
    [ethereum, typed('{"worth":1.5}'), 'payload'],
    [ethereum, typed('{"worth":"-77123"}'), 'payload'],
    [ethereum, typed('{}'), 'payload'],
    [ethereum, typed('{"worth":1,"worth":2}'), 'payload'],
    [ethereum, typed('{"worth":1}', 'KECCAK256'), 'hashFunction'],
    [ethereum, authorization('9007199254740993'), 'payload'],
    [ethereum, authorization('"0x10000000000000000"'), 'payload'],
    [ethereum, authorization('1,"more":1'), 'payload'],
  ]
  for (const [signWith, more, member] of wrong) {
    await assertRefused(w, () => sign(w, signWith, more), [INVALID, member])
    const { payload, ...form } = { ...hex('NO_OP'), ...more }
    const several = { signWith, ...form, payloads: [payload] }
    const asked = await w.submit(w.root, 'sign_raw_payloads', several)
    assert.equal(refused(asked), [INVALID, member === 'payload' ? 'payloads.0' : member], JSON.stringify(more))
    for (const value of ['9007199254740993', '77123', 'abab']) assert.not.ok(JSON.stringify(asked).includes(value))
  }
  const short = await sign(w, ethereum, hex('NO_OP', 'ab'))
  assert.match(short._tag === 'Left' ? short.left.message : '', 'expected a 32-bytes-long digest')
  for (const right of [
    hex('NO_OP', `0X${'AB'.repeat(32)}`),
    hex('SHA256', '0x'),
    typed('{"worth":"0x20000000000001"}'),
  ])
    assert.is((await signature(w, ethereum, right)).r.length, 64)
  await w.close()
})

it('are of at most a hundred payloads at once, in their order', async () => {
  const w = await world()
  const { addresses } = await makeWallet(w, 'savings', account())
  const request = (count: number) => ({
    signWith: addresses[0] ?? '',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
    payloads: Array.from({ length: count }, (_, index) => `payload ${index}`),
  })
  const submit = (count: number) => w.submit(w.root, 'sign_raw_payloads', request(count))
  for (const count of [0, 101]) await assertRefused(w, () => submit(count), [INVALID, 'payloads'])
  const { result } = right(await submit(100))
  const { signatures } = result['signRawPayloadsResult'] as { readonly signatures: readonly unknown[] } // as defined
  assert.is(signatures.length, 100)
  for (const index of [0, 7, 99])
    assert.equal(signatures[index], await signature(w, addresses[0] ?? '', { payload: `payload ${index}` }))
  await w.close()
})

it('are refused where all payloads together have more typed data than is hashed at once', async () => {
  const w = await world()
  const [signWith = ''] = (await makeWallet(w, 'savings', account())).addresses ?? []
  const { payload, ...form } = typed(`{"worth":[${Array(9_000).fill(0).join()}]}`)
  const long = payload.replace('"uint256"', '"uint256[]"')
  const signed = (...payloads: readonly string[]) =>
    w.submit(w.root, 'sign_raw_payloads', { signWith, payloads: [...payloads], ...form })
  right(await signed(long, long))
  await assertRefused(w, () => signed(long, long, long), [INVALID, 'payloads.2'])
  await w.close()
})

it('name their key by an address in any case of hex, and no other text in any case', async () => {
  const w = await world()
  const formats = ['ETHEREUM', 'COMPRESSED', 'UNCOMPRESSED', 'COSMOS', 'XRP'].map((name) => `ADDRESS_FORMAT_${name}`)
  const { addresses } = await makeWallet(w, 'savings', ...formats.map((addressFormat) => account({ addressFormat })))
  const [ethereum = '', compressed = '', uncompressed = '', cosmos = '', xrp = ''] = addresses
  for (const name of [
    ...[ethereum, ethereum.toLowerCase(), ethereum.toUpperCase()],
    ...[compressed, compressed.toUpperCase(), uncompressed.toUpperCase(), cosmos, xrp],
  ])
    assert.ok(isSigned(await signature(w, name), compressed), name)
  for (const name of [cosmos.toUpperCase(), xrp.toLowerCase(), ethereum.slice(2), `${ethereum} `, NOBODY, 'x'])
    await assertRefused(w, () => sign(w, name), NOT_FOUND)
  await w.close()
})

it('are made by the oldest of the keys with an address, and by the next one when that is deleted', async () => {
  const w = await world()
  const path = "m/84'/1'/0'/0/0"
  const formats = ['TESTNET', 'SIGNET'].map((network) => `ADDRESS_FORMAT_BITCOIN_${network}_P2WPKH`)
  const { walletId, addresses } = await makeWallet(
    w,
    'savings',
    ...formats.map((addressFormat) => account({ addressFormat, path })),
    account({ addressFormat: 'ADDRESS_FORMAT_COMPRESSED', path }),
  )
  const [address = '', same, publicKey = ''] = addresses
  assert.is(address, same)
  const formatsLeft: unknown[] = []
  for (;;) {
    const asked = await w.ask(w.root, 'get_wallet_account', { walletId, address })
    if (asked._tag === 'Left') break
    const { walletAccountId = '', addressFormat } = asked.right['account'] as { readonly [member: string]: string }
    formatsLeft.push(addressFormat)
    assert.ok(isSigned(await signature(w, address), publicKey))
    const parameters = { walletAccountIds: [walletAccountId], deleteWithoutExport: true }
    await w.done(w.root, 'delete_wallet_accounts', parameters)
  }
  assert.equal(formatsLeft, formats)
  await assertRefused(w, () => sign(w, address), NOT_FOUND)
  await w.close()
})

it('are refused with the key of another organization as with none', async () => {
  const w = await world()
  const elsewhere = await begin(w)
  const { addresses } = await makeWallet(elsewhere, 'savings', account())
  const [key] = await makeKeys(elsewhere, privateKey('one'))
  for (const name of [addresses[0] ?? '', key?.privateKeyId ?? '', key?.addresses[0]?.address ?? ''])
    await assertRefused(w, () => sign(w, name), NOT_FOUND)
  await w.close()
})

it('are refused with a secret that is gone, and that is no fault of the server', async () => {
  const w = await world()
  const { walletId, addresses } = await makeWallet(w, 'savings', account())
  const [key] = await makeKeys(w, privateKey('one'))
  const privateKeyId = key?.privateKeyId ?? ''
  for (const [id, name] of [
    [walletId, addresses[0] ?? ''],
    [privateKeyId, privateKeyId],
  ] as const) {
    await signature(w, name)
    await w.storage.sealed?.delete({ organization: w.organizationId, id })()
    const [code] = refused(await sign(w, name))
    assert.is(code, 'KEY_MISSING')
  }
  const more = await w.submit(w.root, 'create_wallet_accounts', { walletId, accounts: [onEd25519()] })
  assert.is(refused(more)[0], 'KEY_MISSING')
  await w.close()
})

it('take every index of a path of ed25519 for hardened', async () => {
  const w = await world()
  const paths = ["m/44'/501'/0'/0'", "m/44'/501'/0'/0", 'm/44/501/0/0']
  const { addresses } = await makeWallet(w, 'savings', ...paths.map((path) => onEd25519(path)))
  assert.is(new Set(addresses).size, 1)
  const [{ publicKey = '' } = {}] = await listed(w, 'list_wallet_accounts', 'accounts')
  const parts = await signature(w, addresses[0] ?? '', PLAIN)
  assert.ok(isSigned(parts, publicKey, 'eddsa', 'CURVE_ED25519'))
  await w.close()
})

it('are those of Schnorr for addresses of Taproot and Spark, and of ECDSA for all others of the key', async () => {
  const w = await world()
  const schemes: readonly (readonly [format: string, scheme: SigningScheme])[] = [
    ['COMPRESSED', 'ecdsa'],
    ['BITCOIN_MAINNET_P2TR', 'taproot'],
    ['BITCOIN_REGTEST_P2TR', 'taproot'],
    ['SPARK_MAINNET', 'schnorr'],
    ['SPARK_REGTEST', 'schnorr'],
    ['BITCOIN_MAINNET_P2WPKH', 'ecdsa'],
    ['ETHEREUM', 'ecdsa'],
  ]
  const addressFormats = schemes.map(([format]) => `ADDRESS_FORMAT_${format}`)
  const { addresses } = await makeWallet(
    w,
    'savings',
    ...addressFormats.map((format) => account({ addressFormat: format })),
  )
  const [key] = await makeKeys(w, privateKey('one', { addressFormats }))
  const ofKey = key?.addresses.map(({ address }) => address) ?? []
  for (const [index, [format, scheme]] of schemes.entries())
    for (const own of [addresses, ofKey])
      assert.ok(isSigned(await signature(w, own[index] ?? ''), own[0] ?? '', scheme), format)
  assert.ok(isSigned(await signature(w, key?.privateKeyId ?? ''), ofKey[0] ?? '', 'ecdsa'))
  await w.close()
})

it.run()
