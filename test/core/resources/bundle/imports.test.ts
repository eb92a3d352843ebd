import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHex } from '../../../../core/bytes.ts'
import { englishOf, mnemonicOf, type Mnemonic } from '../../../../core/keys/mnemonic.ts'
import { mnemonicLanguages } from '../../../../core/keys/mnemonic-parameters.ts'
import { sampled } from '../../../long.ts'
import { codeOf, right, world, type Person, type World } from '../../world/world.ts'
import { account, assertRefused, listed, makeWallet, onEd25519, refused, sealedIn } from '../wallet/wallet-world.ts'
import { anyMnemonic, borderClient, dataOf, encryptedTo } from './border.ts'
import { importWallet, keyIn, resultOf, targetFor, walletIn } from './border-world.ts'

const it = suite('imports')

const HOUR_MS = 60 * 60 * 1000

const inWorld = (name: string, play: (w: World) => Promise<void>): void =>
  it(name, async () => {
    const w = await world()
    await play(w)
    await w.close()
  })

/** A wallet that was exported, as its words. */
const exported = async (w: World, walletId: string, more = {}): Promise<string> => {
  const client = borderClient()
  const asked = { walletId, targetPublicKey: client.publicKey, ...more }
  const { exportBundle } = await resultOf<{ exportBundle: string }>(w, w.root, 'export_wallet', asked)
  return client.text(exportBundle)
}

inWorld('a target names its organization, its user and its key, in the order of the official one', async (w) => {
  const data = dataOf(await targetFor(w, w.root))
  assert.equal(Object.keys(data), ['targetPublic', 'organizationId', 'userId'])
  assert.equal([data.organizationId, data.userId], [w.organizationId, w.root.userId])
  assert.match(data.targetPublic ?? '', /^04[0-9a-f]{128}$/)
})

inWorld('a wallet that comes back has the same accounts, and is said to be imported', async (w) => {
  const accounts = [
    account(),
    onEd25519(),
    account({ curve: 'CURVE_P256', addressFormat: 'ADDRESS_FORMAT_COMPRESSED' }),
  ]
  const made = await makeWallet(w, 'made', ...accounts)
  const words = await exported(w, made.walletId)
  await w.done(w.root, 'delete_wallets', { walletIds: [made.walletId] }) // it was exported
  const back = await importWallet(w, w.root, words, { accounts })
  assert.equal(back.addresses, made.addresses)
  const [shown] = await listed<{ imported: boolean; exported: boolean }>(w, 'list_wallets', 'wallets')
  assert.equal([shown?.imported, shown?.exported], [true, false])
  assert.is(await exported(w, back.walletId), words)
})

const ENTROPY = new Uint8Array(16).map((_, index) => index * 7)
const inEachLanguage = sampled<string>(it, 'MNEMONIC_LANGUAGE_JAPANESE')
for (const language of mnemonicLanguages)
  inEachLanguage(language, `a mnemonic and its passphrase come back as they came: ${language}`, async () => {
    const w = await world()
    const mnemonic: Mnemonic = { entropy: ENTROPY, language, passphrase: '' }
    const words = mnemonicOf(mnemonic)
    const plain = await importWallet(w, w.root, words, { accounts: [account()] })
    const open = await importWallet(w, w.root, `${words}\n--PASS--\npåss`, { walletName: 'b', accounts: [account()] })
    assert.is.not(plain.addresses[0], open.addresses[0])
    assert.is(await exported(w, plain.walletId), words)
    assert.is(await exported(w, open.walletId), `${words}\npåss`)
    const english = mnemonicOf(englishOf(ENTROPY))
    assert.is(await exported(w, plain.walletId, { language: 'MNEMONIC_LANGUAGE_ENGLISH' }), english)
    await w.close()
  })

for (const curve of ['CURVE_SECP256K1', 'CURVE_P256', 'CURVE_ED25519'] as const)
  inWorld(`a private key goes in and out: ${curve}`, async (w) => {
    const key = crypto.getRandomValues(new Uint8Array(32)).fill(0, 0, 1)
    const form = { curve, addressFormats: [] }
    const made = await resultOf<{ privateKeyId: string }>(
      w,
      w.root,
      'import_private_key',
      await keyIn(w.root, await targetFor(w, w.root, 'key'), key, form),
    )
    const client = borderClient()
    const asked = { privateKeyId: made.privateKeyId, targetPublicKey: client.compressed }
    const { exportBundle } = await resultOf<{ exportBundle: string }>(w, w.root, 'export_private_key', asked)
    assert.equal(await client.open(exportBundle), key)
    const [shown] = await listed<{ imported: boolean; exported: boolean }>(w, 'list_private_keys', 'privateKeys')
    assert.equal([shown?.imported, shown?.exported], [true, true])
  })

const words = anyMnemonic()

const wrongWallets: { readonly [what: string]: string | Uint8Array } = {
  'eleven words': words.split(' ').slice(1).join(' '),
  'a wrong checksum': 'abandon '.repeat(12).trim(),
  'a line feed': words.replace(' ', '\n'),
  'a line feed in the passphrase': `${words}\n--PASS--\na\nb`,
  'the separator of exports': `${words}\nopen`,
  'no text': Uint8Array.of(0xff, 0xfe),
  nothing: '',
}

inWorld('what is no wallet is refused, and stores nothing but the end of its target', async (w) => {
  for (const [what, plain] of Object.entries(wrongWallets)) {
    const asked = await walletIn(w.root, await targetFor(w, w.root), plain)
    const rows = await sealedIn(w.storage)
    const answer = refused(await w.submit(w.root, 'import_wallet', asked))
    assert.is(answer[0], 'REQUEST_INVALID', what)
    const isGone = (await sealedIn(w.storage)).filter((row) => 'isGone' in row).length
    assert.is(isGone, rows.filter((row) => 'isGone' in row).length + 1, what)
    assert.is(JSON.stringify(answer).includes(words.slice(0, 8)), false)
  }
  assert.equal(await listed(w, 'list_wallets', 'wallets'), [])
})

const N = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
const wrongKeys: { readonly [what: string]: Uint8Array } = {
  '0': new Uint8Array(32),
  'the order of the group': decodeHex(N) ?? new Uint8Array(),
  'one byte less': new Uint8Array(31).fill(1),
  'one byte more': new Uint8Array(33).fill(1),
}

inWorld('what is no private key of its curve is refused', async (w) => {
  for (const [what, plain] of Object.entries(wrongKeys)) {
    const asked = await keyIn(w.root, await targetFor(w, w.root, 'key'), plain)
    assert.is(refused(await w.submit(w.root, 'import_private_key', asked))[0], 'REQUEST_INVALID', what)
  }
  assert.equal(await listed(w, 'list_private_keys', 'privateKeys'), [])
})

inWorld('a bundle in which a bit was changed does not open, and its target stays good', async (w) => {
  const bundle = await targetFor(w, w.root)
  const whole = JSON.parse(await encryptedTo(bundle, words)) as { encappedPublic: string; ciphertext: string }
  const flipped = (hex: string, at: number): string =>
    hex.slice(0, at) + (Number.parseInt(hex[at] ?? '', 16) ^ 1).toString(16) + hex.slice(at + 1)
  const base = { userId: w.root.userId, walletName: 'x', accounts: [] }
  const wrong = [
    ...[0, 1, 2, 60, 129].map((at) => ({ ...whole, encappedPublic: flipped(whole.encappedPublic, at) })),
    ...[0, 100, whole.ciphertext.length - 1].map((at) => ({ ...whole, ciphertext: flipped(whole.ciphertext, at) })),
    { ...whole, encappedPublic: `04${'11'.repeat(64)}` },
    JSON.parse(await encryptedTo(await targetFor(w, await w.enrol('bob').then(rooted(w))), words)) as object,
  ]
  for (const one of wrong)
    await assertRefused(w, () => w.submit(w.root, 'import_wallet', { ...base, encryptedBundle: JSON.stringify(one) }), [
      'REQUEST_INVALID',
      'the bundle does not open: it was encrypted to another target, or changed',
    ])
  right(await w.submit(w.root, 'import_wallet', { ...base, encryptedBundle: JSON.stringify(whole) }))
})

/** Lets a user do everything. */
const rooted =
  (w: World) =>
  async (person: Person): Promise<Person> => {
    const userIds = [w.root.userId, person.userId]
    await w.done(w.root, 'update_root_quorum', { threshold: 1, userIds })
    return person
  }

inWorld('a bundle is used once, whoever sends it', async (w) => {
  const bundle = await targetFor(w, w.root)
  const encryptedBundle = await encryptedTo(bundle, words)
  const asked = { userId: w.root.userId, walletName: 'one', encryptedBundle, accounts: [] }
  const body = w.body('import_wallet', asked)
  const first = right(await w.send(w.root, 'import_wallet', body))
  assert.is(right(await w.send(w.root, 'import_wallet', body)).id, first.id) // the same body is the same wallet
  const again = refused(await w.submit(w.root, 'import_wallet', { ...asked, walletName: 'two' }))
  assert.is(again[0], 'REQUEST_INVALID')
  assert.is((await listed(w, 'list_wallets', 'wallets')).length, 1)
})

inWorld('a target is replaced by the next one, and is over after an hour', async (w) => {
  const first = await walletIn(w.root, await targetFor(w, w.root), words)
  const second = await walletIn(w.root, await targetFor(w, w.root), words)
  assert.is(refused(await w.submit(w.root, 'import_wallet', first))[0], 'REQUEST_INVALID')
  w.clock.pass(HOUR_MS)
  assert.match(refused(await w.submit(w.root, 'import_wallet', second))[1] ?? '', /begin one by init_import_wallet/)
  const third = await walletIn(w.root, await targetFor(w, w.root), words)
  w.clock.pass(HOUR_MS - 1)
  right(await w.submit(w.root, 'import_wallet', third))
})

inWorld('ten targets of a user leave one row, and an import none', async (w) => {
  const rows = async (): Promise<number> => (await sealedIn(w.storage)).filter((row) => !('isGone' in row)).length
  for (let count = 0; count < 10; count += 1) await targetFor(w, w.root)
  assert.is(await rows(), 1)
  await importWallet(w, w.root, anyMnemonic())
  assert.is(await rows(), 1) // that of the wallet
})

inWorld('the same seed or key comes once', async (w) => {
  const { walletId } = await importWallet(w, w.root, words)
  const again = await walletIn(w.root, await targetFor(w, w.root), words, { walletName: 'again' })
  assert.equal(refused(await w.submit(w.root, 'import_wallet', again)), [
    'ALREADY_EXISTS',
    `seed for wallet ${walletId} already imported in this organization`,
  ])
  const key = crypto.getRandomValues(new Uint8Array(32))
  const asked = await keyIn(w.root, await targetFor(w, w.root, 'key'), key)
  const { privateKeyId } = await resultOf<{ privateKeyId: string }>(w, w.root, 'import_private_key', asked)
  const twin = await keyIn(w.root, await targetFor(w, w.root, 'key'), key, { privateKeyName: 'twin' })
  assert.equal(refused(await w.submit(w.root, 'import_private_key', twin)), [
    'ALREADY_EXISTS',
    `private key with ID ${privateKeyId} has already been imported in this organization`,
  ])
  const onP256 = await keyIn(w.root, await targetFor(w, w.root, 'key'), key, {
    privateKeyName: 'on another curve',
    curve: 'CURVE_P256',
    addressFormats: [],
  })
  right(await w.submit(w.root, 'import_private_key', onP256))
})

inWorld('nobody imports for another user, whatever a policy allows', async (w) => {
  const bob = await rooted(w)(await w.enrol('bob'))
  const bundle = await targetFor(w, w.root)
  for (const [path, asked] of [
    ['import_wallet', await walletIn(w.root, bundle, words)],
    ['import_private_key', await keyIn(w.root, bundle, ENTROPY)],
  ] as const) {
    const answer = await w.submit(bob, path, asked)
    assert.is(codeOf(answer), 'REQUEST_NOT_AUTHORIZED')
  }
})

inWorld('what was not imported is made: a seed that was made here is refused, too', async (w) => {
  const { walletId } = await makeWallet(w, 'made', account())
  const again = await walletIn(w.root, await targetFor(w, w.root), await exported(w, walletId))
  assert.is(codeOf(await w.submit(w.root, 'import_wallet', again)), 'ALREADY_EXISTS')
})

it.run()
