/*
 * An engine with a keyring on an SQLite store, in a process of its own: submits that sign or make wallets, beside those that do neither.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine, fileKeystore } from 'countersign'
import { createUserTag, createWallet, signRawPayload, updateUserTag } from 'countersign/api'
import { generateKey } from 'countersign/signatures'
import { sqliteStore } from 'countersign/store-sqlite'
import { doJobs } from './child.ts'
import { perSecond } from './figures.ts'

export type KeysKind = 'rename' | 'secp256k1' | 'ed25519' | 'wallet'
/** Of which kind the submits are, how many are under way at a time, and for how long. */
export type KeysAsked = { readonly kind: KeysKind; readonly atOnce: number; readonly forMs: number }

const ACCOUNTS = [
  { curve: 'CURVE_SECP256K1', path: "m/44'/60'/0'/0/0", addressFormat: 'ADDRESS_FORMAT_ETHEREUM' },
  { curve: 'CURVE_ED25519', path: "m/44'/501'/0'/0'", addressFormat: 'ADDRESS_FORMAT_SOLANA' },
] as const

const begun = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const engine = await createEngine({
    store: sqliteStore({ path: join(folder, 'store.db') }),
    keystore: fileKeystore({ path: join(folder, 'keystore'), make: true }),
    limits: { wallets: 1_000_000 },
  })
  const key = generateKey('API_KEY_CURVE_P256')
  const { organizationId } = await engine.createOrganization({ name: 'Bench', key })
  const client = engine.as({ organizationId, key })
  let made = 0
  const wallet = async (): Promise<readonly string[]> => {
    const accounts = ACCOUNTS.map((account) => ({ ...account, pathFormat: 'PATH_FORMAT_BIP32' as const }))
    const { result } = await client.submit(createWallet, { walletName: `${(made += 1)}`, accounts })
    return result?.addresses ?? []
  }
  const [ethereum = '', solana = ''] = await wallet()
  const tag = await client.submit(createUserTag, { userTagName: 'first', userIds: [] })
  const sign = (signWith: string, hashFunction: 'HASH_FUNCTION_SHA256' | 'HASH_FUNCTION_NOT_APPLICABLE') =>
    client.submit(signRawPayload, {
      signWith,
      payload: `${(made += 1)}`,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction,
    })
  const work: Readonly<Record<KeysKind, () => Promise<unknown>>> = {
    rename: () =>
      client.submit(updateUserTag, {
        userTagId: tag.result?.userTagId ?? '',
        newUserTagName: `${(made += 1)}`,
        addUserIds: [],
        removeUserIds: [],
      }),
    secp256k1: () => sign(ethereum, 'HASH_FUNCTION_SHA256'),
    ed25519: () => sign(solana, 'HASH_FUNCTION_NOT_APPLICABLE'),
    wallet,
  }
  const close = async (): Promise<void> => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { work, close }
}

let running: ReturnType<typeof begun> | undefined

const run = async ({ kind, atOnce, forMs }: KeysAsked): Promise<number> => {
  const { work } = await (running ??= begun())
  const rates = await Promise.all(Array.from({ length: atOnce }, () => perSecond(forMs, work[kind])))
  return rates.reduce((sum, one) => sum + one, 0)
}

doJobs({ run }, async () => (await running)?.close())
