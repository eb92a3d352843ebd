import { p256 } from '@noble/curves/nist.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { boundAad, decryptWith } from '../../../adapters/keyring/hpke.ts'
import { newKey } from '../../../adapters/keyring/keystore-keys.ts'
import { nodeKeyring } from '../../../adapters/keyring/node-keyring.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { decodeHex } from '../../../core/bytes.ts'
import { failure } from '../../../core/failure.ts'
import { keyCurves, type KeyCurve } from '../../../core/keys/curve.ts'
import { deriveAt, rootOf } from '../../../core/keys/derive.ts'
import { seedOf } from '../../../adapters/keyring/seed.ts'
import { englishOf } from '../../../core/keys/mnemonic.ts'
import { parsePath } from '../../../core/keys/path.ts'
import { newPrivateKey, publicKeyOf, randomBytesOf } from '../../../core/keys/public-key.ts'
import { verify, type SigningScheme } from '../../../core/keys/signing.ts'
import type { KeyPath } from '../../../core/ports/keyring.ts'
import type { SealedRows } from '../../../core/ports/sealed-rows.ts'
import { TE } from '../../../core/prelude.ts'
import {
  failureOf,
  keyringOn,
  keystoreWith,
  knownBytes,
  place,
  sealedInMemory,
  withKeyring,
} from './keyring-under-test.ts'

const it = suite('node keyring')

/** Most tests share one keyring, each with a place of its own: to start a thread takes a second. */
const sealed = sealedInMemory()
const keyring = keyringOn(sealed)
it.after(keyring.close)
const at = (keyId: string) => ({ ...place, keyId })
const paths = ["m/44'/60'/0'/0/0", "m/44'/60'/0'/0/1", "m/44'/501'/0'", 'm']
const digest = '5a'.repeat(32)
const schemes: readonly (readonly [KeyCurve, SigningScheme])[] = [
  ['CURVE_SECP256K1', 'ecdsa'],
  ['CURVE_SECP256K1', 'schnorr'],
  ['CURVE_P256', 'ecdsa'],
  ['CURVE_ED25519', 'eddsa'],
]

const expectedOf = (entropy: Uint8Array, { curve, path = '' }: KeyPath): string => {
  const read = parsePath(path)
  if (read === undefined) throw new Error('expected a path')
  return publicKeyOf(curve, deriveAt(rootOf(seedOf(englishOf(entropy)), curve), read).privateKey)
}

it('gives the keys that the entropy has, and signs with them', async () => {
  const own = at('signs')
  await right(keyring.makeSeed(own, 24))
  const of = keyCurves.flatMap((curve) => paths.map((path) => ({ curve, path })))
  const expected = of.map((path) => expectedOf(knownBytes('a seed of tests')(32), path))
  assert.equal(await right(keyring.publicKeys(own, of)), expected)
  for (const [curve, scheme] of schemes) {
    const path = { curve, path: paths[0] }
    const [publicKey = ''] = await right(keyring.publicKeys(own, [path]))
    const messages = [digest, '07'.repeat(32)]
    const signatures = await right(keyring.sign(own, path, scheme, messages))
    assert.is(signatures.length, 2)
    for (const [index, signature] of signatures.entries())
      assert.ok(verify(scheme, curve, publicKey, decodeHex(messages[index] ?? '') ?? new Uint8Array(), signature))
  }
})

it('makes seeds of every length that a mnemonic has, and of no other one', async () => {
  const none = at('none')
  const path = { curve: 'CURVE_ED25519', path: 'm' } as const
  for (const [words, bytes] of [
    [12, 16],
    [15, 20],
    [18, 24],
    [21, 28],
    [24, 32],
  ] as const) {
    const own = at(String(words))
    await right(keyring.makeSeed(own, words))
    assert.equal(await right(keyring.publicKeys(own, [path])), [expectedOf(knownBytes('a seed of tests')(bytes), path)])
  }
  await failsWith('REQUEST_INVALID', keyring.makeSeed(none, 13))
  await failsWith('KEY_MISSING', keyring.publicKeys(none, [path]))
})

it('makes private keys, which are of one curve and have no path', async () => {
  for (const curve of keyCurves) {
    const own = at(curve)
    await right(keyring.makeKey(own, curve))
    const expected = publicKeyOf(curve, newPrivateKey(curve, knownBytes('a seed of tests')(randomBytesOf(curve))))
    assert.equal(await right(keyring.publicKeys(own, [{ curve }])), [expected])
    const other = curve === 'CURVE_P256' ? 'CURVE_SECP256K1' : 'CURVE_P256'
    for (const wrong of [{ curve: other }, { curve, path: 'm' }] as const)
      await failsWith('INTERNAL', keyring.publicKeys(own, [wrong]))
  }
})

it('issues keys that only their client opens, and keeps none', async () => {
  const rows = await right(sealed.list(undefined, 100))
  const { secretKey, publicKey } = p256.keygen()
  const target = p256.Point.fromBytes(publicKey)
  for (const to of [target.toHex(true), target.toHex(false)]) {
    const issued = await right(keyring.issueKey(to))
    const plain = await decryptWith(secretKey, target.toBytes(false), issued.encrypted)
    assert.is(publicKeyOf('CURVE_P256', plain ?? new Uint8Array()), issued.publicKey)
    assert.is(await decryptWith(p256.keygen().secretKey, target.toBytes(false), issued.encrypted), undefined)
  }
  const offCurve = `02${'ff'.repeat(32)}`
  const message = 'a key could not be encrypted to the key of a client'
  assert.equal(await failureOf(keyring.issueKey(offCurve)), { code: 'INTERNAL', message })
  assert.equal(await right(sealed.list(undefined, 100)), rows)
})

it('binds a key to a text and to its public half, which whoever opens it has to know', async () => {
  const { secretKey, publicKey } = p256.keygen()
  const target = p256.Point.fromBytes(publicKey)
  const point = target.toBytes(false)
  const issued = await right(keyring.issueKey(target.toHex(true), 'an organization'))
  const open = (boundTo: string, half: string): Promise<Uint8Array | undefined> => {
    const aad = (encapped: Uint8Array) => boundAad(encapped, point, boundTo, half)
    return decryptWith(secretKey, point, issued.encrypted, { aad })
  }
  const plain = await open('an organization', issued.publicKey)
  assert.is(publicKeyOf('CURVE_P256', plain ?? new Uint8Array()), issued.publicKey)
  assert.is(await open('another', issued.publicKey), undefined)
  assert.is(await open('an organization', target.toHex(true)), undefined)
  assert.is(await decryptWith(secretKey, point, issued.encrypted), undefined)
  const { encrypted } = await right(keyring.issueKey(target.toHex(true), ''))
  assert.is(await decryptWith(secretKey, point, encrypted), undefined, 'it is bound to the empty text, too')
})

it('refuses what does not fit a key, and repeats nothing of it', async () => {
  const own = at('refuses')
  await right(keyring.makeSeed(own, 12))
  const path = { curve: 'CURVE_SECP256K1', path: 'm/0' } as const
  const wrong = [
    keyring.publicKeys(own, [{ curve: 'CURVE_SECP256K1' }]),
    keyring.publicKeys(own, [{ curve: 'CURVE_SECP256K1', path: 'm/secret' }]),
    keyring.sign(own, path, 'eddsa', [digest]),
    keyring.sign(own, path, 'ecdsa', ['5a']),
    keyring.sign(own, path, 'ecdsa', ['not hex']),
  ]
  const message = 'a key cannot be used so: curve, path, scheme or message do not fit it'
  for (const task of wrong) assert.equal(await failureOf(task), { code: 'INTERNAL', message })
  assert.is((await right(keyring.sign(own, path, 'ecdsa', [digest]))).length, 1)
})

it('makes one seed where two keyrings make it at once', async () => {
  const sealed = sealedInMemory()
  const keystore = keystoreWith(newKey())
  const path = { curve: 'CURVE_ED25519', path: 'm' } as const
  await withKeyring(keyringOn(sealed, keystore, 'one'), (one) =>
    withKeyring(keyringOn(sealed, keystore, 'two'), async (two) => {
      await Promise.all([right(one.makeSeed(place, 12)), right(two.makeSeed(place, 12))])
      const keys = await Promise.all([one, two].map((keyring) => right(keyring.publicKeys(place, [path]))))
      assert.equal(keys[0], keys[1])
    }),
  )
})

it('has no key any more as soon as any process has deleted it, and makes it never again', async () => {
  const own = at('deleted')
  const path = { curve: 'CURVE_SECP256K1', path: 'm/0' } as const
  await failsWith('KEY_MISSING', keyring.publicKeys(own, [path]))
  await right(keyring.makeSeed(own, 12))
  await right(keyring.sign(own, path, 'ecdsa', [digest]))
  await right(sealed.delete({ organization: own.organizationId, id: own.keyId }))
  await failsWith('KEY_MISSING', keyring.sign(own, path, 'ecdsa', [digest]))
  await failsWith('KEY_MISSING', keyring.makeSeed(own, 12))
  await failsWith('KEY_MISSING', keyring.makeKey(own, 'CURVE_P256'))
})

it('uses no row that was moved or changed', async () => {
  const own = at('moved')
  await right(keyring.makeSeed(own, 12))
  const original = await right(sealed.get({ organization: own.organizationId, id: own.keyId }))
  if (original === undefined) throw new Error('expected a row')
  const path = { curve: 'CURVE_SECP256K1', path: 'm/0' } as const
  const moved = [
    { ...original, organization: 'another' },
    { ...original, id: 'another' },
    { ...original, organization: 'a third', id: 'a third', kind: 'private-key' },
    { ...original, id: 'changed', bytes: original.bytes.map((byte) => byte ^ 1) },
  ]
  for (const one of moved) {
    await right(sealed.put(one))
    const where = { organizationId: one.organization, keyId: one.id }
    await failsWith('STORE_UNREADABLE', keyring.publicKeys(where, [path]))
  }
})

it('tells at the start whether the keystore is the one of the store', async () => {
  const sealed = sealedInMemory()
  const key = newKey()
  await right(sealed.delete({ organization: 'a', id: 'gone' })) // stands before the row
  await withKeyring(keyringOn(sealed, keystoreWith(key)), async (keyring) => {
    await right(keyring.check)
    await right(keyring.makeSeed(place, 12))
    await right(keyring.check)
  })
  await withKeyring(keyringOn(sealed), async (keyring) => {
    const message = `the keystore does not open the keys of this store: the keystore has not the key ${key.id}`
    assert.equal(await failureOf(keyring.check), { code: 'CONFIGURATION_INVALID', message })
    await failsWith('CONFIGURATION_INVALID', keyring.publicKeys(place, [{ curve: 'CURVE_P256', path: 'm' }]))
  })
})

it('asks the keystore again after it did not answer, and passes on nothing that it throws', async () => {
  const sealed = sealedInMemory()
  const own = keystoreWith(newKey())
  let state: 'away' | 'broken' | 'there' = 'away'
  const keystore = {
    ...own,
    wrap: (dataKey: Uint8Array) => {
      if (state === 'broken') throw new Error(`secret ${String(dataKey)}`)
      return state === 'away' ? TE.left(failure('UNAVAILABLE', 'the keystore is away')) : own.wrap(dataKey)
    },
  }
  await withKeyring(nodeKeyring({ sealed, keystore }), async (keyring) => {
    await failsWith('UNAVAILABLE', keyring.makeSeed(place, 12))
    state = 'broken'
    const { code, message } = await failureOf(keyring.makeSeed(place, 12))
    assert.equal([code, message.includes('secret')], ['INTERNAL', false])
    state = 'there'
    await right(keyring.makeSeed(place, 12))
  })
})

it('reads the store each time, and takes nothing more when it is closed', async () => {
  const inMemory = sealedInMemory()
  let reads = 0
  const get: SealedRows['get'] = (at) => {
    reads += 1
    return inMemory.get(at)
  }
  const sealed: SealedRows = { ...inMemory, get }
  const keyring = keyringOn(sealed)
  const path = { curve: 'CURVE_P256', path: 'm/0' } as const
  await right(keyring.makeSeed(place, 12))
  for (let n = 0; n < 3; n += 1) await right(keyring.publicKeys(place, [path]))
  assert.is(reads, 3)
  const last = keyring.publicKeys(place, [path])()
  await last
  await Promise.all([keyring.close(), keyring.close()])
  await failsWith('UNAVAILABLE', keyring.publicKeys(place, [path]))
})

it.run()
