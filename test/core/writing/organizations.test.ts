import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { withCounts } from './with-counts.ts'
import { codeOf, genesisBody, right, stamped, world, type World } from '../world/world.ts'
import { after, faultyStore, goesWell, held } from '../command/faulty-store.ts'
import { inTime, quiet } from '../world/under-way.ts'
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

/** A process whose calls of the store are counted, and another one beside it. */
const counted = async () => {
  const store = faultyStore({ isShared: true })
  const counts = withCounts(store)
  const w = await world({ store: counts.storage })
  const other = await secondProcess({ storage: faultyStore({ isShared: true, inner: store }), clock: w.clock })
  const elsewhere = async (path: string, parameters: Parameters<World['body']>[1]) =>
    right(await inTime(w.clock, other.submit(path, stamped(w.root, w.body(path, parameters)))(), 1))
  return { ...w, store, ...counts, elsewhere }
}

it('catch up with other processes with one read, and forget only the activities that these have changed', async () => {
  const { calls, elsewhere, answer, done, root, enrol, submit, close } = await counted()
  const ada = await enrol('ada')
  const consensus = 'approvers.count() >= 2'
  await done(root, 'create_policy', { policyName: 'two', effect: 'EFFECT_ALLOW', consensus, notes: '' })
  const waiting = right(await submit(ada, 'create_user_tag', tag('waiting')))
  const kept = right(await submit(ada, 'create_user_tag', tag('kept')))
  await elsewhere('approve_activity', { fingerprint: waiting.fingerprint })
  calls()
  const listed = (await answer(root, 'list_user_tags')).userTags as readonly unknown[]
  assert.is(listed.length, 1)
  assert.equal(calls(), ['head', 'readLog'])
  await answer(root, 'get_activity', { activityId: kept.id })
  assert.equal(calls(), ['head'], 'it is still in memory')
  const seen = (await answer(root, 'get_activity', { activityId: waiting.id })).activity as { readonly status: string }
  assert.is(seen.status, 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(calls(), ['head', 'readActivity'])
  await close()
})

it('catch up once for all queries that wait for it', async () => {
  const { calls, elsewhere, answer, root, close } = await counted()
  await elsewhere('create_user_tag', tag('theirs'))
  calls()
  await Promise.all(Array.from({ length: 20 }, () => answer(root, 'list_user_tags')))
  assert.is(calls().filter((name) => name === 'readLog').length, 1)
  await close()
})

it('take over what others appended in many pages', async () => {
  const { elsewhere, answer, root, close } = await counted()
  for (let n = 0; n < 600; n += 1) await elsewhere('update_user', { userId: root.userId, userName: `root ${n}` })
  assert.is((await answer(root, 'whoami')).username, 'root 599')
  await close()
})

it('are folded from memory after a refused commit, and not from the stored snapshot', async () => {
  const { calls, elsewhere, submit, store, clock, root, answer, close } = await counted()
  const overtaken = async (userTagName: string) => {
    store.plan(
      after(() => elsewhere('create_user_tag', tag(`before ${userTagName}`))),
      goesWell,
    )
    assert.is(right(await inTime(clock, submit(root, 'create_user_tag', tag(userTagName)), 1)).status, DONE)
  }
  await overtaken('first')
  calls()
  await overtaken('second')
  assert.equal(
    calls().filter((name) => name === 'snapshot'),
    [],
  )
  const names = (await answer(root, 'list_user_tags')).userTags as readonly { readonly tagName: string }[]
  assert.equal(names.map(({ tagName }) => tagName).sort(), ['before first', 'before second', 'first', 'second'])
  await close()
})

const DONE = 'ACTIVITY_STATUS_COMPLETED'

it('are found by whoever asks after they began, even if a read that had begun before is still under way', async () => {
  const { store, root, engine, clock } = await world({ store: faultyStore({ isShared: true }) }).then((w) => ({
    ...w,
    store: w.storage,
  }))
  const organizationId = '22222222-2222-4222-8222-222222222222'
  let letGo = (): void => undefined
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve))
  const slow: Storage = {
    ...store,
    store: {
      ...store.store,
      readLog:
        (...asked) =>
        async () => {
          const answer = await store.store.readLog(...asked)()
          await isLetGo
          return answer
        },
    },
  }
  const other = await secondProcess({ storage: slow, clock })
  const whoami = () =>
    other.query('whoami', stamped(root, new TextEncoder().encode(JSON.stringify({ organizationId }))))()
  const early = whoami()
  await quiet()
  right(await engine.createOrganization(stamped(root, genesisBody(organizationId, root.key, clock.now())))())
  const late = whoami()
  await quiet()
  letGo()
  assert.is(right(await late)['organizationId'], organizationId)
  assert.is(codeOf(await early), 'ORGANIZATION_NOT_FOUND') // it asked before
})

it.run()
