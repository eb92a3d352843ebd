import { copyFileSync, existsSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keystoreOf, newKey } from '../../../adapters/keyring/keystore-keys.ts'
import { nodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { encodeHex } from '../../../core/bytes.ts'
import type { SealedRow } from '../../../core/ports/sealed-rows.ts'
import { TE } from '../../../core/prelude.ts'
import { audited, codesIn } from '../../core/audit/logs.ts'
import { broughtBy, crossed, plainOf } from '../../core/audit/border-log.ts'
import { childWith, shownIn } from '../../core/audit/keys-log.ts'
import { dataOf } from '../../core/resources/bundle/border.ts'
import { resultOf, targetFor, walletIn } from '../../core/resources/bundle/border-world.ts'
import { beginBelow, codeOf, right } from '../../core/world/world.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { exported, filesOf } from './erased/places.ts'
import { openHousehold, rowsIn, type Household } from './keys/household.ts'
import { secretBytes, sightings } from './secret.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite('deleted wallets and private keys')

const keystore = keystoreOf(TE.right([newKey()]))
const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
}
const privateKey = { curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let home: Household
let copies = 0
/** Every row that the store ever had. */
const known = new Map<string, SealedRow>()
const path = (): string => `${folder.path}/deleted.db`

it.before(async () => {
  folder = await temporaryFolder()
  home = await openHousehold({ path: path(), keystore, say: () => undefined })
})
it.after(async () => {
  await home.host.close()
  await folder.remove()
})

/** Without the keys of the deployment, which stay. */
const keyRows = async (): Promise<readonly SealedRow[]> =>
  (await rowsIn(home.sealed)).filter(({ organization }) => organization !== '')

const remember = async (): Promise<void> => {
  for (const row of await keyRows()) known.set(row.id, row)
}

/** The ids of keys whose sealed bytes stand in a file: they are random, so a part of them is enough. */
const seenInFiles = (): readonly string[] => {
  const files = filesOf(path())
  return [...known.values()].flatMap(({ id, bytes }) => {
    const parts = [bytes.subarray(0, 24), bytes.subarray(-24)].map((part) => secretBytes(id, encodeHex(part)))
    return files.some((file) => sightings(parts, file.name, file.bytes).length > 0) ? [id] : []
  })
}

/** The ids of keys that a copy of all files and the keystore still open. */
const opened = async (): Promise<readonly string[]> => {
  copies += 1
  const copy = `${folder.path}/copy ${copies}.db`
  for (const end of ['', '-wal']) if (existsSync(path() + end)) copyFileSync(path() + end, copy + end)
  const { store, readModels, ...beside } = right(await openSqliteStore({ path: copy })())
  const keyring = nodeKeyring({ sealed: sealedOf(beside), keystore })
  const open: string[] = []
  for (const { organization: organizationId, id: keyId } of known.values()) {
    const answer = codeOf(await keyring.publicKeys({ organizationId, keyId }, [{ curve: 'CURVE_P256', path: 'm' }])())
    if (answer === 'KEY_MISSING') continue
    assert.is.not(answer, 'STORE_UNREADABLE') // what is no wallet opens, and has no such key
    open.push(keyId)
  }
  await keyring.close()
  await readModels.close()
  await store.close()
  return open
}

/** Nothing but these keys is left: neither to be opened, nor as bytes. */
const onlyLeft = async (ids: readonly string[]): Promise<void> => {
  assert.equal((await opened()).toSorted(), ids.toSorted())
  assert.equal(seenInFiles().toSorted(), ids.toSorted())
  assert.equal(codesIn(await audited(await exported(home.host))), [])
}

it('are nowhere in the files, and a copy of all of them opens no other keys than those that are left', async () => {
  const { done, root } = home
  const wallet = async (walletName: string) =>
    shownIn(await done(root, 'create_wallet', { walletName, accounts: [account] })).walletId ?? ''
  const wallets = [await wallet('one'), await wallet('two'), await wallet('three')]
  const made = await done(root, 'create_private_keys', {
    privateKeys: ['a', 'b', 'c'].map((privateKeyName) => ({ privateKeyName, ...privateKey })),
  })
  const keys = (shownIn(made).privateKeys ?? []).map(({ privateKeyId }) => privateKeyId)
  await remember()
  assert.is(known.size, 6)
  await onlyLeft([...known.keys()])
  await done(root, 'delete_wallets', { walletIds: wallets.slice(0, 2), deleteWithoutExport: true })
  await onlyLeft([...wallets.slice(2), ...keys])
  await done(root, 'delete_private_keys', { privateKeyIds: keys.slice(0, 2), deleteWithoutExport: true })
  await onlyLeft([...wallets.slice(2), ...keys.slice(2)])
})

it('are as gone if they were imported, and so are the targets to which they came', async () => {
  const { done, root } = home
  const left = (await keyRows()).map(({ id }) => id)
  const brought = broughtBy('deleted keys')
  const target = await targetFor(home, root)
  await remember() // with a target that nobody uses
  const begun = await targetFor(home, root)
  await remember()
  const encrypted = await walletIn(root, begun, plainOf(brought.wallets[0]), { walletName: 'brought alone' })
  const { walletId } = await resultOf<{ walletId: string }>(home, root, 'import_wallet', encrypted)
  const { imports, walletIds, secretIds } = await crossed(home, root, { ...brought, wallets: brought.wallets.slice(1) })
  await remember()
  const privateKeyIds = imports.flatMap(({ result }) => {
    const { importPrivateKeyResult: imported } = result as { importPrivateKeyResult?: { privateKeyId: string } } // as it is defined
    return imported === undefined ? [] : [imported.privateKeyId]
  })
  assert.is(dataOf(target).userId, root.userId)
  await onlyLeft([...left, walletId, ...walletIds, ...privateKeyIds, ...secretIds])
  await done(root, 'delete_wallets', { walletIds: [walletId, ...walletIds], deleteWithoutExport: true })
  await onlyLeft([...left, ...privateKeyIds, ...secretIds])
  await done(root, 'delete_secrets', { secretIds })
  await done(root, 'delete_private_keys', { privateKeyIds, deleteWithoutExport: true })
  await onlyLeft(left)
})

it('are as gone when their organization ends, below or on top, and those of others stay', async () => {
  const left = (await keyRows()).map(({ id }) => id)
  const below = await beginBelow(home.inside, home)
  await below.done(below.root, 'create_wallet', { walletName: 'below', accounts: [account] })
  const privateKeys = [{ privateKeyName: 'below', ...privateKey }]
  await below.done(below.root, 'create_private_keys', { privateKeys })
  await remember()
  const stays = await childWith({ ...home, ...home.inside }, 'V8', {
    wallet: { walletName: 'stays', accounts: [account] },
  })
  await remember()
  await below.done(below.root, 'delete_sub_organization', { deleteWithoutExport: true })
  const [own = ''] = [...known.values()].filter(({ organization }) => organization === stays).map(({ id }) => id)
  await onlyLeft([...left, own])
})

it('are all gone from a store whose only organization has ended', async () => {
  await home.host.close()
  known.clear()
  await folder.remove()
  folder = await temporaryFolder()
  home = await openHousehold({ path: path(), keystore, say: () => undefined })
  const { done, root, organizationId } = home
  await done(root, 'create_wallet', { walletName: 'one', accounts: [account] })
  await done(root, 'create_private_keys', { privateKeys: [{ privateKeyName: 'a', ...privateKey }] })
  await remember()
  assert.is(known.size, 2)
  await done(root, 'delete_organization', { organizationId })
  await onlyLeft([])
  await home.host.close()
  assert.equal(seenInFiles(), [])
})

it.run()
