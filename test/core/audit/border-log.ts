import { createHash } from 'node:crypto'
import { keyCurves, type KeyCurve } from '../../../core/keys/curve.ts'
import { mnemonicOf, type Mnemonic } from '../../../core/keys/mnemonic.ts'
import { newPrivateKey, randomBytesOf } from '../../../core/keys/public-key.ts'
import type { Json } from '../../../core/failure.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { borderClient, dataOf, encryptedTo, type BorderClient } from '../resources/bundle/border.ts'
import { keyIn, targetFor, walletIn } from '../resources/bundle/border-world.ts'
import { account } from '../resources/wallet/wallet-world.ts'
import { world, type Person, type Place, type World, type WorldOptions } from '../world/world.ts'
import { exported } from './logs.ts'

/** What somebody brings, which follows from a name: so a test knows what must stand nowhere. */
export const broughtBy = (name: string) => {
  const bytes = (what: string, length: number): Uint8Array =>
    Uint8Array.from(createHash('shake256', { outputLength: length }).update(`${name} ${what}`).digest())
  const wallet = (language: Mnemonic['language'], length: number, passphrase: string): Mnemonic => ({
    entropy: bytes(language, length),
    language,
    passphrase,
  })
  return {
    wallets: [
      wallet('MNEMONIC_LANGUAGE_ENGLISH', 32, `passphrase of ${name}`),
      wallet('MNEMONIC_LANGUAGE_JAPANESE', 16, ''),
    ],
    keys: keyCurves.map((curve) => ({ curve, key: newPrivateKey(curve, bytes(curve, randomBytesOf(curve))) })),
    secrets: [`secret payload of ${name}`, `another payload of ${name}`],
  } as const
}
export type Brought = {
  readonly wallets: readonly Mnemonic[]
  readonly keys: readonly { readonly curve: KeyCurve; readonly key: Uint8Array }[]
  readonly secrets: readonly string[]
}

/** A wallet as clients encrypt it. */
export const plainOf = (wallet: Mnemonic): string =>
  mnemonicOf(wallet) + (wallet.passphrase === '' ? '' : `\n--PASS--\n${wallet.passphrase}`)

const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'

const only = <A>({ result }: ActivityView): A => Object.values(result)[0] as A // of our own engine

/** All that goes over the border, with the activities of imports and of exports. */
export type Crossed = {
  readonly client: BorderClient
  readonly imports: readonly ActivityView[]
  readonly exports: readonly ActivityView[]
  readonly walletIds: readonly string[]
  readonly secretIds: readonly string[]
}

/** Lets a person bring all of it, and take all of it away again. */
export const crossed = async (place: Place, person: Person, { wallets, keys, secrets }: Brought): Promise<Crossed> => {
  const client = borderClient()
  const imports: ActivityView[] = []
  const exports: ActivityView[] = []
  const asked = async (path: string, parameters: { readonly [member: string]: Json }): Promise<ActivityView> => {
    const done = await place.done(person, path, parameters)
    if (path.startsWith('import')) imports.push(done)
    else exports.push(done)
    return done
  }
  const targetPublicKey = client.publicKey
  const walletIds: string[] = []
  for (const [index, wallet] of wallets.entries()) {
    const more = { walletName: `brought ${person.userId} ${index}`, accounts: [account()] }
    const params = await walletIn(person, await targetFor(place, person), plainOf(wallet), more)
    const { walletId, addresses } = only<{ walletId: string; addresses: string[] }>(
      await asked('import_wallet', params),
    )
    walletIds.push(walletId)
    await asked('export_wallet', { walletId, targetPublicKey, language: 'MNEMONIC_LANGUAGE_SPANISH' })
    await asked('export_wallet', { walletId, targetPublicKey })
    await asked('export_wallet_account', { address: addresses[0] ?? '', targetPublicKey })
  }
  for (const { curve, key } of keys) {
    const more = { privateKeyName: `brought ${person.userId} ${curve}`, curve, addressFormats: [] }
    const params = await keyIn(person, await targetFor(place, person, 'key'), key, more)
    const { privateKeyId } = only<{ privateKeyId: string }>(await asked('import_private_key', params))
    await asked('export_private_key', { privateKeyId, targetPublicKey })
  }
  const begun = await place.done(person, 'init_import_secrets', { encryptionSuite, numSecrets: secrets.length })
  const { enclaveTargetMessages } = only<{ enclaveTargetMessages: string[] }>(begun)
  const sealed = await Promise.all(
    secrets.map(async (secret, index) => {
      const bundle = enclaveTargetMessages[index] ?? ''
      const to = { targetPublicKey: dataOf(bundle).targetPublic ?? '', encryptionSuite }
      return { secretPayload: await encryptedTo(bundle, secret), ...to, name: `s${index}` }
    }),
  )
  const { secretIds } = only<{ secretIds: string[] }>(await asked('import_secrets', { secrets: sealed }))
  await asked('export_secrets', {
    secrets: secretIds.map((secretId) => ({ secretId, targetPublicKey, encryptionSuite })),
  })
  return { client, imports, exports, walletIds, secretIds }
}

/** Ada, whom a policy lets do all of it, brings a wallet, keys and secrets, and takes them away. */
export type BorderLog = Crossed & { readonly w: World; readonly ada: Person; readonly text: string }

export const borderLog = async (options: WorldOptions = {}): Promise<BorderLog> => {
  const w = await world(options)
  const ada = await w.enrol('ada')
  const condition = "activity.action in ['IMPORT', 'EXPORT']"
  const policy = { policyName: 'border', effect: 'EFFECT_ALLOW', consensus: 'true', condition, notes: '' }
  await w.done(w.root, 'create_policy', policy)
  const all = await crossed(w, ada, broughtBy('ada'))
  return { ...all, w, ada, text: await exported(w.storage.store) }
}
