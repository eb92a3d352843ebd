import { randomBytes } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keyThread } from '../../../adapters/keyring/key-thread.ts'
import { sealed } from '../../../adapters/keyring/sealing.ts'
import { privateKeySecret } from '../../../adapters/keyring/secrets.ts'
import { startKeyWorker } from '../../../adapters/keyring/start-key-worker.ts'
import { publicKeyOf } from '../../../core/keys/public-key.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'

const it = suite('the thread of keys')

const dataKey = randomBytes(32)
const row = sealed(
  { key: dataKey, wrapped: 'wrapped' },
  { organization: 'a', id: 'b' },
  'private-key',
  privateKeySecret('CURVE_P256', Buffer.alloc(32, 7)),
)
const of = [{ curve: 'CURVE_P256' }] as const

it('starts when it is first needed, and anew after it has died: what was under way fails', async () => {
  const workers: Worker[] = []
  const thread = keyThread(() => {
    const worker = startKeyWorker()
    workers.push(worker)
    return worker
  })
  assert.is(workers.length, 0)
  const [key] = await right(thread.use({ dataKey, row }, 'publicKeys', { of }))
  const underWay = thread.use({ dataKey, row }, 'publicKeys', { of: Array.from({ length: 1_000 }, () => of[0]) })
  const dying = failsWith('UNAVAILABLE', underWay)
  await workers[0]?.terminate()
  await dying
  assert.equal(await right(thread.use({ dataKey, row }, 'publicKeys', { of })), [key])
  assert.is(workers.length, 2)
  const last = thread.use({ dataKey, row }, 'publicKeys', { of })()
  await thread.close()
  assert.is((await last)._tag, 'Right')
  await failsWith('UNAVAILABLE', thread.use({ dataKey, row }, 'publicKeys', { of }))
  assert.is(workers.length, 2)
})

it('ends what takes several turns of its event loop before it is closed', async () => {
  const thread = keyThread()
  const going = { _tag: 'private-key', key: of[0] } as const
  const to = publicKeyOf('CURVE_P256', Buffer.alloc(32, 8))
  const asked = Array.from({ length: 20 }, () => thread.use({ dataKey, row }, 'encrypt', { going, to })())
  await thread.close()
  assert.ok((await Promise.all(asked)).every(({ _tag }) => _tag === 'Right'))
})

it('leaves the data key of its caller as it is', async () => {
  const thread = keyThread()
  const key = Uint8Array.from(dataKey)
  await right(thread.use({ dataKey: key, row }, 'publicKeys', { of }))
  assert.is(Buffer.compare(key, dataKey), 0)
  await thread.close()
})

it.run()
