import { refuse } from '../../definition/refuse.ts'
import type { KeyCurve } from '../../keys/curve.ts'
import { parsePath } from '../../keys/path.ts'
import { schemeOf, type SigningScheme } from '../../keys/signing.ts'
import type { Organization } from '../../organization/state.ts'
import type { ResourceFacts } from '../../policy/fact.ts'
import { privateKeyFact } from '../private-key/private-key-facts.ts'
import { privateKeys, type PrivateKey } from '../private-key/private-keys.ts'
import { walletFact } from '../wallet/wallet-facts.ts'
import { walletAccounts, wallets, type WalletAccount } from '../wallet/wallets.ts'
import { signersNamed } from './signers.ts'

/** A key that can sign, and how it does for the address by which it was named. */
export type Signer = {
  readonly keyId: string
  readonly key: { readonly curve: KeyCurve; readonly path?: string }
  readonly scheme: SigningScheme
  readonly publicKey: string
  /** Of the address by which it was named; not there where the key was named. */
  readonly format?: string
}

type Named = { readonly account: WalletAccount['account'] } | { readonly privateKey: PrivateKey }

/** What `signWith` names: the oldest of the accounts and private keys that fit. */
const named = (organization: Organization, signWith: string): Named | undefined => {
  for (const id of signersNamed(organization, signWith)) {
    const found = walletAccounts.of(organization).get(id)
    if (found !== undefined) return { account: found.account }
    const privateKey = privateKeys.of(organization).get(id)
    if (privateKey !== undefined) return { privateKey }
  }
  return undefined
}

export const signerOf = (organization: Organization, signWith: string): Signer => {
  const found = named(organization, signWith)
  if (found === undefined) throw refuse('RESOURCE_NOT_FOUND', 'Could not find any resource to sign with.')
  if ('privateKey' in found && found.privateKey.isDisabled)
    throw refuse.field('signWith', 'a private key that is not disabled')
  return signerIn(found, signWith)
}

/** The key that would sign, if `signWith` names one. */
export const signerNamed = (organization: Organization, signWith: string): Signer | undefined => {
  const found = named(organization, signWith)
  return found && signerIn(found, signWith)
}

const signerIn = (found: Named, signWith: string): Signer => {
  if ('account' in found) {
    const { walletId, curve, path, addressFormat: format, publicKey } = found.account
    return { keyId: walletId, key: { curve, path }, scheme: schemeOf(curve, format), publicKey, format }
  }
  const { privateKeyId, curve, publicKey, addresses } = found.privateKey
  const format = addresses.find(({ address }) => address.toLowerCase() === signWith.toLowerCase())?.format
  const scheme = schemeOf(curve, format)
  return { keyId: privateKeyId, key: { curve }, scheme, publicKey, ...(format === undefined ? {} : { format }) }
}

/** The keywords of a request that names a key in `signWith`. */
export const signerFacts = (organization: Organization, signWith: string): ResourceFacts => {
  const found = named(organization, signWith)
  if (found === undefined) return {}
  if ('privateKey' in found) return { private_key: privateKeyFact(found.privateKey) }
  const { walletId, address, path } = found.account
  const wallet = wallets.of(organization).get(walletId)
  const { indexes, hardened } = parsePath(path) ?? { indexes: [], hardened: [] }
  const account = { address, path_indexes: [...indexes], path_hardened: [...hardened] }
  return { wallet_account: account, ...(wallet === undefined ? {} : { wallet: walletFact(wallet) }) }
}
