import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { failure, type Json } from '../../../core/failure.ts'
import { anyEvent, projection } from '../../../core/definition/projection.ts'
import { query } from '../../../core/definition/query.ts'
import { resource, type Resource } from '../../../core/definition/resource.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { createUserTag } from '../../../core/resources/user-tag/create-user-tag.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import type { ReadModels } from '../../../core/ports/read-models.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right, stamped, world } from '../world/world.ts'
import { conflicts, faultyStore, heldAtAppend } from './faulty-store.ts'
import { inTime, isWaiting, quiet, until } from '../world/under-way.ts'
import { secondProcess } from './second-process.ts'

const it = suite('asking a query')

const MINUTE_MS = 60_000
const tag = ['create_user_tag', { userTagName: 'ops', userIds: [] }] as const

it('is refused with the body of an activity or a vote, whose stamp is in the log for everybody to see', async () => {
  const { body, engine, enrol, root, approve, done, clock, close, submit } = await world()
  const ada = await enrol('ada')
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
  const open = right(await submit(root, ...tag))
  right(await approve(ada, open))
  clock.pass(365 * 24 * 60 * MINUTE_MS)
  for (const bytes of [body(...tag), body('approve_activity', { fingerprint: open.fingerprint })]) {
    const refused = await engine.query('list_users', stamped(root, bytes))()
    assert.is(codeOf(refused), 'UNAUTHENTICATED')
    assert.match(E.isLeft(refused) ? refused.left.message : '', 'does not ask a query')
  }
  await close()
})

it('needs a fresh time where the engine asks for one', async () => {
  const made = await world()
  const { clock, organizationId, root, storage } = made
  const engine = await secondProcess({ storage, clock }, { queriesMustBeFresh: true })
  const ask = async (members: object): Promise<string> => {
    const bytes = encodeUtf8(JSON.stringify({ organizationId, ...members }))
    return codeOf(await engine.query('whoami', stamped(root, bytes))())
  }
  const at = (ms: number) => ({ timestampMs: String(clock.now() + ms) })
  assert.is(await ask(at(0)), 'no failure')
  assert.is(await ask(at(-60 * MINUTE_MS + 1)), 'no failure')
  for (const members of [{}, at(-60 * MINUTE_MS), at(5 * MINUTE_MS + 1), { timestampMs: 'now' }])
    assert.is(await ask(members), 'REQUEST_INVALID')
  await made.close()
})

it('asks for its turn before each part that can take long, and goes on in none that it was not given', async () => {
  const made = await world()
  const { clock, organizationId, root, storage, submit } = made
  for (let n = 0; n < 3; n += 1) await submit(root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
  const asked: string[] = []
  let give: () => void = () => undefined
  const next = (who: string): Promise<void> => {
    asked.push(who)
    return new Promise((resolve) => (give = resolve))
  }
  const engine = await secondProcess({ storage, clock }, { turns: { next } })
  const bytes = encodeUtf8(JSON.stringify({ organizationId, paginationOptions: { limit: '3' } }))
  let isAnswered = false
  const answer = engine.query('list_activities', stamped(root, bytes))()
  void answer.then(() => (isAnswered = true))
  for (let turns = 1; turns <= 4; turns += 1) {
    while (asked.length < turns) await new Promise((resolve) => setImmediate(resolve))
    assert.not.ok(isAnswered)
    give()
  }
  const { activities } = right(await answer)
  assert.is((activities as readonly Json[]).length, 3)
  assert.equal(
    asked,
    Array.from({ length: 4 }, () => organizationId),
  )
  await made.close()
})

it('shows nothing of what came after it was answered, while it waits for the disk', async () => {
  const store = faultyStore()
  const w = await world({ store })
  const { begun: first, letGo } = await heldAtAppend(store, () => w.submit(w.root, ...tag))
  const asked = w.ask(w.root, 'get_user', { userId: w.root.userId })
  await quiet()
  const second = w.submit(w.root, 'create_user_tag', { userTagName: 'late', userIds: [w.root.userId] })
  await quiet()
  letGo()
  assert.equal((right(await asked).user as { readonly userTags: unknown }).userTags, [])
  right(await first)
  right(await second)
  await w.close()
})

it('shows nothing that is not durable of a state that has gone on since another process was heard of', async () => {
  const store = faultyStore({ isShared: true })
  const made = await world({ store })
  const { clock, organizationId, root } = made
  let give: (() => void) | undefined
  const next = async (): Promise<void> => {
    if (give === undefined) await new Promise<void>((resolve) => (give = resolve)) // the first one waits
  }
  const engine = await secondProcess({ storage: store, clock }, { turns: { next } })
  const list = encodeUtf8(JSON.stringify({ organizationId }))
  const tagsIn = async (answer: ReturnType<ReturnType<typeof engine.query>>): Promise<readonly string[]> =>
    (right(await answer).userTags as readonly { readonly tagName: string }[]).map(({ tagName }) => tagName)
  const early = engine.query('list_user_tags', stamped(root, list))()
  await until(() => give !== undefined)
  right(await made.submit(root, 'create_user_tag', { userTagName: 'theirs', userIds: [] }))
  assert.equal(await tagsIn(engine.query('list_user_tags', stamped(root, list))()), ['theirs'])
  const ours = made.body('create_user_tag', { userTagName: 'ours', userIds: [] })
  const { begun, letGo } = await heldAtAppend(store, () => engine.submit('create_user_tag', stamped(root, ours))())
  give?.()
  assert.is(await isWaiting(early), true)
  letGo(async () => E.left(failure('REQUEST_TOO_LARGE', 'never stored')))
  assert.equal(await tagsIn(early), ['theirs'])
  assert.is(codeOf(await begun), 'REQUEST_TOO_LARGE')
  await made.close()
})

it('reads an activity that is over once, however often its answer is made again', async () => {
  const store = faultyStore({ isShared: true })
  const made = await world({ store })
  const { body, clock, done, organizationId, root } = made
  const ended: string[] = []
  for (let n = 0; n < 3; n += 1)
    ended.push((await done(root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })).id)
  const read: string[] = []
  const readActivity: EventStore['readActivity'] = (organization, activity, options) => {
    read.push(activity)
    return store.store.readActivity(organization, activity, options)
  }
  const engine = await secondProcess({ storage: { ...store, store: { ...store.store, readActivity } }, clock })
  const submitted = stamped(root, body('create_user_tag', { userTagName: 'refused at first', userIds: [] }))
  const { begun, letGo } = await heldAtAppend(store, () => engine.submit('create_user_tag', submitted)())
  const listed = engine.query('list_activities', stamped(root, encodeUtf8(JSON.stringify({ organizationId }))))()
  await quiet()
  letGo(conflicts)
  right(await listed)
  right(await begun)
  assert.equal(
    ended.map((id) => read.filter((one) => one === id).length),
    [1, 1, 1],
  )
  await engine.close()
})

it('gives a shorter page of activities where they are very long, and at least one', async () => {
  const { answer, close, done, root } = await world()
  for (let n = 0; n < 6; n += 1)
    await done(root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [], more: 'x'.repeat(900_000) })
  const idsOf = async (paginationOptions: { readonly [member: string]: string }): Promise<readonly string[]> => {
    const { activities } = await answer(root, 'list_activities', { paginationOptions })
    return (activities as readonly { readonly id: string }[]).map(({ id }) => id)
  }
  const first = await idsOf({ limit: '100' })
  assert.is(first.length, 2)
  const second = await idsOf({ limit: '100', before: first[1] ?? '' })
  assert.is(second.length, 2)
  assert.is(new Set([...first, ...second]).size, 4)
  assert.equal(await idsOf({ limit: '100', after: second[1] ?? '' }), [first[1], second[0]])
  await close()
})

it('counts how long the users are that stand beside votes, when it ends a page', async () => {
  const { answer, close, done, enrol, root, approve } = await world()
  const voters = [await enrol('ada'), await enrol('grace'), await enrol('joan'), await enrol('jean')]
  const apiKeyName = '😀'.repeat(256)
  for (const { userId } of voters) {
    const apiKeys = Array.from({ length: 9 }, () => {
      const { publicKey, curve } = generateKey('API_KEY_CURVE_P256')
      return { apiKeyName, publicKey, curveType: curve }
    })
    await done(root, 'create_api_keys', { userId, apiKeys })
  }
  const members = [root, ...voters, await enrol('mary')].map(({ userId }) => userId)
  await done(root, 'update_root_quorum', { threshold: 6, userIds: members })
  for (let n = 0; n < 100; n += 1) {
    const open = await done(root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
    for (const voter of voters) right(await approve(voter, open))
  }
  const { activities } = await answer(root, 'list_activities', { paginationOptions: { limit: '100' } })
  const shown = (activities as readonly Json[]).length
  assert.ok(shown > 50 && shown < 100, `${shown} activities`)
  assert.ok(JSON.stringify(activities).length < 5 * 1024 * 1024)
  await close()
})

it('reads the rows of a projection as its codec does, and tells of a row that it cannot read, and of a projection that is not there', async () => {
  const Tag = t.fields({ tag: t.string })
  const tags = projection({
    name: 'tags',
    version: 1,
    of: createUserTag,
    row: Tag,
    from: (one) => ({ tag: one.userTagName }),
  })
  const newer = { ...tags, version: 2 }
  const wrong = { ...tags, row: t.fields({ tag: t.refined(t.string, 'another tag', (tag) => tag !== 'ops') }) }
  const asking = (path: string, asked: typeof tags) =>
    query({
      path,
      summary: 'Lists tags.',
      request: t.fields({ organizationId: t.string, key: t.string }),
      answer: t.fields({ all: t.array(Tag), one: t.union([Tag, t.null]) }),
      run: async ({ key }, { rows, row }) => ({
        all: await rows(asked, { limit: 9, ascending: true }),
        one: (await row(asked, key)) ?? null,
      }),
    })
  const host = resource({
    name: 'tags',
    queries: [asking('list_tags', tags), asking('list_newer', newer), asking('list_wrong', wrong)],
    projections: [tags],
  })
  const notices: Notice[] = []
  const onNotice = (notice: Notice): void => void notices.push(notice)
  const { answer, ask, clock, close, done, root } = await world({ resources: [...publicApi, host], onNotice })
  const [first] = [await done(root, ...tag), await done(root, 'create_user_tag', { userTagName: 'more', userIds: [] })]
  const listed = await inTime(clock, answer(root, 'list_tags', { key: first.id }), 20)
  assert.equal(listed, { all: [{ tag: 'ops' }, { tag: 'more' }], one: { tag: 'ops' } })
  assert.is((await inTime(clock, answer(root, 'list_tags', { key: 'none' }), 20)).one, null)
  assert.equal(notices, [])
  assert.is(codeOf(await inTime(clock, ask(root, 'list_newer', { key: first.id }), 20)), 'INTERNAL')
  assert.is(codeOf(await inTime(clock, ask(root, 'list_wrong', { key: first.id }), 20)), 'INTERNAL')
  assert.equal(
    notices.map(({ level, message, context }) => [level, message, context?.['said']]),
    [
      ['error', 'list_newer threw', 'this engine has no projection tags@2'],
      ['error', 'list_wrong threw', 'invalid row of tags at tag: expected another tag'],
    ],
  )
  await close()
})

it('gives no list that another process parks while the query waits for it', async () => {
  const list = (isBroken: () => boolean) =>
    projection({
      name: 'tags',
      version: 1,
      row: t.fields({ key: t.string }),
      on: [
        anyEvent(({ organization, activity: key, sequence: order, type }) => {
          if (isBroken()) throw new Error('a bug of the projection')
          return type === 'ActivityCompleted'
            ? [{ _tag: 'put', organization, key, order, facets: {}, value: { key } }]
            : []
        }),
      ],
    })
  const behind = list(() => false)
  const asking = query({
    path: 'list_ours',
    summary: 'Lists ours.',
    request: t.fields({ organizationId: t.string }),
    answer: t.fields({ ours: t.array(t.string) }),
    run: async (_, { rows }) => ({ ours: (await rows(behind, { limit: 9 })).map(({ key }) => key) }),
  })
  let isBroken = false
  const ours = (parts: Partial<Resource>) => [...publicApi, resource({ name: 'ours', ...parts })]
  const made = await world({ resources: ours({ projections: [list(() => isBroken)] }) })
  const { clock, engine, organizationId, root, storage } = made
  let goOn = (): void => undefined
  const parked = new Promise<void>((resolve) => (goOn = resolve))
  const readModels: ReadModels = {
    ...storage.readModels,
    move:
      (...move) =>
      async () => {
        if (move[0] === 'tags@1') await parked
        return storage.readModels.move(...move)()
      },
  }
  const second = await secondProcess(
    { storage: { ...storage, readModels }, clock },
    { resources: ours({ projections: [behind], queries: [asking] }) },
  )
  isBroken = true
  await made.done(root, ...tag)
  const bytes = encodeUtf8(JSON.stringify({ organizationId }))
  const answer = second.query('list_ours', stamped(root, bytes))()
  assert.is(await isWaiting(answer), true)
  await inTime(
    clock,
    until(async () => right(await engine.parked('tags')()).length > 0),
    20,
  )
  goOn()
  assert.is(codeOf(await inTime(clock, answer, 20)), 'UNAVAILABLE')
})

it.run()
