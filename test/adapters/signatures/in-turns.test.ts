import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inTurns } from '../../../adapters/signatures/in-turns.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import type { SignatureClaim } from '../../../core/ports/signatures.ts'

const it = suite('requests in turns')

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
  return { ...inTurns({ ...nodeSignatures(), verify }), asked, handBack }
}

const busy = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('lets the event loop turn between those that take long', async () => {
  const { verify, handBack } = signatures()
  const order: string[] = []
  const work = ['a', 'b', 'c', 'd'].map(async (name) => {
    await verify(claimOf(name))
    order.push(name)
    busy(15)
  })
  await turn()
  handBack()
  for (let n = 0; n < 8; n += 1) {
    await turn()
    order.push('-')
  }
  await Promise.all(work)
  assert.match(order.join(''), /^a-+b-+c-+d-*$/)
})

it('prefers the key that has used the least time', async () => {
  const { verify, handBack } = signatures()
  const order: string[] = []
  const ask = async (key: string, ms: number): Promise<void> => {
    await verify(claimOf(key))
    order.push(key)
    busy(ms)
  }
  const all = [
    ...Array.from({ length: 6 }, () => ask('heavy', 15)),
    ...Array.from({ length: 20 }, () => ask('light', 0)),
  ]
  await turn()
  handBack()
  await Promise.all(all)
  assert.ok(order.lastIndexOf('light') < order.indexOf('heavy', order.indexOf('heavy', 1) + 1), order.join())
})

it('verifies at most 64 at once, and those of each key in turn', async () => {
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
  await Promise.all(all)
})

it('refuses at once, and forgets who was refused', async () => {
  const { verify, handBack } = signatures(false)
  const refused = verify(claimOf('wrong'))
  await turn()
  busy(15)
  handBack()
  assert.is(await refused, false)
})

it.run()
