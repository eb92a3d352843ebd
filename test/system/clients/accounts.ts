import type { Stage } from '../conformance/stage.ts'

const formats = {
  ETHEREUM: ['CURVE_SECP256K1', "m/44'/60'/0'/0/0"],
  SOLANA: ['CURVE_ED25519', "m/44'/501'/0'/0'"],
  UNCOMPRESSED: ['CURVE_SECP256K1', "m/44'/118'/0'/0/0"],
} as const

type Format = keyof typeof formats

/** Makes a wallet with one account of the format; gives its address. */
export const walletWith = async ({ sdk, root }: Stage, format: Format): Promise<string> => {
  const [curve, path] = formats[format]
  const account = { curve, pathFormat: 'PATH_FORMAT_BIP32', path, addressFormat: `ADDRESS_FORMAT_${format}` } as const
  const { addresses } = await sdk(root).createWallet({ walletName: format, accounts: [account] })
  return addresses[0] ?? ''
}

/** Makes a private key with an address of the format. */
export const privateKeyWith = async ({ sdk, root }: Stage, format: Format) => {
  const params = {
    privateKeyName: format,
    curve: formats[format][0],
    privateKeyTags: [],
    addressFormats: [`ADDRESS_FORMAT_${format}` as const],
  }
  const { privateKeys } = await sdk(root).createPrivateKeys({ privateKeys: [params] })
  const { privateKeyId = '', addresses = [] } = privateKeys[0] ?? {}
  return { privateKeyId, address: addresses[0]?.address ?? '' }
}

/**
 * The clients that the packages of chains take: that of `@turnkey/http`, and that of `@turnkey/sdk-server`. The types of the packages name
 * other releases of them.
 */
export const clientsOf = ({ http, sdk, root }: Stage) => [http(root) as never, sdk(root) as never]
