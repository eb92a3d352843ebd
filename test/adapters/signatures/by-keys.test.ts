import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { byKeys } from '../../../adapters/signatures/by-keys.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import type { SignatureClaim } from '../../../core/ports/signatures.ts'

const it = suite('signatures by keys')

const claimOf = (publicKey: string): SignatureClaim => ({
  scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  publicKey,
  signature: new Uint8Array(),
  message: new Uint8Array(),
})

/** Verifies what it is asked for in the same moment, as the thread pool can. */
const signatures = (isValid = true) => {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const verify = ({ publicKey }: SignatureClaim): Promise<boolean> => {
    asked.push(publicKey)
    return new Promise((resolve) => waiting.push(() => resolve(isValid)))
  }
  const handBack = (): void => waiting.splice(0).forEach((resolve) => resolve())
  return { ...byKeys({ ...nodeSignatures(), verify }), asked, handBack }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('are verified 64 at once, those of each key in turn', async () => {
  const { verify, asked, handBack } = signatures()
  const all = [...Array.from({ length: 200 }, () => 'noisy'), 'quiet'].map((key) => verify(claimOf(key)))
  await turn()
  assert.is(asked.length, 64)
  assert.not.ok(asked.includes('quiet'))
  handBack()
  await turn()
  assert.ok(asked.slice(64, 67).includes('quiet'))
  while (asked.length < 201) {
    handBack()
    await turn()
  }
  handBack()
  assert.ok((await Promise.all(all)).every((isValid) => isValid))
})

it('of RSA take their turns in the same queue', async () => {
  const { verify, verifyRsa, asked, handBack } = signatures()
  const all = Array.from({ length: 64 }, () => verify(claimOf('noisy')))
  await turn()
  assert.is(asked.length, 64)
  const none = new Uint8Array()
  const rsa = verifyRsa({ modulus: none, exponent: none, signature: none, message: none })
  let isAnswered = false
  void rsa.then(() => (isAnswered = true))
  await turn()
  assert.not.ok(isAnswered)
  handBack()
  assert.is(await rsa, false)
  await Promise.all(all)
})

it('are refused as they were', async () => {
  const { verify, handBack } = signatures(false)
  const refused = verify(claimOf('wrong'))
  await turn()
  handBack()
  assert.is(await refused, false)
})

it.run()
