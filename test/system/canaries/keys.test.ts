import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEngine, CountersignError } from '../../../adapters/index.ts'
import { keystoreOf, newKey } from '../../../adapters/keyring/keystore-keys.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import type { Json } from '../../../core/failure.ts'
import { E, TE } from '../../../core/prelude.ts'
import { run } from '../../adapters/cli/run-cli.ts'
import { audited, codesIn } from '../../core/audit/logs.ts'
import { broughtBy, crossed, plainOf } from '../../core/audit/border-log.ts'
import { childWith, keysLive, shownIn } from '../../core/audit/keys-log.ts'
import { keyIn, targetFor, walletIn } from '../../core/resources/bundle/border-world.ts'
import { right } from '../../core/world/world.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { exported, filesOf, placesOf } from './erased/places.ts'
import { openHousehold, rowsIn, type Household } from './keys/household.ts'
import { broughtSecrets, knownKeys } from './keys/known-keys.ts'
import { secretText, sightings, type Secret } from './secret.ts'

const it = suite('canaries of wallets and private keys')

const keystore = keystoreOf(TE.right([newKey()]))
const keys = knownKeys('canaries')
const brought = broughtBy('canaries of the border')
const said: string[] = []
const say = (text: string): void => void said.push(text)

const ETHEREUM = "m/44'/60'/0'/0/0"
const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: ETHEREUM,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
}
const PATHS = [ETHEREUM, "m/44'/60'/0'/0/1", "m/44'/60'/0'/0/3", "m/44'/60'/0'/0/4", "m/44'/501'/2'"]
const text = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let home: Household
let secrets: readonly Secret[]
/** A wallet that stays, and the address of its account. */
let kept: { readonly walletId: string; readonly address: string }
const path = (): string => `${folder.path}/keys.db`

it.before(async () => {
  folder = await temporaryFolder()
  home = await openHousehold({ path: path(), keystore, say, random: keys.random })
  await keysLive(home)
  const made = await home.done(home.root, 'create_wallet', {
    walletName: 'kept',
    accounts: [account],
    mnemonicLength: 24,
  })
  const { walletId = '', addresses = [] } = shownIn(made)
  kept = { walletId, address: addresses[0] ?? '' }
  await childWith({ ...home, ...home.inside }, 'V8', { wallet: { walletName: 'below', accounts: [account] } })
  const below = { privateKeyName: 'below', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }
  await childWith({ ...home, ...home.inside }, 'V3', { privateKeys: [below] })
  await crossed(home, home.root, brought)
  secrets = [...keys.secrets(PATHS), ...broughtSecrets(brought, PATHS)]
})
it.after(async () => {
  await home.host.close()
  await folder.remove()
})

const sign = (parameters: { readonly [member: string]: Json } = {}) =>
  home.submit(home.root, 'sign_raw_payload', { signWith: kept.address, payload: 'hello', ...text, ...parameters })

const askAll = async (): Promise<
  readonly { readonly path: string; readonly status: number; readonly text: string }[]
> => {
  const { walletId } = kept
  const asked: readonly (readonly [string, { readonly [member: string]: Json }])[] = [
    ['list_wallets', {}],
    ['get_wallet', { walletId }],
    ['list_wallet_accounts', { walletId, includeWalletDetails: true }],
    ['get_wallet_account', { walletId, path: ETHEREUM }],
    ['list_private_keys', {}],
    ['list_private_key_tags', {}],
    ['list_activities', {}],
    ['list_secrets', {}],
    ['get_organization', {}],
  ]
  for (const [route, members] of asked) await home.ask(home.root, route, members)
  return home.answers.map((answer) => ({ path: '', status: 200, text: answer }))
}

const activities = async (): Promise<ReadonlyMap<string, string>> => {
  const log = right(await home.host.storage.store.readLog(home.organizationId, 0n, 10_000)())
  return new Map(log.map(({ activity }) => [activity, '']))
}

it('are many, and the keys have signed', async () => {
  assert.ok(secrets.length > 200, String(secrets.length))
  const own = (await rowsIn(home.sealed)).filter(({ organization }) => organization !== '')
  assert.is(own.length, 5 + 7) // two wallets, a private key, and those below; and what was brought
  assert.ok(E.isRight(await sign()))
  assert.equal(codesIn(await audited(await exported(home.host))), [])
})

it('are nowhere: in the export, snapshots, replays, answers, tables, files, and what the server says', async () => {
  const { organizationId } = home
  const places = await placesOf(path(), home.host, { organizationId, activities: await activities(), askAll })
  assert.ok(places.length >= 7)
  for (const { name, bytes } of places) {
    assert.ok(bytes.length > 0 || name === 'the files', name)
    assert.equal(sightings(secrets, name, bytes), [])
  }
  assert.ok(said.join('').includes('countersign.perform'))
  assert.equal(sightings(secrets, 'what the server says', said.join('\n')), [])
})

/** A text that a caller writes where it is wrong. */
const marker = 'marker-7c1f09aa52de4b63'
const typed = (data: Json): { readonly [member: string]: Json } => ({
  payload: typeof data === 'string' ? data : JSON.stringify(data),
  encoding: 'PAYLOAD_ENCODING_EIP712',
  hashFunction: 'HASH_FUNCTION_NO_OP',
})
const EIP712 = { types: { EIP712Domain: [], Mail: [{ name: 'to', type: 'address' }] }, primaryType: 'Mail', domain: {} }

const wrong: readonly { readonly [member: string]: Json }[] = [
  typed(marker),
  typed(`{"types":{"${marker}"`),
  typed({ ...EIP712, message: { to: marker } }),
  typed({ ...EIP712, message: { to: `0x${marker}` } }),
  typed({ ...EIP712, primaryType: marker, message: {} }),
  typed({
    ...EIP712,
    types: { ...EIP712.types, Mail: [{ name: marker, type: 'uint256' }] },
    message: { [marker]: marker },
  }),
  typed({ ...EIP712, types: { ...EIP712.types, Mail: [{ name: 'to', type: marker }] }, message: { to: marker } }),
  typed({ ...EIP712, domain: { chainId: marker }, message: {} }),
  { payload: marker, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' },
  { payload: marker, hashFunction: 'HASH_FUNCTION_NO_OP' },
  { payload: `{"chainId":"${marker}"}`, encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION' },
  { payload: 'hello', signWith: marker },
  { payload: 'hello', encoding: marker },
  { payload: 'hello', hashFunction: marker },
]
const wrongAccounts: readonly { readonly [member: string]: Json }[] = [
  { path: marker },
  { path: `m/44'/${marker}` },
  { path: `m/${marker}/0` },
  { curve: marker },
  { addressFormat: marker },
  { pathFormat: marker },
]

it('are as little in errors as what a caller has written', async () => {
  const [saidBefore, answeredBefore] = [said.length, home.answers.length]
  const refusals = []
  for (const parameters of wrong) refusals.push(await sign(parameters))
  for (const params of wrongAccounts) {
    const accounts = [{ ...account, ...params }]
    refusals.push(await home.submit(home.root, 'create_wallet', { walletName: 'wrong', accounts }))
    refusals.push(await home.submit(home.root, 'create_wallet_accounts', { walletId: kept.walletId, accounts }))
  }
  for (const [index, refusal] of refusals.entries()) assert.ok(E.isLeft(refusal), `request ${index} was taken`)
  const secret = [secretText('the marker', marker)]
  assert.equal(sightings(secret, 'an answer', home.answers.slice(answeredBefore).join('\n')), [])
  assert.equal(sightings(secret, 'what the server says', said.slice(saidBefore).join('\n')), [])
})

/** What is wrong at the border, each with something secret in it. */
const wrongImports = async () => {
  const [wallet] = brought.wallets
  const plain = plainOf(wallet)
  const [key] = brought.keys
  if (key === undefined) throw new Error('a key is brought')
  const words = plain.split('\n')[0] ?? ''
  const wallets = [
    words.split(' ').slice(1).join(' '),
    `${plain}\n`,
    words.replace(' ', '\n'),
    `${words} ${words}`,
    plain,
  ]
  const refusals = []
  for (const one of wallets) {
    const target = await targetFor(home, home.root)
    for (const bundle of [target, await targetFor(home, home.root, 'key')])
      refusals.push(
        await home.submit(home.root, 'import_wallet', await walletIn(home.root, bundle, one, { walletName: 'wrong' })),
      )
  }
  for (const one of [key.key.subarray(1), Uint8Array.of(...key.key, 0), key.key]) {
    const asked = await keyIn(home.root, await targetFor(home, home.root, 'key'), one, {
      curve: key.curve,
      addressFormats: [],
    })
    refusals.push(await home.submit(home.root, 'import_private_key', asked))
  }
  return refusals
}

it('are not in what a wrong or second import is told', async () => {
  const [saidBefore, answeredBefore] = [said.length, home.answers.length]
  for (const [index, refusal] of (await wrongImports()).entries()) assert.ok(E.isLeft(refusal), `import ${index}`)
  assert.equal(sightings(secrets, 'an answer', home.answers.slice(answeredBefore).join('\n')), [])
  assert.equal(sightings(secrets, 'what the server says', said.slice(saidBefore).join('\n')), [])
  for (const { name, bytes } of filesOf(path())) assert.equal(sightings(secrets, name, bytes), [])
})

it('stay where they are when a row is moved to another place or kind: then the key is refused', async () => {
  const rows = await rowsIn(home.sealed)
  const own = rows.find(({ id }) => id === kept.walletId)
  if (own === undefined) throw new Error('the wallet has a row')
  const others = rows.filter((row) => row !== own)
  assert.ok(others.some(({ organization }) => organization !== own.organization))
  const moved = others.map(({ kind, dataKey, bytes }) => ({ ...own, kind, dataKey, bytes }))
  const renamed = { ...own, kind: own.kind === 'wallet' ? 'private-key' : 'wallet' }
  let now = own
  for (const row of [...moved, renamed]) {
    assert.ok(right(await home.sealed.replace(now, row)()))
    now = row
    const refused = await sign()
    assert.ok(E.isLeft(refused))
    assert.match(E.isLeft(refused) ? refused.left.message : '', 'STORE_UNREADABLE')
  }
  assert.ok(right(await home.sealed.replace(now, own)()))
  assert.ok(E.isRight(await sign()))
  assert.equal(sightings(secrets, 'an answer', home.answers.join('\n')), [])
  assert.equal(sightings(secrets, 'what the server says', said.join('\n')), [])
})

it('are no use to a server without their keystore', async () => {
  await home.host.close()
  const { organizationId, root } = home
  const without = await openHousehold({ path: path(), keystore: undefined, say }, { organizationId, root })
  const refused = await without.submit(root, 'sign_raw_payload', { signWith: kept.address, payload: 'hello', ...text })
  assert.match(E.isLeft(refused) ? refused.left.message : '', 'UNSUPPORTED')
  await without.answer(root, 'list_wallets')
  await without.host.close()
  const other = createEngine({ store: openSqliteStore({ path: path() }), keystore: keystoreOf(TE.right([newKey()])) })
  const code = await other.then(
    () => 'it has started',
    (error: unknown) => (error instanceof CountersignError ? error.code : String(error)),
  )
  assert.is(code, 'CONFIGURATION_INVALID')
  home = await openHousehold({ path: path(), keystore, say }, { organizationId, root })
  assert.ok(E.isRight(await sign()))
  await home.host.close()
})

it('are not in what the command line prints, nor in the closed files', async () => {
  const { organizationId } = home
  const store = ['--store', `sqlite:${path()}`]
  const commands = [
    ['export', ...store],
    ['audit', ...store],
    ['replay', ...store],
    ['replay', ...store, '--organization', organizationId],
    ['doctor', ...store],
  ]
  for (const args of commands) {
    const { code, stdout, stderr } = await run(args, { cwd: folder.path })
    assert.is(code, 0, `${args.join(' ')}: ${stderr}`)
    assert.equal(sightings(secrets, args.join(' '), stdout + stderr), [])
  }
  for (const { name, bytes } of filesOf(path())) assert.equal(sightings(secrets, name, bytes), [])
})

it.run()
