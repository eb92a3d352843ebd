import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { addressFormats, addressOf, curvesOf, type AddressFormat } from '../../../core/keys/address-formats.ts'
import type { KeyCurve } from '../../../core/keys/curve.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { placeIn, world, type Place, type World, type WorldOptions } from '../world/world.ts'
import { broughtBy, crossed } from './border-log.ts'
import { exported } from './logs.ts'

/** The schemes, each by an address for which a key signs so. */
export const SCHEMES = {
  ecdsa: ['CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM', 'HASH_FUNCTION_KECCAK256'],
  'ecdsa of P-256': ['CURVE_P256', 'ADDRESS_FORMAT_COMPRESSED', 'HASH_FUNCTION_SHA256'],
  eddsa: ['CURVE_ED25519', 'ADDRESS_FORMAT_SOLANA', 'HASH_FUNCTION_NOT_APPLICABLE'],
  schnorr: ['CURVE_SECP256K1', 'ADDRESS_FORMAT_SPARK_MAINNET', 'HASH_FUNCTION_SHA256'],
  taproot: ['CURVE_SECP256K1', 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR', 'HASH_FUNCTION_SHA256'],
} as const satisfies Readonly<Record<string, readonly [KeyCurve, AddressFormat, string]>>

const schemes = Object.values(SCHEMES)

const account = ([curve, addressFormat]: readonly [string, string, string], index: number) => ({
  curve,
  pathFormat: 'PATH_FORMAT_BIP32',
  path: curve === 'CURVE_ED25519' ? `m/44'/501'/${index}'` : `m/44'/60'/0'/0/${index}`,
  addressFormat,
})

/** What a result shows of new keys. */
type Shown = {
  readonly walletId?: string
  readonly addresses?: readonly string[]
  readonly privateKeys?: readonly { readonly privateKeyId: string }[]
  readonly wallet?: { readonly addresses: readonly string[] }
  readonly subOrganizationId?: string
  readonly rootUserIds?: readonly string[]
}
export const shownIn = ({ result }: ActivityView): Shown => Object.values(result)[0] as Shown // of our own engine

const signing = (signWith: string, hashFunction: string) => ({
  signWith,
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction,
})

/** Lets everything happen that happens to keys: each scheme signs for an account of a wallet and for a private key. */
export const keysLive = async ({ done, root }: Pick<Place, 'done' | 'root'>): Promise<void> => {
  const wallet = shownIn(await done(root, 'create_wallet', { walletName: 'main', accounts: schemes.map(account) }))
  for (const [index, [, , hash]] of schemes.entries())
    await done(root, 'sign_raw_payload', { payload: 'one', ...signing(wallet.addresses?.[index] ?? '', hash) })
  const again = schemes.map((scheme, index) => account(scheme, index + 10))
  await done(root, 'create_wallet_accounts', { walletId: wallet.walletId ?? '', accounts: again.slice(0, 2) })
  await done(root, 'create_wallet_accounts', {
    walletId: wallet.walletId ?? '',
    accounts: again.slice(2),
    persist: false,
  })
  const tag = await done(root, 'create_private_key_tag', { privateKeyTagName: 'hot', privateKeyIds: [] })
  const { privateKeyTagId } = Object.values(tag.result)[0] as { readonly privateKeyTagId: string } // of our own engine
  const keys = (['CURVE_SECP256K1', 'CURVE_P256', 'CURVE_ED25519'] as const).map((curve) => ({
    privateKeyName: curve,
    curve,
    privateKeyTags: [privateKeyTagId],
    addressFormats: addressFormats.filter((format) => curvesOf(format).includes(curve)).slice(0, 3),
  }))
  const { privateKeys = [] } = shownIn(await done(root, 'create_private_keys', { privateKeys: keys }))
  for (const [index, { privateKeyId }] of privateKeys.entries())
    await done(root, 'sign_raw_payloads', {
      payloads: ['one', 'two'],
      ...signing(privateKeyId, index === 2 ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_SHA256'),
    })
  await done(root, 'disable_private_key', { privateKeyId: privateKeys[0]?.privateKeyId ?? '' })
  await done(root, 'delete_private_keys', {
    privateKeyIds: privateKeys.slice(1).map(({ privateKeyId }) => privateKeyId),
    deleteWithoutExport: true,
  })
  const gone = shownIn(
    await done(root, 'create_wallet', { walletName: 'gone', accounts: schemes.slice(0, 1).map(account) }),
  )
  await done(root, 'delete_wallets', { walletIds: [gone.walletId ?? ''], deleteWithoutExport: true })
}

/** Where an organization below can be begun. */
type Below = Pick<World, 'done' | 'root'> & Parameters<typeof placeIn>[0]

/** Begins an organization below that has keys from its beginning, and lets one of them sign there. */
export const childWith = async (
  w: Below,
  version: 'V3' | 'V8',
  keys: { readonly [member: string]: Json },
): Promise<string> => {
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curve }]
  const providers = version === 'V8' ? { oauthProviders: [] } : {}
  const parameters = {
    subOrganizationName: 'below',
    rootQuorumThreshold: 1,
    rootUsers: [{ userName: 'eve', userEmail: 'eve@example.com', apiKeys, authenticators: [], ...providers }],
    ...keys,
  }
  const type = `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_${version}`
  const begun = shownIn(await w.done(w.root, 'create_sub_organization', parameters, { type }))
  const childId = begun.subOrganizationId ?? ''
  const child = placeIn(w, childId, { key, userId: begun.rootUserIds?.[0] ?? '', apiKeyId: '' })
  const signWith = begun.wallet?.addresses[0] ?? ''
  if (begun.wallet !== undefined)
    await child.done(child.root, 'sign_raw_payload', { payload: 'below', ...signing(signWith, 'HASH_FUNCTION_SHA256') })
  return childId
}

export type KeysLog = {
  readonly text: string
  readonly organizationId: string
  /** Organizations below: one has signed with the wallet that it began with, the other with none of its private keys. */
  readonly withWallet: string
  readonly withKeys: string
}

export const keysLog = async (options: WorldOptions = {}): Promise<KeysLog> => {
  const w = await world(options)
  await keysLive(w)
  await crossed(w, w.root, broughtBy('keys'))
  const accounts = schemes.slice(0, 2).map(account)
  const withWallet = await childWith(w, 'V8', { wallet: { walletName: 'below', accounts } })
  const privateKeys = [
    {
      privateKeyName: 'below',
      curve: 'CURVE_SECP256K1',
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    },
  ]
  const withKeys = await childWith(w, 'V3', { privateKeys })
  const text = await exported(w.storage.store)
  await w.close()
  return { text, organizationId: w.organizationId, withWallet, withKeys }
}

/** Another key of a curve, and its address. */
export const anotherKey = (curve: KeyCurve, format: AddressFormat, n = 1) => {
  const publicKey = publicKeyOf(curve, new Uint8Array(32).fill(n))
  return { publicKey, address: addressOf(format, curve, publicKey) }
}
