import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connect as connectByNoble } from '../../../adapters/client/index.ts'
import { httpServer } from '../../../adapters/http/index.ts'
import {
  connect,
  CountersignError,
  createEngine,
  generateKey,
  operation,
  port,
  publicApi,
  refuse,
  resource,
  t,
  type Client,
  type Engine,
  type SigningKey,
} from '../../../adapters/index.ts'
import { createPolicy, createUsers, createUserTag, getActivity, listUserTags, whoami } from '../../../core/api.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { PATIENT } from '../../adapters/http/transport.ts'

/** The service of `send`: it ends a transfer when it is told to. */
type Post = { readonly sent: () => Promise<void> }

const send = operation({
  type: 'ACTIVITY_TYPE_SEND_PARCEL',
  path: 'send_parcel',
  summary: 'Sends a parcel.',
  intent: t.fields({ weight: t.number }),
  result: t.fields({ number: t.string }),
  change: t.fields({}),
  check: ({ weight }) => {
    if (weight > 10) throw refuse.as('PARCEL_TOO_HEAVY', 'RESOURCE_EXHAUSTED', 'ten at most', [{ most: 10 }])
    return { weight }
  },
  perform: {
    outside: true,
    needs: { post: port<Post>() },
    resumeAfterMs: 50,
    attemptsMax: 3,
    whenInterrupted: 'retry',
    performed: t.fields({ number: t.string }),
    run: async ({ weight }, { ports }) => {
      if (weight < 0) throw refuse.as('PARCEL_LOST', 'CONFLICT', 'it weighs nothing')
      await ports.post.sent()
      return { number: `parcel ${weight}` }
    },
  },
  execute: (_, { performed }) => ({ result: performed, change: {} }),
  evolve: () => undefined,
})

type Stage = {
  readonly engine: Engine
  readonly key: SigningKey
  readonly organizationId: string
  readonly as: (key: SigningKey) => Client
  readonly end: () => Promise<void>
  /** Lets the post send everything. */
  readonly sendAll: () => void
}

const engineWith = async () => {
  let sendAll = (): void => undefined
  const sent = new Promise<void>((resolve) => (sendAll = resolve))
  const engine = await createEngine({
    store: memoryStore(),
    resources: [...publicApi, resource({ name: 'parcels', operations: [send] })],
    ports: { post: { sent: () => sent } },
    tuning: { waitForEffectsMs: 20 },
  })
  const key = generateKey()
  const { organizationId } = await engine.createOrganization({ name: 'Post', key })
  return { engine, key, organizationId, sendAll: () => sendAll() }
}

const overHttp = (connectTo: typeof connect | typeof connectByNoble) => async (): Promise<Stage> => {
  const made = await engineWith()
  const server = httpServer(made.engine, PATIENT)
  const { url } = await server.listen()
  return {
    ...made,
    as: (key) => connectTo({ url, organizationId: made.organizationId, key }),
    end: () => server.close().then(() => made.engine.close()),
  }
}

const ways: Readonly<Record<string, () => Promise<Stage>>> = {
  'in the same process': async () => {
    const made = await engineWith()
    const { engine, organizationId } = made
    return { ...made, as: (key) => engine.as({ organizationId, key }), end: engine.close }
  },
  'over HTTP': overHttp(connect),
  'over HTTP, without Node': overHttp(connectByNoble),
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: unknown) => (error instanceof CountersignError ? error.code : error),
  )

/** A policy that wants the approval of two. */
const TWO_PEOPLE = {
  policyName: 'two',
  effect: 'EFFECT_ALLOW',
  condition: 'true',
  consensus: 'approvers.count() >= 2',
  notes: '',
} as const

const enrol = async (root: Client, userName: string, key: SigningKey): Promise<void> => {
  const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curve }]
  const users = [{ userName, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
  await root.submit(createUsers, { users })
}

for (const [way, open] of Object.entries(ways)) {
  const it = suite<Stage>(`a client ${way}`)

  it.before.each(async (stage) => void Object.assign(stage, await open()))
  it.after.each(({ sendAll, end }) => {
    sendAll() // so that closing need not wait for it
    return end()
  })

  it('submits, and gives the result with its type', async ({ as, key }) => {
    const submitted = await as(key).submit(createUserTag, { userTagName: 'officers', userIds: [] })
    assert.is(submitted.status, 'completed')
    const tagId: string | undefined = submitted.result?.userTagId
    const { userTags } = await as(key).query(listUserTags, {})
    assert.equal(
      userTags.map(({ tagId: id }) => id),
      [tagId],
    )
    const { activity } = await as(key).query(getActivity, { activityId: submitted.activity.id })
    assert.is(activity.fingerprint, submitted.activity.fingerprint)
    assert.is(activity.createdAt.seconds, String(Math.floor(submitted.activity.createdAtMs / 1000)))
  })

  it('gathers the approvals of others', async ({ as, key }) => {
    const [ada, grace] = [generateKey(), generateKey('API_KEY_CURVE_ED25519')]
    await enrol(as(key), 'Ada', ada)
    await enrol(as(key), 'Grace', grace)
    await as(key).submit(createPolicy, TWO_PEOPLE)
    const asked = await as(ada).submit(createUserTag, { userTagName: 'pair', userIds: [] })
    assert.is(asked.status, 'consensus-needed')
    const waiting = as(ada).submitAndWait(
      createUserTag,
      { userTagName: 'pair', userIds: [] },
      { timestampMs: timeOf(asked.activity.votes[0]?.message), everyMs: 5 },
    )
    const approved = await as(grace).approve(asked.activity)
    assert.is(approved.status, 'completed')
    assert.is(approved.activity.id, asked.activity.id)
    const waited = await waiting
    assert.is(waited.activity.id, asked.activity.id, 'the same time is the same activity')
    assert.equal(waited.result, approved.result)

    const other = await as(ada).submit(createUserTag, { userTagName: 'other', userIds: [] })
    assert.is((await as(ada).reject(other.activity.fingerprint)).status, 'rejected')
    assert.is(await codeOf(as(grace).approve('sha256:00')), 'ACTIVITY_NOT_FOUND')
  })

  it('waits for work outside, or until its signal aborts', async ({ as, key, sendAll }) => {
    const pending = await as(key).submit(send, { weight: 1 })
    assert.is(pending.status, 'pending')
    const giveUp = AbortSignal.timeout(50)
    const abandoned = as(key).submitAndWait(send, { weight: 2 }, { everyMs: 5, signal: giveUp })
    assert.is(await codeOf(abandoned), 'ABORTED')
    sendAll()
    const sent = await as(key).submitAndWait(send, { weight: 3 }, { everyMs: 5 })
    assert.equal(sent.result, { number: 'parcel 3' })
    const lost = await as(key).submitAndWait(send, { weight: -1 }, { everyMs: 5 })
    assert.is(lost.status, 'failed')
    assert.equal(lost.status === 'failed' && lost.failure, {
      code: 'PARCEL_LOST',
      message: 'it weighs nothing',
      like: 'CONFLICT',
    })
  })

  it('throws a failure with its exact code, or gives it as a value', async ({ as, key }) => {
    const refused = await as(key)
      .submit(send, { weight: 11 })
      .catch((error: unknown) => error)
    assert.ok(refused instanceof CountersignError && refused instanceof Error)
    assert.equal([refused.code, refused.message, refused.details], ['PARCEL_TOO_HEAVY', 'ten at most', [{ most: 10 }]])
    const tried = await as(key).try(createUserTag, { userTagName: 'x', userIds: ['nobody'] })
    assert.is(!tried.ok && tried.failure.code, 'REQUEST_INVALID')
    const done = await as(key).try(createUserTag, { userTagName: 'x', userIds: [] })
    assert.is(done.ok && done.status, 'completed')
    const stranger = await as(generateKey()).try(createUserTag, { userTagName: 'x', userIds: [] })
    assert.is(!stranger.ok && stranger.failure.code, 'PUBLIC_KEY_NOT_FOUND')
    assert.is(await codeOf(as(key).query(getActivity, { activityId: crypto.randomUUID() })), 'ACTIVITY_NOT_FOUND')
  })

  it('never sends two requests with the same time, and shows a denial with the code of the refusal', async (stage) => {
    const { as, key, engine, organizationId } = stage
    const tags = await Promise.all(
      Array.from({ length: 20 }, () =>
        as(key)
          .submit(send, { weight: 5 })
          .then(({ activity }) => activity.id),
      ),
    )
    assert.is(new Set(tags).size, 20)
    const ada = generateKey()
    await enrol(as(key), 'Ada', ada)
    assert.is(await codeOf(as(ada).submit(createUserTag, { userTagName: 'no', userIds: [] })), 'REQUEST_NOT_AUTHORIZED')
    const { organizationId: found, username } = await as(ada).query(whoami, {})
    assert.equal([found, username], [organizationId, 'Ada'])
    assert.is(await engine.firstOrganization(), organizationId)
  })

  it('makes one activity of one idempotency key, also in another client of the same key', async ({ as, key }) => {
    const parcel = (weight: number, idempotencyKey: string, by = as(key)) =>
      by.submit(send, { weight }, { idempotencyKey }).then(({ activity }) => activity.id)
    const first = await parcel(1, 'order 1')
    assert.is(await parcel(1, 'order 1'), first)
    assert.is.not(await parcel(1, 'order 2'), first)
    const tried = await as(key).try(send, { weight: 2 }, { idempotencyKey: 'order 1' })
    assert.is(!tried.ok && tried.failure.code, 'REQUEST_INVALID')
    assert.match(tried.ok ? '' : tried.failure.message, /^nothing was sent: idempotencyKey: it was given with another/)
    assert.is(await codeOf(as(key).submit(send, { weight: 1 }, { idempotencyKey: '' })), 'REQUEST_INVALID')
    const both = { idempotencyKey: 'order 3', timestampMs: Date.now() }
    assert.is(await codeOf(as(key).submit(send, { weight: 1 }, both)), 'REQUEST_INVALID')
  })

  it('keeps apart what two users ask for with one idempotency key', async ({ as, key }) => {
    const [ada, grace] = [generateKey(), generateKey()]
    await enrol(as(key), 'Ada', ada)
    await enrol(as(key), 'Grace', grace)
    await as(key).submit(createPolicy, TWO_PEOPLE)
    const tag = { userTagName: 'pair', userIds: [] }
    const asked = await as(ada).submit(createUserTag, tag, { idempotencyKey: 'one' })
    const other = await as(grace).submit(createUserTag, tag, { idempotencyKey: 'one' })
    assert.equal([asked.status, other.status], ['consensus-needed', 'consensus-needed'], 'nobody has approved')
  })

  it.run()
}

/** The time of a request, which stands in its body. */
const timeOf = (message: string | undefined): number =>
  Number((JSON.parse(message ?? '{}') as { readonly timestampMs: string }).timestampMs)
