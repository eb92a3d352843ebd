import { anyMnemonic, borderClient, dataOf, encryptedTo } from '../../core/resources/bundle/border.ts'
import type { Json } from '../../../core/failure.ts'
import type { Sent } from './journal.ts'
import type { Random } from './random.ts'
import type { Person } from './sending.ts'
import type { Town } from './town.ts'

/** A wallet that a client has heard of. */
export type KnownWallet = { readonly walletId: string; readonly address: string }

const KEPT_MAX = 10

const account = (index: number): Json => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: `m/44'/60'/0'/0/${index}`,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
})

export const createWallet = (town: Town, me: Person, random: Random): Sent | undefined => {
  if (town.known.wallets.length > KEPT_MAX) return deleteWallets(town, me)
  const walletName = `n${random.below(1_000_000_000)}`
  const parameters = { walletName, accounts: [account(0), account(1 + random.below(5))] }
  return town.submit(me, 'create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', parameters)
}

/** Two at once, where there are as many: a server may die between them. */
export const deleteWallets = ({ submit, known }: Town, me: Person): Sent | undefined => {
  const walletIds = known.wallets.splice(0, 2).map(({ walletId }) => walletId)
  if (walletIds.length === 0) return undefined
  return submit(me, 'delete_wallets', 'ACTIVITY_TYPE_DELETE_WALLETS', { walletIds, deleteWithoutExport: true })
}

/** Begins an import; or sends what was encrypted to the target of an earlier one, which a later one may have replaced since. */
export const bringWallet = (town: Town, me: Person, random: Random): Sent | undefined => {
  if (town.known.wallets.length > KEPT_MAX) return deleteWallets(town, me)
  const { userId } = me
  const encryptedBundle = town.known.brought.get(userId)
  if (encryptedBundle === undefined)
    return town.submit(me, 'init_import_wallet', 'ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId })
  town.known.brought.delete(userId)
  const walletName = `n${random.below(1_000_000_000)}`
  const parameters = { userId, walletName, encryptedBundle, accounts: [account(0)] }
  return town.submit(me, 'import_wallet', 'ACTIVITY_TYPE_IMPORT_WALLET', parameters)
}

/** Encrypts a wallet that nobody has, as soon as somebody has heard of the target for it. */
export const encryptWallet = (known: Pick<Town['known'], 'brought'>, importBundle: string): void => {
  const { userId } = dataOf(importBundle)
  if (userId === undefined) return
  void encryptedTo(importBundle, anyMnemonic()).then((bundle) => known.brought.set(userId, bundle))
}

/** To a key of nobody: what comes of it is not opened here. */
export const takeWallet = ({ submit, known }: Town, me: Person, random: Random): Sent | undefined => {
  const wallet = random.pick(known.wallets)
  if (wallet === undefined) return undefined
  const parameters = { walletId: wallet.walletId, targetPublicKey }
  return submit(me, 'export_wallet', 'ACTIVITY_TYPE_EXPORT_WALLET', parameters)
}

const targetPublicKey = borderClient().publicKey

export const signWithWallet = ({ submit, known }: Town, me: Person, random: Random): Sent | undefined => {
  const wallet = random.pick(known.wallets)
  if (wallet === undefined) return undefined
  const form = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }
  const parameters = { signWith: wallet.address, payload: `n${random.below(1_000_000_000)}`, ...form }
  return submit(me, 'sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters)
}
