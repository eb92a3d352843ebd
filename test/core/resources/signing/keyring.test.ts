import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureCodes } from '../../../../core/failure-codes.ts'
import { failure } from '../../../../core/failure.ts'
import type { Keyring } from '../../../../core/ports/keyring.ts'
import { TE } from '../../../../core/prelude.ts'
import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import { testKeyring } from '../../world/keyring.ts'
import { right, world } from '../../world/world.ts'
import {
  account,
  assertRefused,
  isSigned,
  listed,
  makeKeys,
  makeWallet,
  privateKey,
  sign,
  type Members,
} from '../wallet/wallet-world.ts'

const it = suite('the keyring of an engine')

/** A world whose keyring can be taken away. */
const withKeyring = async () => {
  const store = memoryStore()
  const keyring = testKeyring(store)
  const status = { isAway: false, calls: 0 }
  const unless =
    <A extends readonly unknown[], B>(call: (...args: A) => TE.TaskEither<ReturnType<typeof failure>, B>) =>
    (...args: A): TE.TaskEither<ReturnType<typeof failure>, B> =>
    () => {
      status.calls += 1
      return status.isAway ? TE.left(failure('UNAVAILABLE', 'the keystore does not answer'))() : call(...args)()
    }
  const wrapped: Keyring = {
    ...keyring,
    makeSeed: unless(keyring.makeSeed),
    makeKey: unless(keyring.makeKey),
    publicKeys: unless(keyring.publicKeys),
    sign: unless(keyring.sign),
  }
  const w = await world({ store, ports: { keyring: wrapped } })
  const close = async (): Promise<void> => {
    await w.close()
    await keyring.close()
  }
  return { ...w, close, status }
}

/** Requests that need it. */
const requests = (walletId: string, signWith: string): readonly (readonly [path: string, parameters: Members])[] => {
  const form = { signWith, encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }
  return [
    ['create_wallet', { walletName: 'another', accounts: [account()] }],
    ['create_wallet_accounts', { walletId, accounts: [account({ path: 'm/1' })] }],
    ['create_private_keys', { privateKeys: [privateKey('another')] }],
    ['sign_raw_payload', { ...form, payload: 'aa' }],
    ['sign_raw_payloads', { ...form, payloads: ['aa'] }],
  ]
}

it('is asked for by what needs one, and by nothing else: without one, that is not supported', async () => {
  const w = await world({ ports: { keyring: undefined } })
  for (const [path, parameters] of requests(w.organizationId, 'nothing'))
    await assertRefused(w, () => w.submit(w.root, path, parameters), [
      'UNSUPPORTED',
      `${path} is not supported by this server: it has no ports.keyring`,
    ])
  assert.equal(await listed(w, 'list_wallets', 'wallets'), [])
  await w.done(w.root, 'create_private_key_tag', { privateKeyTagName: 'hot', privateKeyIds: [] })
  await w.close()
})

it('may be away for a while: the request is answered with 503, and nothing is stored', async () => {
  const w = await withKeyring()
  const { walletId, addresses } = await makeWallet(w, 'savings', account())
  for (const [path, parameters] of requests(walletId, addresses[0] ?? '')) {
    w.status.isAway = true
    await assertRefused(w, () => w.submit(w.root, path, parameters), ['UNAVAILABLE', 'the keystore does not answer'])
    w.status.isAway = false
    await w.done(w.root, path, parameters)
  }
  assert.is(failureCodes.UNAVAILABLE.http, 503)
  await w.close()
})

it('is not asked for what is refused, or waits for a vote; a vote that needs it in vain is not stored', async () => {
  const w = await withKeyring()
  const { addresses } = await makeWallet(w, 'savings', account())
  await makeKeys(w, privateKey('one'))
  const [{ publicKey = '' } = {}] = await listed(w, 'list_wallet_accounts', 'accounts')
  const ada = await w.enrol('ada')
  const { calls } = w.status
  await sign(w, 'nothing')
  await sign(w, addresses[0] ?? '', { hashFunction: 'HASH_FUNCTION_NO_OP' })
  await sign(w, addresses[0] ?? '', {}, ada)
  await w.submit(w.root, 'create_private_keys', { privateKeys: [privateKey('two'), privateKey('one')] })
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const asked = right(await sign(w, addresses[0] ?? ''))
  assert.is(asked.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(w.status.calls, calls)

  w.status.isAway = true
  await assertRefused(w, () => w.approve(ada, asked), ['UNAVAILABLE', 'the keystore does not answer'])
  const { activity } = await w.answer(w.root, 'get_activity', { activityId: asked.id })
  assert.is((activity as typeof asked).votes.length, 1) // as the query defines it
  w.status.isAway = false
  const { status, result } = right(await w.approve(ada, asked))
  assert.is(status, 'ACTIVITY_STATUS_COMPLETED')
  assert.ok(isSigned(result['signRawPayloadResult'] as Parameters<typeof isSigned>[0], publicKey)) // as defined
  await w.close()
})

it.run()
