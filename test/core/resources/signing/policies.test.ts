import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeOf, world } from '../../world/world.ts'
import { account, makeKeys, makeWallet, privateKey, sign, type Members } from '../wallet/wallet-world.ts'

const it = suite('policies on wallets and private keys')

const HELD = 'REQUEST_NOT_AUTHORIZED'
const DONE = 'no failure'

it('decide by what is to be signed, and with what', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const savings = await makeWallet(w, 'savings', account(), account({ path: "m/44'/60'/0'/0/7" }))
  const spending = await makeWallet(w, 'spending', account())
  const made = await w.done(w.root, 'create_private_key_tag', { privateKeyTagName: 'hot', privateKeyIds: [] })
  const { privateKeyTagId } = made.result['createPrivateKeyTagResult'] as { readonly privateKeyTagId: string } // as defined
  const [hot, cold] = await makeKeys(w, privateKey('hot', { privateKeyTags: [privateKeyTagId] }), privateKey('cold'))
  const [first = '', seventh = ''] = savings.addresses
  const keccak = { hashFunction: 'HASH_FUNCTION_KECCAK256' }

  const cases: readonly (readonly [
    condition: string,
    allowed: readonly [string, Members?],
    held: readonly [string, Members?],
  ])[] = [
    ["wallet.label == 'savings'", [first], [spending.addresses[0] ?? '']],
    [`wallet.id == '${savings.walletId}'`, [first], [spending.addresses[0] ?? '']],
    [`wallet_account.address == '${first}'`, [first], [seventh]],
    [`wallet_account.address == '${first}'`, [first.toLowerCase()], [seventh]],
    ['wallet_account.path_indexes[4] == 7', [seventh], [first]],
    ['wallet_account.path_hardened[2] && !wallet_account.path_hardened[3]', [first], [hot?.privateKeyId ?? '']],
    [`private_key.tags.contains('${privateKeyTagId}')`, [hot?.privateKeyId ?? ''], [cold?.privateKeyId ?? '']],
    ["private_key.label == 'cold'", [cold?.addresses[0]?.address ?? ''], [hot?.addresses[0]?.address ?? '']],
    ["activity.params.hash_function == 'HASH_FUNCTION_KECCAK256'", [first, keccak], [first]],
    ["activity.params.encoding == 'PAYLOAD_ENCODING_TEXT_UTF8'", [first], [first, hexDigest]],
    ["activity.resource == 'PRIVATE_KEY' && activity.action == 'SIGN'", [first], ['nothing']],
  ]
  for (const [condition, [name, more], [other, otherwise]] of cases) {
    const { result } = await w.done(w.root, 'create_policy', {
      policyName: condition.slice(0, 100),
      effect: 'EFFECT_ALLOW',
      consensus: `approvers.any(user, user.id == '${ada.userId}')`,
      condition,
      notes: '',
    })
    assert.is(codeOf(await sign(w, name, more, ada)), DONE, condition)
    const refused = codeOf(await sign(w, other, otherwise, ada))
    assert.is(refused, other === 'nothing' ? 'RESOURCE_NOT_FOUND' : HELD, condition)
    const { policyId } = result['createPolicyResult'] as { readonly policyId: string } // as defined
    await w.done(w.root, 'delete_policy', { policyId })
  }
  await w.close()
})

const hexDigest = {
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_NO_OP',
  payload: 'ab'.repeat(32),
}

it.run()
