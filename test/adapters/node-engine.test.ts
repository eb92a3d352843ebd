import { writeFile } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as fp from '../../adapters/fp.ts'
import { httpServer } from '../../adapters/http/index.ts'
import {
  CountersignError,
  createEngine,
  generateKey,
  organizationRequest,
  publicApi,
  query,
  resource,
  t,
} from '../../adapters/index.ts'
import { createUserTag } from '../../core/api.ts'
import { stampedRequest } from '../../adapters/signatures/stamped-request.ts'
import { memoryStore } from '../../adapters/store-memory/index.ts'
import { sqliteStore } from '../../adapters/store-sqlite/index.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const it = suite('an engine of a host on Node')

const folder = await temporaryFolder()

it.after(folder.remove)

const errorOf = (promise: Promise<unknown>): Promise<CountersignError> =>
  promise.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: unknown) => {
      if (error instanceof CountersignError) return error
      throw error
    },
  )

/** As a host that is not compiled with our types calls it. */
const untyped = (options: object): Promise<unknown> => createEngine(options as Parameters<typeof createEngine>[0])

it('gives a promise for each task, which begins its work at once', async () => {
  const engine = await createEngine({ store: memoryStore() })
  const { tasks } = engine
  const names = Object.keys(tasks) as readonly (keyof typeof tasks)[] // its own names
  const kept = names.filter((name) => engine[name] === tasks[name])
  assert.equal(kept.toSorted(), ['catalogue', 'follow', 'publicUrl', 'queries'])
  const key = generateKey()
  const begun = engine.createOrganization(organizationRequest({ name: 'At once', key }))
  await engine.close() // waits for what has begun
  assert.match((await begun).genesisHash, /^[0-9a-f]{64}$/)
})

it('rejects with an error that has the code', async () => {
  const engine = await createEngine({ store: memoryStore() })
  const request = stampedRequest(generateKey(), {})
  assert.is((await errorOf(engine.submit('no_such_operation', request))).code, 'ROUTE_NOT_FOUND')
  assert.is((await errorOf(engine.parked('no_such_projection'))).code, 'CONFIGURATION_INVALID')
  await engine.close()
  assert.is((await errorOf(engine.isReady())).code, 'UNAVAILABLE')
})

it('closes at the end of a block', async () => {
  const path = `${folder.path}/block.db`
  const key = generateKey()
  let organizationId = ''
  {
    await using engine = await createEngine({ store: sqliteStore({ path }) })
    const begun = await engine.createOrganization({ name: 'Block', key })
    organizationId = begun.organizationId
  }
  await using again = await createEngine({ store: sqliteStore({ path }) })
  assert.is(await again.firstOrganization(), organizationId)
  const { status } = await again.as({ organizationId, key }).submit(createUserTag, { userTagName: 'x', userIds: [] })
  assert.is(status, 'completed')
})

it('names the option that is missing, wrong or misspelled, and lets go of its store', async () => {
  const path = `${folder.path}/options.db`
  const wrong: readonly (readonly [object, string])[] = [
    [{}, 'store: expected a store'],
    [{ store: {} }, 'store: expected a store'],
    [{ store: memoryStore().store }, 'store: expected a store'],
    [{ store: { ...memoryStore(), sealed: [] } }, 'store.sealed: expected sealed rows with a method put'],
    [
      { store: { ...memoryStore(), sealed: { ...memoryStore().sealed, list: undefined } } },
      'store.sealed: expected sealed rows with a method list',
    ],
    [
      { store: memoryStore(), tuning: { snapshotEvery: -1 } },
      'tuning.snapshotEvery: expected a whole number from 1 on',
    ],
    [{ store: memoryStore(), waitingActivitiesMax: Number.NaN }, 'waitingActivitiesMax: expected'],
    [{ store: memoryStore(), tuning: { snapshotevery: 1 } }, 'did you mean snapshotEvery?'],
    [{ store: memoryStore(), resources: {} }, 'resources: expected a list'],
    [{ store: memoryStore(), onNotice: console }, 'onNotice: expected a function'],
    [{ store: memoryStore(), limits: { userz: 5 } }, 'limits.userz: there is no such option; did you mean users?'],
    [{ store: memoryStore(), limits: { users: '5' } }, 'limits.users: expected a whole number'],
    [{ store: sqliteStore({ path }), tuning: { commandsAtOnce: 0 } }, 'commandsAtOnce'],
  ]
  for (const [options, message] of wrong) {
    const error = await errorOf(untyped(options))
    assert.is(error.code, 'CONFIGURATION_INVALID', message)
    assert.match(error.message, message)
  }
  await (await createEngine({ store: sqliteStore({ path }) })).close() // nobody holds it
  assert.is((await errorOf(createEngine({ store: sqliteStore({ path: ':memory:' }) }))).code, 'CONFIGURATION_INVALID')
})

it('names the option of its server or its store that is misspelled', async () => {
  const engine = await createEngine({ store: memoryStore() })
  const misspelled: object = { requestTimeoutMS: 5 }
  assert.throws(() => httpServer(engine, misspelled), /requestTimeoutMS: .* did you mean requestTimeoutMs\?/)
  await engine.close()
  const store: object = { path: `${folder.path}/x.db`, readonly: true }
  const refused = await errorOf(sqliteStore(store as Parameters<typeof sqliteStore>[0]))
  assert.is(refused.message, 'readonly: there is no such option; did you mean readOnly?')
})

it('tells why a store cannot be opened', async () => {
  const path = `${folder.path}/text.db`
  await writeFile(path, 'this is no database, but a text that is long enough to be read as one')
  const { code, message, cause } = await errorOf(sqliteStore({ path }))
  assert.is(code, 'STORE_UNREADABLE')
  assert.match(message, path)
  assert.match(JSON.stringify(cause), /"reason":"SQLITE_NOTADB"/)
  const engine = await createEngine({ store: sqliteStore({ path: `${folder.path}/held.db` }) })
  const held = await errorOf(sqliteStore({ path: `${folder.path}/held.db` }))
  assert.equal([held.code, /this process/.test(held.message)], ['STORE_LOCKED', true])
  await engine.close()
})

it('is there with tasks, too', async () => {
  const engine = await fp.createEngine({ store: fp.sqliteStore({ path: `${folder.path}/fp.db` }) })
  assert.equal(await engine.firstOrganization()(), fp.E.right(undefined))
  assert.is(fp.tasksOf(engine), engine)
  await engine.close()
  const promised = await createEngine({ store: memoryStore() })
  assert.is(fp.tasksOf(promised), promised.tasks)
  await promised.close()
})

it('writes what goes wrong to the console if nobody takes its notices', async () => {
  const broken = query({
    path: 'broken',
    summary: 'Breaks.',
    request: t.fields({}),
    answer: t.fields({}),
    run: () => {
      throw new Error('secret')
    },
  })
  const said: string[] = []
  const { error } = console
  console.error = (text: string) => said.push(text)
  try {
    const engine = await createEngine({
      store: memoryStore(),
      resources: [...publicApi, resource({ name: 'x', queries: [broken] })],
    })
    const key = generateKey()
    const { organizationId } = await engine.createOrganization({ name: 'Console', key })
    assert.is((await errorOf(engine.as({ organizationId, key }).query(broken, {}))).code, 'INTERNAL')
    await engine.close()
  } finally {
    console.error = error
  }
  assert.match(said.join('\n'), /^countersign: error: .*threw/)
  assert.not.match(said.join('\n'), 'secret')
})

it.run()
