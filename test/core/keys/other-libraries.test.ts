import { createECDH, createPrivateKey, createPublicKey, ECDH } from 'node:crypto'
import { Ed25519PublicKey as AptosPublicKey } from '@aptos-labs/ts-sdk'
import { encodeSecp256k1Pubkey, pubkeyToAddress } from '@cosmjs/amino'
import { Ed25519PublicKey as SuiPublicKey } from '@mysten/sui/keypairs/ed25519'
import { NETWORK, p2tr, TEST_NETWORK } from '@scure/btc-signer'
import { PublicKey as SolanaPublicKey } from '@solana/web3.js'
import { StrKey } from '@stellar/stellar-base'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { networks, payments, script } from 'bitcoinjs-lib'
import { computeAddress, SigningKey } from 'ethers'
import { encode as encodeBech32m } from 'ox/Bech32m'
import { TronWeb } from 'tronweb'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { privateKeyToAddress } from 'viem/accounts'
import { deriveAddress } from 'xrpl'
import { encodeHex } from '../../../core/bytes.ts'
import { addressFormats, addressOf, curvesOf, type AddressFormat } from '../../../core/keys/address-formats.ts'
import type { KeyCurve } from '../../../core/keys/curve.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { addressTexts } from './address-texts.ts'
import { bytes } from './keys.ts'

/*
 * Each address format, computed by another library. No other one that is installed has Spark: its texts are compared with another
 * implementation of bech32m over the bytes that the documentation names.
 */
const it = suite('addresses of other libraries')

const privateKeys = [
  '01'.repeat(32),
  '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  '00c0ffee00000000000000000000000000000000000000000000000000000007',
]

/** A key as other libraries take it. */
type Key = {
  readonly privateKey: Uint8Array
  readonly publicKey: Uint8Array
  readonly hex: string
  readonly curve: KeyCurve
}
type Network = typeof networks.bitcoin

const signet = networks.testnet // a signet has the addresses of the test network
const doge = (pubKeyHash: number): Network => ({ ...networks.bitcoin, pubKeyHash })

const p2pkh =
  (network: Network) =>
  ({ publicKey: pubkey }: Key) =>
    payments.p2pkh({ pubkey, network }).address
const p2wpkh =
  (network: Network) =>
  ({ publicKey: pubkey }: Key) =>
    payments.p2wpkh({ pubkey, network }).address
const p2sh =
  (network: Network) =>
  ({ publicKey: pubkey }: Key) =>
    payments.p2sh({ redeem: payments.p2wpkh({ pubkey, network }), network }).address
const p2wsh =
  (network: Network) =>
  ({ publicKey: pubkey }: Key) =>
    payments.p2wsh({ redeem: { output: script.fromASM(`${encodeHex(pubkey)} OP_CHECKSIG`), network }, network }).address
const taproot =
  (network: typeof NETWORK) =>
  ({ publicKey }: Key) =>
    p2tr(publicKey.subarray(1), undefined, network).address
const bech32 =
  (prefix: string) =>
  ({ publicKey }: Key) =>
    pubkeyToAddress(encodeSecp256k1Pubkey(publicKey), prefix)
const spark =
  (prefix: string) =>
  ({ publicKey }: Key) =>
    encodeBech32m(prefix, Uint8Array.of(0x0a, 0x21, ...publicKey))
const userFriendly = (wallet: { readonly address: WalletContractV4['address'] }): string =>
  wallet.address.toString({ bounceable: false, urlSafe: true })

const onNode = { CURVE_SECP256K1: 'secp256k1', CURVE_P256: 'prime256v1' } as const
const PKCS8_OF_ED25519 = '302e020100300506032b657004220420'

const compressed = ({ privateKey, curve }: Key): string => {
  if (curve === 'CURVE_ED25519') {
    const key = Buffer.concat([Buffer.from(PKCS8_OF_ED25519, 'hex'), privateKey])
    const { x = '' } = createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' })).export({
      format: 'jwk',
    })
    return Buffer.from(x, 'base64url').toString('hex')
  }
  const pair = createECDH(onNode[curve])
  pair.setPrivateKey(privateKey)
  return pair.getPublicKey('hex', 'compressed')
}

const uncompressed = ({ publicKey, hex, curve }: Key): string => {
  if (curve === 'CURVE_SECP256K1') return SigningKey.computePublicKey(publicKey, false).slice(2)
  return ECDH.convertKey(hex, 'prime256v1', 'hex', 'hex', 'uncompressed').toString()
}

const ethereum = ({ hex, privateKey }: Key): string => {
  assert.is(computeAddress(`0x${hex}`), privateKeyToAddress(`0x${encodeHex(privateKey)}`))
  return computeAddress(`0x${hex}`)
}

const others: Readonly<Record<AddressFormat, (key: Key) => string | undefined | false>> = {
  ADDRESS_FORMAT_UNCOMPRESSED: uncompressed,
  ADDRESS_FORMAT_COMPRESSED: compressed,
  ADDRESS_FORMAT_ETHEREUM: ethereum,
  ADDRESS_FORMAT_SOLANA: ({ publicKey }) => new SolanaPublicKey(publicKey).toBase58(),
  ADDRESS_FORMAT_COSMOS: bech32('cosmos'),
  ADDRESS_FORMAT_TRON: ({ privateKey }) => TronWeb.address.fromPrivateKey(encodeHex(privateKey)),
  ADDRESS_FORMAT_SUI: ({ publicKey }) => new SuiPublicKey(publicKey).toSuiAddress(),
  ADDRESS_FORMAT_APTOS: ({ publicKey }) => new AptosPublicKey(publicKey).authKey().toString(),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2PKH: p2pkh(networks.bitcoin),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2SH: p2sh(networks.bitcoin),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH: p2wpkh(networks.bitcoin),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2WSH: p2wsh(networks.bitcoin),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR: taproot(NETWORK),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2PKH: p2pkh(networks.testnet),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2SH: p2sh(networks.testnet),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH: p2wpkh(networks.testnet),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2WSH: p2wsh(networks.testnet),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2TR: taproot(TEST_NETWORK),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2PKH: p2pkh(signet),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2SH: p2sh(signet),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2WPKH: p2wpkh(signet),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2WSH: p2wsh(signet),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2TR: taproot(TEST_NETWORK),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2PKH: p2pkh(networks.regtest),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2SH: p2sh(networks.regtest),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2WPKH: p2wpkh(networks.regtest),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2WSH: p2wsh(networks.regtest),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2TR: taproot({ ...TEST_NETWORK, bech32: 'bcrt' }),
  ADDRESS_FORMAT_SEI: bech32('sei'),
  ADDRESS_FORMAT_XLM: ({ publicKey }) => StrKey.encodeEd25519PublicKey(Buffer.from(publicKey)),
  ADDRESS_FORMAT_DOGE_MAINNET: p2pkh(doge(0x1e)),
  ADDRESS_FORMAT_DOGE_TESTNET: p2pkh(doge(0x71)),
  ADDRESS_FORMAT_TON_V3R2: ({ publicKey }) =>
    userFriendly(WalletContractV3R2.create({ workchain: 0, publicKey: Buffer.from(publicKey) })),
  ADDRESS_FORMAT_TON_V4R2: ({ publicKey }) =>
    userFriendly(WalletContractV4.create({ workchain: 0, publicKey: Buffer.from(publicKey) })),
  ADDRESS_FORMAT_TON_V5R1: ({ publicKey }) =>
    userFriendly(WalletContractV5R1.create({ workchain: 0, publicKey: Buffer.from(publicKey) })),
  ADDRESS_FORMAT_XRP: ({ hex }) => deriveAddress(hex.toUpperCase()),
  ADDRESS_FORMAT_SPARK_MAINNET: spark('spark'),
  ADDRESS_FORMAT_SPARK_REGTEST: spark('sparkrt'),
}

for (const format of addressFormats)
  it(`computes the addresses of ${format}`, () => {
    for (const curve of curvesOf(format))
      for (const secret of privateKeys) {
        const privateKey = bytes(secret)
        const hex = publicKeyOf(curve, privateKey)
        const other = others[format]({ privateKey, publicKey: bytes(hex), hex, curve })
        assert.is(addressOf(format, curve, hex), other)
        if (secret === privateKeys[0] && curve === curvesOf(format)[0]) assert.is(addressTexts[format], other)
      }
  })

it.run()
