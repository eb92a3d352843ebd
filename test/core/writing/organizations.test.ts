import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { codeOf, right, stamped, world, type World } from '../../world.ts'
import { faultyStore, held, quiet } from '../command/faulty-store.ts'
import { secondProcess } from '../command/second-process.ts'

const it = suite('organizations in memory')

/** A storage whose reads of a head can be made to wait; what they say is what stands there when they are let go. */
const withHeldHeads = (inner: Storage) => {
  let gate: Promise<void> | undefined
  let letGo = (): void => undefined
  let reads = 0
  return {
    storage: {
      ...inner,
      store: {
        ...inner.store,
        head: (organization: string) => async () => {
          reads += 1
          await gate
          return inner.store.head(organization)()
        },
      },
    },
    reads: () => reads,
    hold: (): void => {
      gate = new Promise((resolve) => (letGo = resolve))
    },
    letGo: (): void => {
      gate = undefined
      letGo()
    },
  }
}

/** Two processes on one store: what the first one reads and writes can be held back. */
const twoProcesses = async () => {
  const store = faultyStore({ isShared: true })
  const heads = withHeldHeads(store)
  const w = await world({ store: heads.storage })
  const other = await secondProcess({ storage: faultyStore({ isShared: true, inner: store }), clock: w.clock })
  const elsewhere = async (path: string, parameters: Parameters<World['body']>[1]) =>
    right(await other.submit(path, stamped(w.root, w.body(path, parameters)))())
  return { ...w, store, heads, other, elsewhere }
}

const tag = (userTagName: string) => ({ userTagName, userIds: [] })

it('do not refuse whom another process has enrolled because of a commit that is under way here', async () => {
  const { heads, store, elsewhere, ask, submit, root, clock, close } = await twoProcesses()
  const key = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const ada = { userName: 'ada', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
  await elsewhere('create_users', { users: [ada] })
  heads.hold()
  const asked = ask({ key }, 'whoami') // refused, if nobody has appended meanwhile
  await quiet()
  const gate = held()
  store.plan(gate.fault)
  const created = submit(root, 'create_user_tag', tag('ops')) // pending at the sequences that the other process has taken
  await gate.begun
  heads.letGo()
  await quiet()
  gate.letGo()
  assert.is(codeOf(await asked), 'no failure')
  assert.is(right(await created).status, 'ACTIVITY_STATUS_COMPLETED')
  clock.pass(1)
  await close()
})

it('read the head of a log once for all queries that came before the read began', async () => {
  const { heads, answer, root, close } = await twoProcesses()
  heads.hold()
  const before = heads.reads()
  const first = answer(root, 'whoami')
  await quiet()
  const later = Array.from({ length: 30 }, () => answer(root, 'whoami'))
  await quiet()
  assert.is(heads.reads() - before, 1)
  heads.letGo()
  await Promise.all([first, ...later])
  assert.is(heads.reads() - before, 2)
  await close()
})

it.run()
