import type { Json } from '../../../../core/failure.ts'
import { right, type Person, type Place } from '../../world/world.ts'
import { encryptedTo } from './border.ts'

type Members = { readonly [member: string]: Json }

/** The one result of a request that is done. */
export const resultOf = async <A>(w: Place, person: Person, path: string, parameters: Members): Promise<A> => {
  const { result } = right(await w.submit(person, path, parameters))
  return Object.values(result)[0] as A // as the operation defines it
}

const PATHS = { wallet: 'init_import_wallet', key: 'init_import_private_key' } as const

/** The bundle of a new target. */
export const targetFor = async (w: Place, person: Person, kind: keyof typeof PATHS = 'wallet'): Promise<string> => {
  const begun = await resultOf<{ importBundle: string }>(w, person, PATHS[kind], { userId: person.userId })
  return begun.importBundle
}

type Imported = { readonly walletId: string; readonly addresses: readonly string[] }

/** The parameters that import a wallet. */
export const walletIn = async (
  person: Person,
  bundle: string,
  plain: string | Uint8Array,
  more: Members = {},
): Promise<Members> => ({
  userId: person.userId,
  walletName: 'imported',
  encryptedBundle: await encryptedTo(bundle, plain),
  accounts: [],
  ...more,
})

/** Imports a wallet with a new target. */
export const importWallet = async (w: Place, person: Person, plain: string, more: Members = {}): Promise<Imported> =>
  resultOf(w, person, 'import_wallet', await walletIn(person, await targetFor(w, person), plain, more))

/** The parameters that import a private key. */
export const keyIn = async (
  person: Person,
  bundle: string,
  plain: Uint8Array,
  more: Members = {},
): Promise<Members> => ({
  userId: person.userId,
  privateKeyName: 'imported',
  encryptedBundle: await encryptedTo(bundle, plain),
  curve: 'CURVE_SECP256K1',
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  ...more,
})
