import { walletIn, keyIn, targetFor } from '../bundle/border-world.ts'
import { borderClient } from '../bundle/border.ts'
import { englishOf, mnemonicOf } from '../../../../core/keys/mnemonic.ts'
import { bytes } from '../../keys/keys.ts'
import { ada, type Key } from '../../transaction/psbts.ts'
import { addressOf, privateKeyOf } from '../../transaction/solana-transactions.ts'
import type { Place } from '../../world/world.ts'
import { account, makeKeys, makeWallet, privateKey, type MadeKey } from '../wallet/wallet-world.ts'

/** Keys that sign for every chain. The addresses are those of private keys: wallets take longer to sign. */
export type ChainKeys = {
  readonly ethereum: string
  readonly solana: string
  readonly tron: string
  readonly bitcoin: { readonly address: string; readonly key: Key }
}

/** Keys of every chain, and keys to tell apart from them. */
export type SigningKeys = ChainKeys & {
  /** Of two accounts of Ethereum in one wallet: the path of the other one has a 7 in the place of 0. */
  readonly wallet: { readonly id: string; readonly first: string; readonly seventh: string }
  /** An account of another wallet, which was imported, and exported again. */
  readonly imported: string
  /** A private key with a tag, and one that was imported, and exported again. */
  readonly hot: { readonly id: string; readonly address: string; readonly tagId: string }
  readonly brought: string
}

/** Stand for keys where nothing is signed. */
export const anyKeys: SigningKeys = {
  ethereum: 'E',
  solana: addressOf(1),
  tron: 'T',
  bitcoin: { address: 'bc1', key: ada },
  wallet: { id: 'W', first: 'F', seventh: 'S' },
  imported: 'I',
  hot: { id: 'H', address: 'A', tagId: 'G' },
  brought: 'B',
}

/** The last one is the public key itself. */
const FORMATS = ['ETHEREUM', 'TRON', 'BITCOIN_MAINNET_P2WPKH', 'COMPRESSED'].map((name) => `ADDRESS_FORMAT_${name}`)

/** One key for each chain. */
export const makeChainKeys = async (w: Place): Promise<ChainKeys> => {
  const [secp256k1, ed25519] = await makeKeys(
    w,
    privateKey('chains', { addressFormats: FORMATS }),
    privateKey('solana', { curve: 'CURVE_ED25519', addressFormats: ['ADDRESS_FORMAT_SOLANA'] }),
  )
  const [ethereum = '', tron = '', address = '', publicKey = ''] = FORMATS.map((format) => addressIn(secp256k1, format))
  const bitcoin = { address, key: { privateKey: new Uint8Array(), publicKey: bytes(publicKey) } }
  return { ethereum, solana: addressIn(ed25519, 'ADDRESS_FORMAT_SOLANA'), tron, bitcoin }
}

const addressIn = (made: MadeKey | undefined, format: string): string =>
  made?.addresses.find((one) => one.format === format)?.address ?? ''

export const makeSigningKeys = async (w: Place): Promise<SigningKeys> => {
  const { walletId: id, addresses } = await makeWallet(w, 'savings', account(), account({ path: "m/44'/60'/0'/0/7" }))
  const [first = '', seventh = ''] = addresses
  const wallet = { id, first, seventh }
  return { ...(await makeChainKeys(w)), ...(await privateKeysOf(w)), wallet, imported: await importedWallet(w) }
}

const importedWallet = async (w: Place): Promise<string> => {
  const words = mnemonicOf(englishOf(new Uint8Array(16).fill(5)))
  const asked = await walletIn(w.root, await targetFor(w, w.root), words, { accounts: [account()] })
  const { result } = await w.done(w.root, 'import_wallet', asked)
  const { walletId, addresses } = Object.values(result)[0] as {
    readonly walletId: string
    readonly addresses: readonly string[]
  } // as the operation defines it
  await w.done(w.root, 'export_wallet', { walletId, targetPublicKey: borderClient().publicKey })
  return addresses[0] ?? ''
}

const privateKeysOf = async (w: Place): Promise<Pick<SigningKeys, 'hot' | 'brought'>> => {
  const made = await w.done(w.root, 'create_private_key_tag', { privateKeyTagName: 'hot', privateKeyIds: [] })
  const { privateKeyTagId: tagId } = made.result['createPrivateKeyTagResult'] as { readonly privateKeyTagId: string } // as defined
  const [hot] = await makeKeys(w, privateKey('hot', { privateKeyTags: [tagId] }))
  const asked = await keyIn(w.root, await targetFor(w, w.root, 'key'), privateKeyOf(6), { privateKeyName: 'brought' })
  const { result } = await w.done(w.root, 'import_private_key', asked)
  const { privateKeyId: brought } = Object.values(result)[0] as MadeKey // as the operation defines it
  await w.done(w.root, 'export_private_key', { privateKeyId: brought, targetPublicKey: borderClient().publicKey })
  return { hot: { id: hot?.privateKeyId ?? '', address: addressIn(hot, 'ADDRESS_FORMAT_ETHEREUM'), tagId }, brought }
}
