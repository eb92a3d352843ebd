import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { erasure } from '../../../../core/resources/erasure/erasure.ts'
import {
  beginBelow,
  codeOf,
  right,
  stamped,
  world,
  type Person,
  type World,
  type WorldOptions,
} from '../../world/world.ts'
import { account, makeKeys, makeWallet, privateKey, refused, sealedIn } from '../wallet/wallet-world.ts'
import { anyMnemonic, borderClient, dataOf, encryptedTo } from './border.ts'
import { keyIn, resultOf, targetFor, walletIn } from './border-world.ts'

const it = suite('enemies at the border')

const inWorld = (name: string, play: (w: World) => Promise<void>, options: WorldOptions = {}): void =>
  it(name, async () => {
    const w = await world(options)
    await play(w)
    await w.close()
  })

const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'
type Begun = { readonly enclaveTargetMessages: readonly string[] }
const secretTarget = async (w: World): Promise<string> =>
  (await resultOf<Begun>(w, w.root, 'init_import_secrets', { encryptionSuite, numSecrets: 1 }))
    .enclaveTargetMessages[0] ?? ''

const words = anyMnemonic()

inWorld('a target is good for its own kind alone', async (w) => {
  const targets = {
    wallet: await targetFor(w, w.root),
    key: await targetFor(w, w.root, 'key'),
    secret: await secretTarget(w),
  }
  const key = new Uint8Array(32).fill(3)
  const secretWith = async (bundle: string, plain: string) => ({
    secrets: [
      {
        secretPayload: await encryptedTo(bundle, plain),
        targetPublicKey: dataOf(bundle).targetPublic ?? '',
        encryptionSuite,
      },
    ],
  })
  for (const other of [targets.key, targets.secret])
    assert.is(codeOf(await w.submit(w.root, 'import_wallet', await walletIn(w.root, other, words))), 'REQUEST_INVALID')
  for (const other of [targets.wallet, targets.secret])
    assert.is(codeOf(await w.submit(w.root, 'import_private_key', await keyIn(w.root, other, key))), 'REQUEST_INVALID')
  for (const other of [targets.wallet, targets.key])
    assert.is(codeOf(await w.submit(w.root, 'import_secrets', await secretWith(other, 'x'))), 'REQUEST_INVALID')
  right(await w.submit(w.root, 'import_wallet', await walletIn(w.root, targets.wallet, words)))
  right(await w.submit(w.root, 'import_private_key', await keyIn(w.root, targets.key, key)))
  right(await w.submit(w.root, 'import_secrets', await secretWith(targets.secret, 'x')))
})

const POINT = borderClient()

inWorld('an ephemeral key that is no uncompressed point, and what is no ciphertext, opens nothing', async (w) => {
  const bundle = await targetFor(w, w.root)
  const whole = JSON.parse(await encryptedTo(bundle, words)) as { encappedPublic: string; ciphertext: string }
  const { encappedPublic } = whole
  const [x, y] = [encappedPublic.slice(2, 66), encappedPublic.slice(66)]
  const P = 'ffffffff00000001000000000000000000000000ffffffffffffffffffffffff'
  const keys = [
    '00', // infinity
    '00'.repeat(65),
    `04${'00'.repeat(64)}`,
    `0${Number.parseInt(y.at(-1) ?? '0', 16) % 2 === 0 ? 2 : 3}${x}`, // the same point, compressed
    `06${x}${y}`, // hybrid
    `07${x}${y}`,
    `04${y}${x}`,
    `04${P}${y}`, // not reduced
    `04${x}`,
    `${encappedPublic}00`,
    POINT.publicKey,
    dataOf(bundle).targetPublic ?? '',
  ]
  const wrong = [
    ...keys.map((one) => ({ ...whole, encappedPublic: one })),
    ...[whole.ciphertext.slice(0, 32), whole.ciphertext.slice(0, -2), `${whole.ciphertext}00`, '00'].map(
      (ciphertext) => ({
        ...whole,
        ciphertext,
      }),
    ),
  ]
  const base = { userId: w.root.userId, walletName: 'x', accounts: [] }
  for (const one of wrong) {
    const asked = { ...base, encryptedBundle: JSON.stringify(one) }
    const [code, message = ''] = refused(await w.submit(w.root, 'import_wallet', asked))
    assert.equal([code, /does not open/.test(message)], ['REQUEST_INVALID', true], one.encappedPublic)
  }
  const noBundles = [
    '',
    '{}',
    '[]',
    'null',
    '"x"',
    JSON.stringify({ ...whole, ciphertext: '' }),
    `{"encappedPublic":1}`,
  ]
  for (const encryptedBundle of noBundles) {
    const answer = refused(await w.submit(w.root, 'import_wallet', { ...base, encryptedBundle }))
    assert.equal(answer, ['REQUEST_INVALID', 'encryptedBundle'], encryptedBundle)
  }
  const upper = { encappedPublic: encappedPublic.toUpperCase(), ciphertext: whole.ciphertext.toUpperCase(), more: 1 }
  right(await w.submit(w.root, 'import_wallet', { ...base, encryptedBundle: JSON.stringify(upper) }))
})

inWorld(
  'what goes out to a target of ours, or to the signer, is opened by no client; it can come in again',
  async (w) => {
    const made = await makeWallet(w, 'made', account())
    const below = await beginBelow(w, w)
    const target = dataOf(await targetFor(below, below.root)).targetPublic ?? ''
    const keys = right(await w.engine.deploymentKeys()())
    const signer = keys.find(({ purpose }) => purpose === 'signer')?.publicKey ?? ''
    const to = async (targetPublicKey: string) =>
      dataOf(
        (
          await resultOf<{ exportBundle: string }>(w, w.root, 'export_wallet', {
            walletId: made.walletId,
            targetPublicKey,
          })
        ).exportBundle,
      )
    await to(signer)
    const { encappedPublic, ciphertext } = await to(target)
    const encryptedBundle = JSON.stringify({ encappedPublic, ciphertext })
    const asked = { userId: below.root.userId, walletName: 'moved', encryptedBundle, accounts: [account()] }
    const moved = await resultOf<{ addresses: string[] }>(below, below.root, 'import_wallet', asked)
    assert.equal(moved.addresses, made.addresses) // as if a client had carried it
  },
)

/** A policy that lets somebody do something. */
const lets = (w: World, who: Person, condition: string, effect = 'ALLOW') =>
  w.done(w.root, 'create_policy', {
    policyName: `${effect} ${condition}`.slice(0, 60),
    effect: `EFFECT_${effect}`,
    consensus: `approvers.any(user, user.id == '${who.userId}')`,
    condition,
    notes: '',
  })

inWorld('nobody takes what policies do not let them take', async (w) => {
  const bob = await w.enrol('bob')
  const [one, two] = [await makeWallet(w, 'one', account()), await makeWallet(w, 'two', account())]
  const [key] = await makeKeys(w, privateKey('key'))
  await lets(w, bob, `activity.action == 'EXPORT' && wallet.id == '${one.walletId}'`)
  const targetPublicKey = borderClient().publicKey
  const ask = async (path: string, asked: { readonly [member: string]: string }, person: Person = bob) =>
    codeOf(await w.submit(person, path, { ...asked, targetPublicKey }))
  assert.is(await ask('export_wallet', { walletId: one.walletId }), 'no failure')
  assert.is(await ask('export_wallet_account', { address: one.addresses[0] ?? '' }), 'no failure')
  const DENIED = 'REQUEST_NOT_AUTHORIZED'
  assert.is(await ask('export_wallet', { walletId: two.walletId }), DENIED)
  assert.is(await ask('export_wallet_account', { address: two.addresses[0] ?? '' }), DENIED)
  assert.is(await ask('export_private_key', { privateKeyId: key?.privateKeyId ?? '' }), DENIED)
  assert.is(await ask('export_wallet_account', { address: key?.addresses[0]?.address ?? '' }), DENIED)
  const unknown = { address: key?.addresses[0]?.address ?? '' }
  assert.is(await ask('export_wallet_account', unknown, w.root), 'RESOURCE_NOT_FOUND') // a private key is no account
  const begins = await w.submit(bob, 'init_import_wallet', { userId: w.root.userId })
  assert.is(codeOf(begins), DENIED)
})

inWorld(
  'a policy sees a secret that is alone in its request, also twice; among others, its denial does not reach it',
  async (w) => {
    const bob = await w.enrol('bob')
    const asked = { encryptionSuite, numSecrets: 2 }
    const { enclaveTargetMessages } = await resultOf<Begun>(w, w.root, 'init_import_secrets', asked)
    const secrets = await Promise.all(
      enclaveTargetMessages.map(async (bundle, index) => ({
        secretPayload: await encryptedTo(bundle, 'x'),
        targetPublicKey: dataOf(bundle).targetPublic ?? '',
        encryptionSuite,
        staticProperties: [{ key: 'level', value: ['high', 'low'][index] ?? '' }],
      })),
    )
    const { secretIds } = await resultOf<{ secretIds: string[] }>(w, w.root, 'import_secrets', { secrets })
    await lets(w, bob, "activity.resource == 'SECRET'")
    await lets(w, bob, "secret.static_properties['level'] == 'high'", 'DENY')
    const targetPublicKey = borderClient().publicKey
    const exporting = async (...ids: readonly string[]) =>
      codeOf(
        await w.submit(bob, 'export_secrets', {
          secrets: ids.map((secretId) => ({ secretId, targetPublicKey, encryptionSuite })),
        }),
      )
    const [high = '', low = ''] = secretIds
    assert.is(await exporting(low), 'no failure')
    assert.is(await exporting(high), 'REQUEST_NOT_AUTHORIZED')
    assert.is(await exporting(high, high), 'REQUEST_NOT_AUTHORIZED')
    assert.is(await exporting(low, high), 'no failure') // wallets have the keyword `wallets` for that
  },
)

inWorld('neither parent nor child takes what the other has', async (w) => {
  const below = await beginBelow(w, w)
  const [mine, theirs] = [await makeWallet(w, 'mine'), await makeWallet(below, 'theirs')]
  const targetPublicKey = borderClient().publicKey
  const asks = async (place: Pick<World, 'submit'>, person: Person, walletId: string) =>
    codeOf(await place.submit(person, 'export_wallet', { walletId, targetPublicKey }))
  assert.is(await asks(w, w.root, theirs.walletId), 'RESOURCE_NOT_FOUND')
  assert.is(await asks(below, below.root, mine.walletId), 'RESOURCE_NOT_FOUND')
  assert.is.not(await asks(below, w.root, theirs.walletId), 'no failure')
  assert.is.not(await asks(w, below.root, mine.walletId), 'no failure')
  const words12 = await walletIn(below.root, await targetFor(below, below.root), words)
  assert.is.not(codeOf(await below.submit(w.root, 'import_wallet', words12)), 'no failure')
  right(await below.submit(below.root, 'import_wallet', words12))
})

inWorld(
  'the body of an export whose requester was erased gives nothing, whoever sends it',
  async (w) => {
    const bob = await w.enrol('bob')
    const { walletId } = await makeWallet(w, 'made')
    await lets(w, bob, "activity.action == 'EXPORT'")
    const body = w.body('export_wallet', { walletId, targetPublicKey: borderClient().publicKey })
    right(await w.send(bob, 'export_wallet', body))
    await w.done(w.root, 'delete_users', { userIds: [bob.userId] })
    await w.done(w.root, 'erase_user', { userId: bob.userId })
    assert.is.not(codeOf(await w.send(bob, 'export_wallet', body)), 'no failure')
    const byRoot = await w.engine.submit('export_wallet', stamped(w.root, body))()
    const shown = byRoot._tag === 'Right' ? JSON.stringify(byRoot.right.result) : ''
    assert.is(shown.includes('encappedPublic'), false)
    assert.is(shown.includes('dataSignature'), false)
  },
  { resources: [...publicApi, ...erasure] },
)

inWorld('a target goes with the next one, whoever begins it, and never stands beside others', async (w) => {
  const bob = await w.enrol('bob')
  await lets(w, bob, "activity.action == 'IMPORT'")
  const first = await walletIn(w.root, await targetFor(w, w.root), words)
  for (let count = 0; count < 5; count += 1) {
    await resultOf(w, bob, 'init_import_wallet', { userId: w.root.userId })
    await resultOf(w, bob, 'init_import_secrets', { encryptionSuite, numSecrets: 3 })
  }
  assert.is((await sealedIn(w.storage)).filter((row) => !('isGone' in row)).length, 1 + 3)
  assert.is(codeOf(await w.submit(w.root, 'import_wallet', first)), 'REQUEST_INVALID')
})

it.run()
