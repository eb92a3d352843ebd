import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { atEveryCrash, office, type Office } from '../../../../adapters/testing/index.ts'
import { createPolicy, policies, users } from '../../../../core/api.ts'
import {
  CountersignError,
  operation,
  port,
  refuse,
  resource,
  state,
  t,
  type Operation,
  type Resource,
} from '../../../../adapters/index.ts'

const it = suite('an office')

const Parcel = t.fields({ to: t.string, weight: t.number })
const parcels = state({ name: 'parcels', version: 1, codec: t.mapOf(Parcel), initial: () => new Map() })

type Post = { readonly send: (key: string) => Promise<void> }

const send = operation({
  type: 'ACTIVITY_TYPE_SEND_PARCEL',
  path: 'send_parcel',
  summary: 'Sends a parcel.',
  resource: 'PARCEL',
  action: 'SEND',
  intent: t.fields({ to: t.Label, weight: t.number }),
  result: t.fields({ parcelId: t.string }),
  change: t.fields({ parcelId: t.string, to: t.string, weight: t.number }),
  perform: {
    outside: true,
    needs: { post: port<Post>() },
    resumeAfterMs: 60_000,
    attemptsMax: 3,
    whenInterrupted: 'retry',
    performed: t.fields({}),
    run: async (_, { ports, activityId }) => {
      await ports.post.send(activityId).catch(() => {
        throw refuse('UNAVAILABLE', 'the post is closed')
      })
      return {}
    },
  },
  execute: ({ to, weight }, { ids }) => {
    const parcelId = ids()
    return { result: { parcelId }, change: { parcelId, to, weight } }
  },
  evolve: (draft, { parcelId, to, weight }) => {
    parcels.in(draft).set(parcelId, { to, weight })
  },
})

const resources = [resource({ name: 'parcels', states: [parcels], operations: [send] })]

/** A post that counts what it was asked to send, once for each key. */
const post = (refusals = 0) => {
  const sent = new Set<string>()
  let left = refusals
  return {
    sent,
    send: async (key: string): Promise<void> => {
      left -= 1
      if (left >= 0) throw new Error('closed')
      sent.add(key)
    },
  }
}

/** Two of the officers must approve what the clerk sends. */
const story = async ({ root, enrol, tagId }: Office): Promise<void> => {
  const clerk = await enrol('clerk')
  const ada = await enrol('ada', { tags: ['officers'] })
  const grace = await enrol('grace', { tags: ['officers'] })
  await root.submit(createPolicy, {
    policyName: 'two officers',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'PARCEL'",
    consensus: `approvers.filter(user, user.tags.contains('${tagId('officers')}')).count() >= 2`,
    notes: '',
  })
  const asked = await clerk.submit(send, { to: 'Alan', weight: 3 })
  if (asked.status !== 'consensus-needed') return // told again
  await ada.approve(asked.activity)
  await grace.approve(asked.activity)
}

const sentIn = async ({ engine, organizationId }: Office): Promise<readonly string[]> => {
  const { state: organization } = await engine.replayOrganization(organizationId)
  return [...parcels.of(organization).values()].map(({ to, weight }) => `${weight} to ${to}`)
}

it('has people with keys and tags, and turns the clock for those who wait', async () => {
  const closed = post(1)
  const place = await office({ resources, ports: { post: closed } })
  const ada = await place.enrol('ada', { tags: ['officers', 'pilots'] })
  const { state: organization } = await place.engine.replayOrganization(place.organizationId)
  assert.is(users.of(organization).get(ada.userId)?.userName, 'ada')
  assert.is(place.clock.now(), Date.UTC(2030, 0, 1))

  const asking = place.root.submit(send, { to: 'Alan', weight: 3 })
  await place.clock.turn(5_000) // for so long a submit waits
  const asked = await asking
  assert.is(asked.status, 'pending')
  assert.equal(await sentIn(place), [])
  await place.clock.turn(60_000) // the next attempt
  assert.equal(await sentIn(place), ['3 to Alan'])
  assert.equal([...closed.sent], [asked.activity.id])
  await place.close()
})

it('makes the same activities of the same calls', async () => {
  const heads: unknown[] = []
  for (let run = 0; run < 2; run += 1) {
    const place = await office({ resources, ports: { post: post() } })
    await story(place)
    const { organizations } = await place.audit()
    heads.push(organizations.map(({ organization, sequence }) => [organization, String(sequence)]))
    const { state: organization } = await place.engine.replayOrganization(place.organizationId)
    heads.push([...parcels.of(organization).keys()], [...policies.of(organization).keys()])
    await place.close()
  }
  assert.equal(heads.slice(0, 3), heads.slice(3))
})

it('audits the operations under test, and finds each forgery of what they said', async () => {
  const place = await office({ resources, ports: { post: post() } })
  await story(place)
  const { findings, counts } = await place.audit()
  assert.equal(findings, [])
  assert.ok(counts.executions >= 6)
  assert.equal(await place.missedForgeries(), [])
  await place.close()
})

it('lets the process die at every step, and the story goes on', async () => {
  let last = post()
  const deaths = await atEveryCrash(
    () => ({ resources, ports: { post: (last = post()) } }),
    story,
    async (place) => {
      for (let turns = 0; turns < 3; turns += 1) await place.clock.turn(60_000)
      assert.equal(await sentIn(place), ['3 to Alan'])
      assert.is(last.sent.size, 1)
    },
  )
  assert.ok(deaths > 12, `${deaths} deaths`)
})

it('finds an operation that does not survive a death, and one that forgets', async () => {
  let count = 0
  const forgetful = operation({
    ...specOfCounting,
    execute: () => ({ result: {}, change: { count: (count += 1) } }),
  })
  const resource_ = resource({ name: 'counting', operations: [forgetful] })
  const place = await office({ resources: [resource_] })
  const tried = await place.root.try(forgetful, {})
  assert.is(!tried.ok && tried.failure.code, 'INTERNAL')
  await place.close()

  const impatient = async ({ root }: Office): Promise<void> => {
    const told = await root.try(send, { to: 'Alan', weight: 3 })
    if (!told.ok || told.status !== 'completed') throw new Error('it was not sent at once')
  }
  const found = await atEveryCrash(() => ({ resources, ports: { post: post() } }), impatient).catch(
    (error: unknown) => error,
  )
  assert.match(found instanceof Error ? found.message : '', /^after a death (before|after) append \d+: it was not sent/)
})

const specOfCounting = {
  type: 'ACTIVITY_TYPE_COUNT',
  path: 'count',
  summary: 'Counts.',
  intent: t.fields({}),
  result: t.fields({}),
  change: t.fields({ count: t.number }),
  evolve: () => undefined,
} as const

const broken = (run: { readonly states?: readonly (typeof parcels)[]; readonly execute: () => object }) =>
  resource({
    name: 'broken',
    states: run.states ?? [],
    operations: [
      operation({
        type: 'ACTIVITY_TYPE_BREAK',
        path: 'break_it',
        summary: 'Breaks.',
        intent: t.fields({}),
        result: t.fields({}),
        change: t.fields({}),
        execute: () => ({ result: run.execute(), change: {} }),
        evolve: (draft) => parcels.in(draft).clear(),
      }),
    ],
  })

const breaking = async (
  resources: readonly Resource[],
): Promise<{ readonly error: Error; readonly notices: readonly string[] }> => {
  const notices: string[] = []
  const opened = await office({ resources, onNotice: ({ context }) => notices.push(JSON.stringify(context)) })
  const [operation] = resources[0]?.operations ?? []
  try {
    const error = await opened.root.submit(operation as Operation, {}).catch((thrown: unknown) => thrown)
    assert.instance(error, CountersignError)
    return { error: error as Error, notices }
  } finally {
    await opened.close()
  }
}

it('gives what a function of an operation threw as the cause of the error', async () => {
  const bug = new Error('the reason')
  const { error } = await breaking([
    broken({
      execute: () => {
        throw bug
      },
    }),
  ])
  assert.is(error.cause, bug)
})

it('tells of a state that no resource lists', async () => {
  const { error, notices } = await breaking([broken({ execute: () => ({}) })])
  assert.match((error.cause as Error).message, 'no resource of this engine lists the state parcels')
  assert.match(notices.join(), 'no resource of this engine lists the state parcels')
})

it.run()
