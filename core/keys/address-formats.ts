import { decodeHex } from '../bytes.ts'
import { cosmosAddress, sparkAddress, xrpAddress } from './addresses/account-ids.ts'
import { bitcoinAddresses, bitcoinNetworks, p2pkhOf } from './addresses/bitcoin.ts'
import { aptosAddress, solanaAddress, stellarAddress, suiAddress } from './addresses/ed25519.ts'
import { ethereumAddress, tronAddress } from './addresses/ethereum.ts'
import { tonAddresses } from './addresses/ton.ts'
import type { KeyCurve } from './curve.ts'
import { isPublicKey, uncompressed } from './public-key.ts'

/** The curves whose keys have such an address, and how it is made of a public key in hex: compressed; for ed25519, 32 bytes. */
type Format = { readonly curves: readonly KeyCurve[]; readonly of: (publicKey: string, curve: KeyCurve) => string }

const onSecp256k1 = (of: (key: Uint8Array) => string): Format => ({
  curves: ['CURVE_SECP256K1'],
  of: (publicKey) => of(bytesOf(publicKey)),
})
const onEd25519 = (of: (key: Uint8Array) => string): Format => ({
  curves: ['CURVE_ED25519'],
  of: (publicKey) => of(bytesOf(publicKey)),
})
const bytesOf = (hex: string): Uint8Array => decodeHex(hex) ?? new Uint8Array()

type Network = keyof typeof bitcoinNetworks
type Script = keyof typeof bitcoinAddresses

const bitcoin = (network: Network, script: Script): Format =>
  onSecp256k1((key) => bitcoinAddresses[script](bitcoinNetworks[network], key))

const formats = {
  ADDRESS_FORMAT_UNCOMPRESSED: {
    curves: ['CURVE_SECP256K1', 'CURVE_P256'],
    of: (publicKey, curve) => uncompressed(curve, publicKey),
  },
  ADDRESS_FORMAT_COMPRESSED: {
    curves: ['CURVE_SECP256K1', 'CURVE_P256', 'CURVE_ED25519'],
    of: (publicKey) => publicKey,
  },
  ADDRESS_FORMAT_ETHEREUM: { curves: ['CURVE_SECP256K1'], of: ethereumAddress },
  ADDRESS_FORMAT_SOLANA: onEd25519(solanaAddress),
  ADDRESS_FORMAT_COSMOS: onSecp256k1(cosmosAddress('cosmos')),
  ADDRESS_FORMAT_TRON: { curves: ['CURVE_SECP256K1'], of: tronAddress },
  ADDRESS_FORMAT_SUI: onEd25519(suiAddress),
  ADDRESS_FORMAT_APTOS: onEd25519(aptosAddress),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2PKH: bitcoin('MAINNET', 'P2PKH'),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2SH: bitcoin('MAINNET', 'P2SH'),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH: bitcoin('MAINNET', 'P2WPKH'),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2WSH: bitcoin('MAINNET', 'P2WSH'),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR: bitcoin('MAINNET', 'P2TR'),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2PKH: bitcoin('TESTNET', 'P2PKH'),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2SH: bitcoin('TESTNET', 'P2SH'),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH: bitcoin('TESTNET', 'P2WPKH'),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2WSH: bitcoin('TESTNET', 'P2WSH'),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2TR: bitcoin('TESTNET', 'P2TR'),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2PKH: bitcoin('SIGNET', 'P2PKH'),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2SH: bitcoin('SIGNET', 'P2SH'),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2WPKH: bitcoin('SIGNET', 'P2WPKH'),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2WSH: bitcoin('SIGNET', 'P2WSH'),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2TR: bitcoin('SIGNET', 'P2TR'),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2PKH: bitcoin('REGTEST', 'P2PKH'),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2SH: bitcoin('REGTEST', 'P2SH'),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2WPKH: bitcoin('REGTEST', 'P2WPKH'),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2WSH: bitcoin('REGTEST', 'P2WSH'),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2TR: bitcoin('REGTEST', 'P2TR'),
  ADDRESS_FORMAT_SEI: onSecp256k1(cosmosAddress('sei')),
  ADDRESS_FORMAT_XLM: onEd25519(stellarAddress),
  ADDRESS_FORMAT_DOGE_MAINNET: onSecp256k1((key) => p2pkhOf(0x1e, key)),
  ADDRESS_FORMAT_DOGE_TESTNET: onSecp256k1((key) => p2pkhOf(0x71, key)),
  ADDRESS_FORMAT_TON_V3R2: onEd25519(tonAddresses.V3R2),
  ADDRESS_FORMAT_TON_V4R2: onEd25519(tonAddresses.V4R2),
  ADDRESS_FORMAT_TON_V5R1: onEd25519(tonAddresses.V5R1),
  ADDRESS_FORMAT_XRP: onSecp256k1(xrpAddress),
  ADDRESS_FORMAT_SPARK_MAINNET: onSecp256k1(sparkAddress('spark')),
  ADDRESS_FORMAT_SPARK_REGTEST: onSecp256k1(sparkAddress('sparkrt')),
} as const satisfies Readonly<Record<string, Format>>

export type AddressFormat = keyof typeof formats

export const isAddressFormat = (name: string): name is AddressFormat => Object.hasOwn(formats, name)

/** The names of all formats, as the wire has them, such as `ADDRESS_FORMAT_ETHEREUM`. */
export const addressFormats: readonly AddressFormat[] = Object.keys(formats).filter(isAddressFormat)

/** The curves whose keys have addresses of the format. */
export const curvesOf = (format: AddressFormat): readonly KeyCurve[] => formats[format].curves

/**
 * The address of a public key.
 *
 * @param publicKey  lower-case hex: compressed; for ed25519, 32 bytes
 * @throws if the format is none for keys of the curve, or it is not a public key
 */
export const addressOf = (format: AddressFormat, curve: KeyCurve, publicKey: string): string => {
  const { curves, of }: Format = formats[format]
  if (!curves.includes(curve)) throw new Error(`${format} is for keys of ${curves.join(' or ')}`)
  if (!isPublicKey(curve, publicKey)) throw new Error(`expected a public key of ${curve}`)
  return of(publicKey, curve)
}
