import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { generateKey, stamper } from '../../../adapters/signatures/signer.ts'
import { encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import { verdict } from './verifiers.ts'

const it = suite('node signatures')

const body = encodeUtf8('{}')
const CURVE = 'API_KEY_CURVE_P256'

it('verifies under more keys than it keeps', async () => {
  const signatures = nodeSignatures({ keysMax: 2 })
  const stampers = Array.from({ length: 5 }, () => stamper(generateKey(CURVE)))
  for (let round = 0; round < 3; round++)
    for (const stampOf of stampers) assert.ok(await verdict(signatures, stampOf(body), body, CURVE))
})

it('verifies many stamps at once', async () => {
  const signatures = nodeSignatures()
  const stampOf = stamper(generateKey(CURVE))
  const bodies = Array.from({ length: 64 }, (_, n) => encodeUtf8(`{"n":${n}}`))
  const verdicts = await Promise.all(bodies.map((each) => verdict(signatures, stampOf(each), each, CURVE)))
  assert.ok(verdicts.every((isValid) => isValid))
})

it('takes the same key for two curves apart', async () => {
  const signatures = nodeSignatures()
  const key = generateKey(CURVE)
  assert.ok(await verdict(signatures, stamper(key)(body), body, CURVE))
  const claimed = { publicKey: key.publicKey, signature: new Uint8Array(0), message: body }
  assert.not.ok(await signatures.verify({ ...claimed, scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1' }))
})

it('hashes to plain bytes of the caller', () => {
  const hash = nodeSignatures().sha256(encodeUtf8('abc'))
  assert.is(encodeHex(hash), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.is(Object.getPrototypeOf(hash), Uint8Array.prototype)
})

it.run()
