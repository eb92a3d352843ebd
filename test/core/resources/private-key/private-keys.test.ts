import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { world, type World } from '../../world/world.ts'
import { NOBODY } from '../example.ts'
import {
  assertRefused,
  isSigned,
  listed,
  makeKeys,
  privateKey,
  sealedIn,
  sign,
  signature,
  type Members,
} from '../wallet/wallet-world.ts'

const it = suite('private keys and their tags')

const INVALID = 'REQUEST_INVALID'
const COMPRESSED = 'ADDRESS_FORMAT_COMPRESSED'

const submitted = (w: World, ...privateKeys: readonly Members[]) =>
  w.submit(w.root, 'create_private_keys', { privateKeys })
const makeTag = (w: World, privateKeyTagName: string, privateKeyIds: readonly string[] = []) =>
  w.submit(w.root, 'create_private_key_tag', { privateKeyTagName, privateKeyIds })
const tagIds = async (w: World) =>
  (await listed(w, 'list_private_key_tags', 'privateKeyTags')).map(({ tagId = '' }) => tagId)

it('refuse what does not fit, with the place, and store nothing', async () => {
  const w = await world()
  await makeKeys(w, privateKey('one'))
  const cases: readonly (readonly [Members, string])[] = [
    [privateKey('two', { curve: 'CURVE_P256' }), 'addressFormats'],
    [privateKey('two', { curve: 'CURVE_ED25519' }), 'addressFormats'],
    [privateKey('two', { addressFormats: ['ADDRESS_FORMAT_SOLANA'] }), 'addressFormats'],
    [privateKey('two', { addressFormats: [COMPRESSED, COMPRESSED] }), 'addressFormats'],
    [privateKey('two', { addressFormats: ['ADDRESS_FORMAT_CARDANO'] }), 'addressFormats.0'],
    [privateKey('two', { curve: 'CURVE_BLS12381' }), 'curve'],
    [privateKey('two', { privateKeyTags: ['hot'] }), 'privateKeyTags.0'],
    [privateKey('one'), 'privateKeyName'],
    [privateKey('other'), 'privateKeyName'],
    [privateKey(''), 'privateKeyName'],
  ]
  for (const [wrong, member] of cases)
    await assertRefused(w, () => submitted(w, privateKey('other'), wrong), [INVALID, `privateKeys.1.${member}`])
  await assertRefused(w, () => submitted(w), [INVALID, 'privateKeys'])
  await assertRefused(w, () => submitted(w, privateKey('two', { privateKeyTags: [NOBODY] })), [
    'RESOURCE_NOT_FOUND',
    `unable to find private key tag ${NOBODY} in organization ${w.organizationId}`,
  ])
  await w.close()
})

it('stay below the quota of keys and of tags, and below a hundred keys a request', async () => {
  const w = await world({ limits: { privateKeys: 2, privateKeyTags: 1 } })
  const quota = (most: string) => [
    'RESOURCE_EXHAUSTED',
    `this organization cannot execute activities because it is over its allotted quota: at most ${most}`,
  ]
  const three = ['one', 'two', 'three'].map((name) => privateKey(name))
  await assertRefused(w, () => submitted(w, ...three), quota('2 private keys'))
  await makeKeys(w, ...three.slice(1))
  await assertRefused(w, () => submitted(w, privateKey('four')), quota('2 private keys'))
  await makeTag(w, 'hot')
  await assertRefused(w, () => makeTag(w, 'cold'), quota('1 private key tags'))
  await w.close()
  const roomy = await world()
  const many = Array.from({ length: 101 }, (_, index) => privateKey(`key ${index}`))
  await assertRefused(roomy, () => submitted(roomy, ...many), [INVALID, 'privateKeys'])
  await roomy.close()
})

it('are signed with in each curve, by id, address and public key', async () => {
  const w = await world()
  const keys = await makeKeys(
    w,
    privateKey('one', { addressFormats: [COMPRESSED] }),
    privateKey('two', { curve: 'CURVE_P256', addressFormats: [COMPRESSED, 'ADDRESS_FORMAT_UNCOMPRESSED'] }),
    privateKey('three', { curve: 'CURVE_ED25519', addressFormats: [COMPRESSED, 'ADDRESS_FORMAT_SOLANA'] }),
  )
  const shown = await listed(w, 'list_private_keys', 'privateKeys')
  for (const [index, curve] of (['CURVE_SECP256K1', 'CURVE_P256', 'CURVE_ED25519'] as const).entries()) {
    const { privateKeyId = '', addresses = [] } = keys[index] ?? {}
    const isEd25519 = curve === 'CURVE_ED25519'
    const form = isEd25519
      ? { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }
      : {}
    const publicKey = shown[index]?.['publicKey'] ?? ''
    for (const name of [privateKeyId, publicKey, ...addresses.map(({ address }) => address)]) {
      const parts = await signature(w, name, form)
      assert.ok(isSigned(parts, addresses[0]?.address ?? '', isEd25519 ? 'eddsa' : 'ecdsa', curve), name)
    }
  }
  const older = { privateKeyId: keys[0]?.privateKeyId ?? '', payload: 'aa', encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' }
  const { result } = await w.done(
    w.root,
    'sign_raw_payload',
    { ...older, hashFunction: 'HASH_FUNCTION_SHA256' },
    { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD' },
  )
  assert.equal(result['signRawPayloadResult'], await signature(w, older.privateKeyId))
  await w.close()
})

it('sign nothing once they are disabled, and are not disabled twice', async () => {
  const w = await world()
  const [key] = await makeKeys(w, privateKey('one'))
  const { privateKeyId = '', addresses = [] } = key ?? {}
  await w.done(w.root, 'disable_private_key', { privateKeyId })
  for (const name of [privateKeyId, addresses[0]?.address ?? ''])
    await assertRefused(w, () => sign(w, name), [INVALID, 'signWith'])
  await assertRefused(w, () => w.submit(w.root, 'disable_private_key', { privateKeyId }), [INVALID, 'privateKeyId'])
  assert.is((await listed(w, 'list_private_keys', 'privateKeys')).length, 1)
  await w.close()
})

it('are deleted with their secret, only if they need not be exported', async () => {
  const w = await world()
  const [one, two] = await makeKeys(w, privateKey('one'), privateKey('two'))
  const privateKeyIds = [one?.privateKeyId ?? '']
  const remove = (more: Members) => w.submit(w.root, 'delete_private_keys', { privateKeyIds, ...more })
  await assertRefused(w, () => remove({}), ['WALLET_ACCOUNT_NOT_EXPORTED', 'private key has not been exported'])
  await remove({ deleteWithoutExport: true })
  const left = (await sealedIn(w.storage)).filter((row) => !('isGone' in row))
  assert.equal(left.map(({ id }) => id), [two?.privateKeyId]) // prettier-ignore
  await assertRefused(w, () => sign(w, one?.addresses[0]?.address ?? ''), [
    'RESOURCE_NOT_FOUND',
    'Could not find any resource to sign with.',
  ])
  await makeKeys(w, privateKey('one'))
  await w.close()
})

it('have tags, whose names are unique, until the tag or the key is deleted', async () => {
  const w = await world()
  const [one, two] = (await makeKeys(w, privateKey('one'), privateKey('two'))).map(({ privateKeyId }) => privateKeyId)
  await makeTag(w, 'hot', [one ?? ''])
  await makeTag(w, 'cold')
  const [hot = '', cold = ''] = await tagIds(w)
  const tagsOf = async () =>
    (await listed(w, 'list_private_keys', 'privateKeys')).map(({ privateKeyTags }) => privateKeyTags)
  assert.equal(await tagsOf(), [[hot], []])
  const update = (more: Members) =>
    w.submit(w.root, 'update_private_key_tag', {
      privateKeyTagId: hot,
      addPrivateKeyIds: [],
      removePrivateKeyIds: [],
      ...more,
    })
  await assertRefused(w, () => makeTag(w, 'hot'), [INVALID, 'privateKeyTagName'])
  await assertRefused(w, () => update({ newPrivateKeyTagName: 'cold' }), [INVALID, 'newPrivateKeyTagName'])
  const both = { addPrivateKeyIds: [two ?? ''], removePrivateKeyIds: [two ?? ''] }
  assert.is(await update(both).then(({ _tag }) => _tag), 'Left')
  await update({ addPrivateKeyIds: [two ?? ''], removePrivateKeyIds: [one ?? ''], newPrivateKeyTagName: 'warm' })
  assert.equal(await tagsOf(), [[], [hot]])
  await makeKeys(w, privateKey('three', { privateKeyTags: [hot, cold] }))
  await w.done(w.root, 'delete_private_key_tags', { privateKeyTagIds: [hot] })
  assert.equal(await tagsOf(), [[], [], [cold]])
  await makeTag(w, 'warm')
  await w.close()
})

it.run()
