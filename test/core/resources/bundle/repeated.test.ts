import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../../core/failure.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { TE } from '../../../../core/prelude.ts'
import { shared } from '../../../campaigns/crash/shared.ts'
import { secondProcess } from '../../command/second-process.ts'
import { testKeyring } from '../../world/keyring.ts'
import { inTime } from '../../world/under-way.ts'
import { codeOf, placeIn, right, stamped, world, type World } from '../../world/world.ts'
import { account, isSigned, listed, sealedIn, sign } from '../wallet/wallet-world.ts'
import { anyMnemonic, borderClient } from './border.ts'
import { importWallet, keyIn, resultOf, targetFor, walletIn } from './border-world.ts'

/* Bodies that come again after others, to processes that know nothing of them: nothing but a deletion takes the seed of a wallet away. */
const it = suite('imports that come again')

const MINUTE_MS = 60_000

/** Another process on the store of a world, which its end leaves open. @param storage  as that process has it */
const elsewhere = async <A>(w: World, act: (there: World) => Promise<A>, storage: Storage = w.storage): Promise<A> => {
  const store = shared(storage)
  const engine = await secondProcess({ ...w, storage: store }, { ports: { keyring: testKeyring(store) } })
  try {
    return await act({ ...w, ...placeIn({ engine, clock: w.clock }, w.organizationId, w.root), engine })
  } finally {
    await inTime(w.clock, engine.close())
  }
}

const inWorld = (name: string, play: (w: World) => Promise<void>): void =>
  it(name, async () => {
    const w = await world()
    await play(w)
    await w.close()
  })

const rows = async (w: World): Promise<readonly string[]> =>
  (await sealedIn(w.storage)).flatMap((row) => ('isGone' in row ? [] : [row.id])).toSorted()

const words = anyMnemonic()
const accounts = [account()]

/** A body of a client whose clock goes ahead: to a process that begins meanwhile, it seems to be new. */
const bodyAhead = (w: World, path: string, parameters: Parameters<World['body']>[1]): Uint8Array =>
  w.body(path, parameters, { timestampMs: String(w.clock.now() + 4 * MINUTE_MS) })

inWorld('find their wallet, though its name and its target are free again, and leave its seed', async (w) => {
  const body = bodyAhead(w, 'import_wallet', await walletIn(w.root, await targetFor(w, w.root), words, { accounts }))
  const first = right(await w.send(w.root, 'import_wallet', body))
  const [{ walletId = '' } = {}] = await listed(w, 'list_wallets', 'wallets')
  await w.done(w.root, 'update_wallet', { walletId, walletName: 'renamed' })
  await targetFor(w, w.root)
  const before = await rows(w)
  await elsewhere(w, async (there) => {
    const again = right(await there.send(w.root, 'import_wallet', body))
    assert.equal([again.id, again.result], [first.id, first.result])
    assert.equal(await rows(w), before)
    const { addresses } = Object.values(first.result)[0] as { readonly addresses: readonly string[] } // as it is defined
    right(await sign(there, addresses[0] ?? ''))
  })
})

inWorld('find their target, which stays good', async (w) => {
  const body = bodyAhead(w, 'init_import_wallet', { userId: w.root.userId })
  const first = right(await w.send(w.root, 'init_import_wallet', body))
  const { importBundle } = Object.values(first.result)[0] as { readonly importBundle: string } // as it is defined
  await elsewhere(w, async (there) => {
    const again = right(await there.send(w.root, 'init_import_wallet', body))
    assert.equal([again.id, again.result], [first.id, first.result])
    await there.done(w.root, 'import_wallet', await walletIn(w.root, importBundle, words))
  })
})

inWorld('find their target that was replaced, and leave the one that replaced it', async (w) => {
  const body = bodyAhead(w, 'init_import_wallet', { userId: w.root.userId })
  right(await w.send(w.root, 'init_import_wallet', body))
  const next = await targetFor(w, w.root)
  await elsewhere(w, async (there) => {
    right(await there.send(w.root, 'init_import_wallet', body))
    await there.done(w.root, 'import_wallet', await walletIn(w.root, next, words))
  })
})

inWorld('leave the rows of all wallets where they are refused: the seed is there, or its name is taken', async (w) => {
  const { addresses } = await importWallet(w, w.root, words, { accounts })
  const [row = ''] = await rows(w)
  const again = async (plain: string, walletName: string) =>
    codeOf(
      await w.submit(
        w.root,
        'import_wallet',
        await walletIn(w.root, await targetFor(w, w.root), plain, { walletName, accounts }),
      ),
    )
  assert.is(await again(words, 'again'), 'ALREADY_EXISTS')
  assert.is(await again(anyMnemonic(), 'imported'), 'REQUEST_INVALID')
  assert.ok((await rows(w)).includes(row))
  right(await sign(w, addresses[0] ?? ''))
})

/** Lets two root users agree. */
const withBob = async (w: World) => {
  const bob = await w.enrol('bob')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, bob.userId] })
  return bob
}

const statusOf = async (asked: Promise<Awaited<ReturnType<World['submit']>>>): Promise<string> =>
  right(await asked).status

inWorld('fail where they waited for too long, and leave the rows of all wallets', async (w) => {
  const { addresses } = await importWallet(w, w.root, words, { accounts })
  const listedRows = await rows(w)
  const targets = [await targetFor(w, w.root)]
  const bob = await withBob(w)
  const waiting = async (bundle: string, walletName: string, plain = anyMnemonic()) =>
    w.done(w.root, 'import_wallet', await walletIn(w.root, bundle, plain, { walletName, accounts }))
  const [one, two, three] = [
    await waiting(targets[0] ?? '', 'one'),
    await waiting(targets[0] ?? '', 'two'),
    await waiting(targets[0] ?? '', 'three', words),
  ]
  assert.is(await statusOf(w.approve(bob, three)), 'ACTIVITY_STATUS_FAILED') // its seed is there, and its target is used
  assert.is(await statusOf(w.approve(bob, one)), 'ACTIVITY_STATUS_FAILED')
  w.clock.pass(61 * MINUTE_MS)
  assert.is(await statusOf(w.approve(bob, two)), 'ACTIVITY_STATUS_FAILED') // the target is over
  assert.equal(await rows(w), listedRows)
  const name = { walletId: (await listed(w, 'list_wallets', 'wallets'))[0]?.['walletId'] ?? '', walletName: 'x' }
  await w.done(w.root, 'update_wallet', name)
  assert.is((await listed(w, 'list_wallets', 'wallets')).length, 1)
  const [{ publicKey = '' } = {}] = await listed(w, 'list_wallet_accounts', 'accounts')
  const asked = await w.done(w.root, 'sign_raw_payload', {
    signWith: addresses[0] ?? '',
    payload: 'aa',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  })
  const signed = right(await w.approve(bob, asked)).result.signRawPayloadResult
  assert.ok(isSigned(signed as Parameters<typeof isSigned>[0], publicKey)) // as it is defined
})

/** The storage of a process that dies before its commit: the row is there, and no event names it. */
const dying = (storage: Storage): Storage => {
  const dead = TE.left(failure('UNAVAILABLE', 'the process is gone'))
  return { ...storage, store: { ...storage.store, append: () => dead } }
}

const dies: Readonly<
  Record<string, (w: World) => Promise<readonly [path: string, parameters: Parameters<World['body']>[1]]>>
> = {
  'a wallet': async (w) => ['import_wallet', await walletIn(w.root, await targetFor(w, w.root), words, { accounts })],
  'a private key': async (w) => [
    'import_private_key',
    await keyIn(w.root, await targetFor(w, w.root, 'key'), new Uint8Array(32).fill(9)),
  ],
}

for (const [what, ready] of Object.entries(dies))
  inWorld(`make one row where a process died between row and commit: ${what}`, async (w) => {
    const [path, parameters] = await ready(w)
    const body = w.body(path, parameters)
    const send = ({ engine }: World) => inTime(w.clock, engine.submit(path, stamped(w.root, body))())
    const died = await elsewhere(w, send, dying(w.storage))
    assert.is(codeOf(died), 'UNAVAILABLE')
    const left = await rows(w)
    assert.is(left.length, 1) // the target is gone
    const first = right(await w.send(w.root, path, body))
    assert.equal(await rows(w), left)
    const again = await elsewhere(w, send)
    assert.equal(right(again).result, first.result)
    assert.equal(await rows(w), left)
  })

inWorld('give one bundle where a process died before the commit of an export', async (w) => {
  const { walletId } = await importWallet(w, w.root, words)
  const client = borderClient()
  const body = w.body('export_wallet', { walletId, targetPublicKey: client.publicKey })
  const send = ({ engine }: World) => inTime(w.clock, engine.submit('export_wallet', stamped(w.root, body))())
  assert.is(codeOf(await elsewhere(w, send, dying(w.storage))), 'UNAVAILABLE')
  const [first, again] = [right(await elsewhere(w, send)), right(await elsewhere(w, send))]
  assert.equal(again.result, first.result)
  const { exportBundle } = Object.values(first.result)[0] as { readonly exportBundle: string } // as it is defined
  assert.is(await client.text(exportBundle), words)
  assert.ok(await resultOf(w, w.root, 'export_wallet', { walletId, targetPublicKey: client.publicKey }))
})

it.run()
