import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { encodeBase64, encodeUtf8 } from '../../../core/bytes.ts'
import type { TestOptions } from '../world/tuned.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Json } from '../../../core/failure.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { decodeEvent } from '../../../core/log/event.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import type { Projection } from '../../../core/definition/projection.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { inTime, until } from '../world/under-way.ts'
import { right, stamped, world, type World } from '../world/world.ts'
import { audited, digest, exported, linesOf } from '../audit/logs.ts'
import { recordsOf } from './history.ts'
import { ada, grace, known, personOperations, personResource, persons } from './persons.ts'
import { secondProcess } from './second-process.ts'

const it = suite('parts of a conclusion')

const options: TestOptions = {
  resources: [...publicApi, personResource],
}
const BUNDLE = encodeBase64(encodeUtf8('root key 2'))
const asked = { persons: [ada, grace], key: 'root key' }

const idsOf = ({ result }: ActivityView): readonly string[] =>
  (Object.values(result)[0] as { readonly personIds: readonly string[] }).personIds // as the operation writes it

const queried = async (engine: Engine, w: World, path: string, members: { readonly [member: string]: Json } = {}) =>
  right(await engine.query(path, stamped(w.root, encode({ organizationId: w.organizationId, ...members })))())
const encode = (json: Json): Uint8Array => encodeUtf8(JSON.stringify(json))

/** What everybody can see of two persons, through an engine. */
const seen = async (engine: Engine, w: World, { id }: ActivityView, personIds: readonly string[]) => {
  const people: Json[] = []
  for (const personId of personIds) people.push((await queried(engine, w, 'get_person', { personId })).person ?? null)
  const { activity } = await queried(engine, w, 'get_activity', { activityId: id })
  const { names } = await queried(engine, w, 'list_persons')
  const listed = (await queried(engine, w, 'list_activities')).activities as readonly { id: string; result: Json }[]
  const { result } = activity as { readonly result: { readonly [name: string]: Json } } // as the wire has it
  return { people, names, result, listed: listed.find((one) => one.id === id)?.result }
}

const whole = (operation: string, personIds: readonly string[]) => {
  const result = { [`${operation}Result`]: { personIds, bundle: BUNDLE } }
  return {
    people: [
      { personId: personIds[0], ...ada },
      { personId: personIds[1], ...grace },
    ],
    names: ['Ada', 'Grace'],
    result,
    listed: result,
  }
}

/** The sequence of the event that concluded the activity. */
const conclusionOf = async (w: World, activity: ActivityView): Promise<bigint> => {
  const own = (await recordsOf(w)).filter((one) => one.activity === activity.id)
  return own.at(-1)?.sequence ?? 0n
}

const imported = async (text: string): Promise<Storage> => {
  const storage = memoryStore()
  const ports = { store: storage.store, digest, ids: nodeIds() }
  right(await importTranscript(ports, () => readTranscript(digest, [encodeUtf8(text)]))())
  return storage
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let files = 0
it.before(async () => void (folder = await temporaryFolder()))
it.after(() => folder.remove())

for (const [kind, open] of [
  ['memory', async () => memoryStore()],
  ['sqlite', async () => right(await openSqliteStore({ path: `${folder.path}/${(files += 1)}.db` })())],
] as const)
  for (const [path, name, events] of [
    ['register_persons', 'registerPersons', 2],
    ['introduce_persons', 'introducePersons', 3],
  ] as const)
    it(`are seen by all, after a restart as before, and are missed once they are erased: ${path}, ${kind}`, async () => {
      const w = await world({ ...options, store: await open() })
      const activity = await w.done(w.root, path, asked)
      const personIds = idsOf(activity)
      assert.equal(activity.result, whole(name, personIds).result)
      assert.equal(await seen(w.engine, w, activity, personIds), whole(name, personIds))
      const records = (await recordsOf(w)).filter((one) => one.activity === activity.id)
      assert.is(records.length, events)
      const names = ['bundle', ...personIds.map((id) => `personal.${id}`)].toSorted()
      const { line, parts } = records.at(-1) ?? { line: new Uint8Array(), parts: [] }
      assert.equal(Object.keys(right(decodeEvent(line)).parts), names)
      assert.equal(parts.map((part) => part.name).toSorted(), names)
      for (const record of records.slice(1)) assert.not.match(Buffer.from(record.line).toString(), /Ada|root key/)

      const restarted = await secondProcess(w, { ...options, store: beside(w.storage) })
      assert.equal(await seen(restarted, w, activity, personIds), whole(name, personIds))
      const replayed = right(await restarted.replayOrganization(w.organizationId)()).state
      assert.equal(known.of(replayed).get(personIds[0] ?? ''), { personId: personIds[0], ...ada })
      const { state } = right(await restarted.replayActivity(w.organizationId, activity.id)())
      assert.equal(state?.parts?.get('bundle'), encodeUtf8('root key 2'))
      const rows = right(await restarted.replay(persons)()).state.get(w.organizationId)
      assert.equal(
        [...(rows?.values() ?? [])].map(({ value }) => value),
        ['Ada', 'Grace'],
      )

      const text = await exported(w.storage.store)
      assert.is(await exported((await imported(text)).store), text)
      assert.equal((await audited(text, {}, personOperations)).findings, [])

      const sequence = await conclusionOf(w, activity)
      for (const part of [`personal.${personIds[0]}`, 'bundle'])
        right(await w.storage.store.eraseParts(w.organizationId, [{ sequence, name: part }])())
      const erased = await exported(w.storage.store)
      assert.equal(linesOf(erased).length, linesOf(text).length - 2)
      const { findings, counts } = await audited(erased, {}, personOperations)
      assert.equal(
        findings.map(({ code }) => code),
        ['PART_ERASED', 'PART_ERASED'], // no activity of the log erased them
      )
      assert.equal([counts.erased, counts.executions, counts.executionsInPart], [2, 2, 1])
      const elsewhere = await imported(erased)
      assert.is(await exported(elsewhere.store), erased)
      const after = await secondProcess({ ...w, storage: elsewhere }, options)
      const result = { [`${name}Result`]: { personIds, bundle: null } }
      assert.equal(await seen(after, w, activity, personIds), {
        people: [{ personId: personIds[0] }, { personId: personIds[1], ...grace }],
        names: [null, 'Grace'],
        result,
        listed: result,
      })
      assert.is(
        right(await after.replayActivity(w.organizationId, activity.id)()).state?.parts?.get('bundle'),
        'erased',
      )
      const again = right(await after.replay(persons)()).state.get(w.organizationId)
      assert.equal(
        [...(again?.values() ?? [])].map(({ value }) => value),
        [null, 'Grace'],
      )
      await after.close()
      await w.close()
    })

/** The same store under another engine, which gets read models of its own: it has to read what it needs from the log. */
const beside = ({ store }: Storage): Storage => ({
  store: { ...store, close: async () => undefined },
  readModels: memoryStore().readModels,
})

it('come with the conclusion of an activity that was approved', async () => {
  const w = await world(options)
  const approver = await w.enrol('grace')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, approver.userId] })
  const pending = await w.done(w.root, 'register_persons', asked)
  assert.is(pending.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  const activity = right(await w.approve(approver, pending))
  assert.equal(await seen(w.engine, w, activity, idsOf(activity)), whole('registerPersons', idsOf(activity)))
  assert.equal((await audited(await exported(w.storage.store), {}, personOperations)).findings, [])
  await w.close()
})

it('are the same bytes in every fold: the state of a restart is the state of before', async () => {
  const w = await world(options)
  for (let n = 0; n < 30; n += 1) {
    await w.done(w.root, 'register_persons', { persons: [{ name: `n ${n}`, email: 'e' }], key: `k ${n}` })
    await w.done(w.root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
  }
  const again = await secondProcess(w, { ...options, store: beside(w.storage) })
  const { names } = await queried(again, w, 'list_persons')
  assert.equal(
    names,
    Array.from({ length: 30 }, (_, n) => `n ${n}`),
  )
  assert.equal((await queried(w.engine, w, 'list_persons')).names, names)
  assert.equal(await exported(w.storage.store), await exported((await imported(await exported(w.storage.store))).store))
  await w.close()
})

it('are there when a projection that threw on them is tried again', async () => {
  let isBroken = true
  const fragile: Projection = {
    ...persons,
    project: (event, position, parts) => {
      if (isBroken && parts.size > 0) throw new Error('not yet')
      return persons.project(event, position, parts)
    },
  }
  const w = await world({ resources: [...publicApi, { ...personResource, projections: [fragile] }] })
  await w.done(w.root, 'register_persons', asked)
  const isParked = async () => right(await w.engine.parked('persons')()).length > 0
  await inTime(w.clock, until(isParked), 200)
  isBroken = false
  assert.equal(right(await w.engine.retryParked('persons')()), [])
  assert.equal((await queried(w.engine, w, 'list_persons')).names, ['Ada', 'Grace'])
  await w.close()
})

it('stand in a snapshot with the state, and are read behind it', async () => {
  const w = await world({ ...options, snapshotEvery: 1 })
  await w.done(w.root, 'register_persons', asked)
  const saved = async () => right(await w.storage.readModels.snapshot(w.organizationId)())
  let first: Awaited<ReturnType<typeof saved>> // at first that of the beginning
  const written = () => first?.parts.map(({ bytes }) => Buffer.from(bytes).toString()).join() ?? ''
  await until(async () => {
    first = await saved()
    return written().includes('ada@example.org')
  })
  const later = await w.done(w.root, 'register_persons', { persons: [grace], key: 'later' })
  if (first !== undefined) right(await w.storage.readModels.saveSnapshot(first)())
  const again = await secondProcess(w, options)
  const [personId = ''] = idsOf(later)
  assert.equal((await queried(again, w, 'get_person', { personId })).person, { personId, ...grace })
  await w.close()
})

it('may be many, and large, up to what the store takes at once', async () => {
  const w = await world({ ...options, store: memoryStore({ commitBytesMax: 600_000 }) })
  const many = Array.from({ length: 999 }, (_, n) => ({ name: `person ${n}`, email: 'e' }))
  const activity = await w.done(w.root, 'register_persons', { persons: many, key: 'k' })
  assert.is(idsOf(activity).length, 999)
  const tooMany = await w.submit(w.root, 'register_persons', { persons: [...many, ada], key: 'k' })
  assert.is(tooMany._tag === 'Left' && tooMany.left.code, 'INTERNAL')
  const large = { name: 'x'.repeat(400_000), email: 'e' } // stands in the request, too
  const tooLarge = await w.submit(w.root, 'register_persons', { persons: [large], key: 'k' })
  assert.is(tooLarge._tag === 'Left' && tooLarge.left.code, 'REQUEST_TOO_LARGE')
  assert.equal((await audited(await exported(w.storage.store), {}, personOperations)).findings, [])
  await w.close()
})

it.run()
