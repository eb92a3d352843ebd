import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeOf, world } from '../../world/world.ts'
import { account, listed, makeWallet, privateKey, sealedIn } from './wallet-world.ts'

const it = suite('wallets and private keys that are made at once')

it('keep names, quotas and accounts apart, as if one came after the other', async () => {
  const w = await world({ limits: { privateKeys: 2 } })
  const { walletId } = await makeWallet(w, 'savings')
  const outcomes = async (path: string, parameters: readonly Parameters<typeof w.submit>[2][]) =>
    (await Promise.all(parameters.map((one) => w.submit(w.root, path, one)))).map(codeOf).toSorted()
  const DONE = 'no failure'

  const twice = { walletName: 'spending', accounts: [account({ name: 'first' })] }
  assert.equal(await outcomes('create_wallet', [twice, twice]), ['REQUEST_INVALID', DONE])
  const named = ['one', 'two'].map((walletName) => ({ walletName, accounts: [account({ name: 'second' })] }))
  assert.equal(await outcomes('create_wallet', named), ['REQUEST_INVALID', DONE])
  const keys = ['one', 'two', 'three'].map((name) => ({ privateKeys: [privateKey(name)] }))
  assert.equal(await outcomes('create_private_keys', keys), ['RESOURCE_EXHAUSTED', DONE, DONE])
  const added = { walletId, accounts: [account()] }
  assert.equal(await outcomes('create_wallet_accounts', [added, added, added]), [
    'ALREADY_EXISTS',
    'ALREADY_EXISTS',
    DONE,
  ])

  const names = (await listed(w, 'list_wallets', 'wallets')).map(({ walletName }) => walletName)
  assert.is(new Set(names).size, 3)
  assert.is((await listed(w, 'list_private_keys', 'privateKeys')).length, 2)
  assert.ok((await sealedIn(w.storage)).length >= 5, 'a secret for each, at least')
  await w.close()
})

it('are one where the same body comes several times', async () => {
  const w = await world()
  const body = w.body('create_wallet', { walletName: 'savings', accounts: [account()] })
  const answers = await Promise.all(Array.from({ length: 4 }, () => w.send(w.root, 'create_wallet', body)))
  assert.equal(answers.map(codeOf), Array(4).fill('no failure')) // prettier-ignore
  assert.is(new Set(answers.map((one) => one._tag === 'Right' && JSON.stringify(one.right.result))).size, 1)
  assert.is((await listed(w, 'list_wallets', 'wallets')).length, 1)
  assert.is((await sealedIn(w.storage)).length, 1)
  await w.close()
})

it.run()
