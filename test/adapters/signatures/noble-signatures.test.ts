import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { nobleSignatures } from '../../../adapters/signatures/noble-signatures.ts'
import { generateKey, stamp } from '../../../adapters/signatures/signer.ts'
import type { Signatures } from '../../../core/ports/signatures.ts'
import { verdict } from './verifiers.ts'

const it = suite('noble signatures')

const CURVE = 'API_KEY_CURVE_SECP256K1'
const key = generateKey(CURVE)

const isValid = (signatures: Signatures, body: Uint8Array): Promise<boolean> =>
  verdict(signatures, stamp(key, body, { eip191: true }), body, CURVE)

it('breathes at least once for each 32 KiB of a message that it hashes', async () => {
  let breaths = 0
  const signatures = nobleSignatures({ breathe: async () => void (breaths += 1) })
  assert.ok(await isValid(signatures, new Uint8Array(1024 * 1024)))
  assert.ok(breaths >= 31, `${breaths} breaths`)
})

it('hashes one message after the other', async () => {
  let [inside, most] = [0, 0]
  const breathe = async (): Promise<void> => {
    inside += 1
    most = Math.max(most, inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside -= 1
  }
  const signatures = nobleSignatures({ breathe })
  const bodies = [1, 2, 3].map((byte) => new Uint8Array(200_000).fill(byte))
  const verdicts = await Promise.all(bodies.map((body) => isValid(signatures, body)))
  assert.equal(verdicts, [true, true, true])
  assert.is(most, 1)
})

it('verifies long messages with its own timer, too', async () => {
  assert.ok(await isValid(nobleSignatures(), new Uint8Array(100_000)))
})

it('hashes pieces as Node does, of whatever lengths they are, also if they are changed afterwards', () =>
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (pieces) => {
      const [ours, nodes] = [nobleSignatures().sha256Stream(), nodeDigest().sha256Stream()]
      for (const piece of pieces) {
        ours.update(piece)
        nodes.update(piece)
        piece.fill(0)
      }
      assert.equal([...ours.digest()], [...nodes.digest()])
    }),
  ))

it.run()
