import { fileKeystore } from '../../../../adapters/keyring/file-keystore.ts'
import { nodeKeyring } from '../../../../adapters/keyring/node-keyring.ts'
import { verify } from '../../../../core/keys/signing.ts'
import type { Keyring } from '../../../../core/ports/keyring.ts'
import { E } from '../../../../core/prelude.ts'
import type { NewWallet } from '../../../../core/resources/wallet/new-wallet.ts'
import { until } from '../../../until.ts'
import { right, type Found } from '../found.ts'
import { httpClient } from '../http-client.ts'
import type { StorePlace } from '../store-place.ts'
import { keystoreIn } from '../store-place.ts'

/** The wallets that the log has, and those that it had; each by its id. */
type Wallets = { readonly there: ReadonlyMap<string, Wallet>; readonly gone: ReadonlyMap<string, Wallet> }
type Wallet = NewWallet & { readonly organizationId: string }

const walletsIn = ({ events }: Found): Wallets => {
  const [there, gone] = [new Map<string, Wallet>(), new Map<string, Wallet>()]
  for (const { organization: organizationId, type, data } of events) {
    if (type !== 'ActivityCompleted') continue
    if (data.type === 'ACTIVITY_TYPE_CREATE_WALLET' || data.type === 'ACTIVITY_TYPE_IMPORT_WALLET') {
      const change = data.change as NewWallet | { readonly wallet: NewWallet } // of the engine
      const wallet = 'wallet' in change ? change.wallet : change
      there.set(wallet.walletId, { ...wallet, organizationId })
    } else if (data.type === 'ACTIVITY_TYPE_DELETE_WALLETS')
      for (const id of (data.change as { readonly walletIds: readonly string[] }).walletIds) {
        const wallet = there.get(id)
        if (wallet !== undefined) gone.set(id, wallet)
        there.delete(id)
      }
  }
  return { there, gone }
}

/** The organizations in which a deletion of wallets was started and has not ended: it may go on while the wallets are looked at. */
const deletingIn = ({ events }: Found): ReadonlySet<string> => {
  const types = new Map<string, string>()
  const under = new Map<string, string>()
  for (const { organization, activity, type, data } of events) {
    if (type === 'ActivityCreated') types.set(activity, data.type)
    else if (type === 'ActivityStarted' && types.get(activity) === 'ACTIVITY_TYPE_DELETE_WALLETS')
      under.set(activity, organization)
    else if (type === 'ActivityCompleted' || type === 'ActivityFailed') under.delete(activity)
  }
  return new Set(under.values())
}

/**
 * Each wallet of the log signs with the keys that the log has, and no other is listed; what was deleted has no secret any more. A secret that no
 * wallet has is harmless: its event was never written, and nobody can name it.
 */
export const checkWallets = async (
  place: StorePlace,
  found: Found,
  urls: readonly string[],
  asksServers: boolean,
): Promise<readonly string[]> => {
  const { sealed } = found.storage
  if (sealed === undefined) return []
  const { there, gone } = walletsIn(found)
  const deleting = deletingIn(found)
  const violations: string[] = []
  const keyring = nodeKeyring({ sealed, keystore: fileKeystore({ path: keystoreIn(place.folder) }) })
  for (const wallet of there.values()) {
    const complaint = await signs(keyring, wallet)
    const mayBeGone = complaint === MISSING && deleting.has(wallet.organizationId)
    if (complaint !== undefined && !mayBeGone) violations.push(`wallet ${wallet.walletId} ${complaint}`)
  }
  await keyring.close()
  for (const { walletId: id, organizationId: organization } of gone.values())
    if (right(await sealed.get({ organization, id })()) !== undefined)
      violations.push(`wallet ${id} is deleted, and its secret is there`)
  return asksServers ? [...violations, ...(await checkLists(place, there, urls))] : violations
}

const MISSING = 'does not sign: KEY_MISSING'
const MESSAGE = new Uint8Array(32).fill(7)

const signs = async (keyring: Keyring, wallet: Wallet): Promise<string | undefined> => {
  const place = { organizationId: wallet.organizationId, keyId: wallet.walletId }
  for (const { curve, path, publicKey } of wallet.accounts) {
    const signed = await keyring.sign(place, { curve, path }, 'ecdsa', [Buffer.from(MESSAGE).toString('hex')])()
    if (E.isLeft(signed)) return `does not sign: ${signed.left.code}`
    const [signature] = signed.right
    if (signature === undefined || !verify('ecdsa', curve, publicKey, MESSAGE, signature))
      return `does not sign with the key of ${path}`
  }
  return undefined
}

/** What servers list is what the log has. */
const checkLists = async (
  { towns }: StorePlace,
  there: Wallets['there'],
  urls: readonly string[],
): Promise<readonly string[]> => {
  const client = httpClient('wallets')
  const violations: string[] = []
  for (const [turn, { organizationId, roots, query }] of towns.entries()) {
    const [root] = roots
    if (root === undefined) continue
    const asked = async () => {
      const response = await client.send(urls[turn % urls.length] ?? '', query(root, 'list_wallets'))
      return response?.status === 200 ? response.json : undefined
    }
    const { wallets } = (await until(asked)) as { readonly wallets: readonly { readonly walletId: string }[] } // of our server
    const logged = [...there.values()].filter((wallet) => wallet.organizationId === organizationId)
    const [listed, expected] = [wallets, logged].map((all) =>
      all
        .map(({ walletId }) => walletId)
        .toSorted()
        .join(),
    )
    if (listed !== expected)
      violations.push(`organization ${organizationId} lists the wallets ${listed}, and has ${expected}`)
  }
  client.close()
  return violations
}
