import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpServer, type HttpServer } from '../../../adapters/http/index.ts'
import {
  connect,
  CountersignError,
  createEngine,
  generateKey,
  publicApi,
  type Client,
  type Engine,
  type SigningKey,
} from '../../../adapters/index.ts'
import {
  createPolicy,
  createUsers,
  createUserTag,
  getActivity,
  listActivities,
  updateRootQuorum,
} from '../../../core/api.ts'
import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Json } from '../../../core/failure.ts'
import type { ShownActivity } from '../../../core/view/activity-view.ts'
import { PATIENT } from '../../adapters/http/transport.ts'

const it = suite('a client of a server that lies')

type Activity = { readonly [member: string]: Json }
type Lie = (activity: Activity) => Activity

let engine: Engine
let server: HttpServer
let url: string
let organizationId: string
let rootId: string
let graceId: string
let another: ShownActivity
const [root, ada, grace] = [generateKey(), generateKey(), generateKey('API_KEY_CURVE_ED25519')]

const asItIs: Lie = (activity) => activity
/** The paths that were asked through the proxy. */
const asked: string[] = []

/** The client of a user behind a proxy, which changes the activity of each answer. */
const behind = (key: SigningKey, lie: Lie, id = organizationId): Client =>
  connect({
    url,
    organizationId: id,
    key,
    fetch: async (to, init) => {
      asked.push(new URL(new Request(to).url).pathname.replace('/public/v1/', ''))
      const answer = await fetch(to, init)
      const { activity, activities, ...rest } = (await answer.json()) as { readonly [member: string]: Json }
      const changed = { ...rest, ...(activity === undefined ? {} : { activity: lie(activity as Activity) }) }
      const all = activities === undefined ? {} : { activities: (activities as readonly Activity[]).map(lie) }
      return new Response(JSON.stringify({ ...changed, ...all }), { status: answer.status })
    },
  })

let names = 0
const tag = () => ({ userTagName: `tag ${(names += 1)}`, userIds: [] })

const waiting = async (): Promise<string> => {
  const { status, activity } = await engine.as({ organizationId, key: ada }).submit(createUserTag, tag())
  assert.is(status, 'consensus-needed')
  return activity.id
}
const shownBy = async (client: Client, activityId: string): Promise<ShownActivity> =>
  (await client.query(getActivity, { activityId })).activity
const statusOf = async (activityId: string): Promise<string> =>
  (await shownBy(engine.as({ organizationId, key: root }), activityId)).status

const failureOf = (promise: Promise<unknown>): Promise<readonly [code: string, message: string]> =>
  promise.then(
    () => ['none', ''],
    (error: unknown) => {
      if (error instanceof CountersignError) return [error.code, error.message]
      throw error
    },
  )

it.before(async () => {
  engine = await createEngine({ store: memoryStore(), resources: publicApi })
  const begun = await engine.createOrganization({ name: 'Post', key: root })
  organizationId = begun.organizationId
  server = httpServer(engine, PATIENT)
  ;({ url } = await server.listen())
  const client = engine.as({ organizationId, key: root })
  const users = [ada, grace].map(({ publicKey, curve }, index) => ({
    userName: `officer ${index}`,
    apiKeys: [{ apiKeyName: 'key', publicKey, curveType: curve }],
    authenticators: [],
    oauthProviders: [],
    userTags: [],
  }))
  const created = await client.submit(createUsers, { users })
  rootId = created.activity.votes[0]?.userId ?? ''
  graceId = created.result?.userIds[1] ?? ''
  await client.submit(createPolicy, {
    policyName: 'two for tags and users',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  another = await shownBy(client, await waiting())
})
it.after(async () => {
  await server.close()
  await engine.close()
})

const otherIntent: Lie = (activity) => ({ ...activity, intent: { createUserTagIntent: { userTagName: 'harmless' } } })
/** What is wrong whatever was asked for. */
const lies: { readonly [lie: string]: Lie } = {
  'another fingerprint': (activity) => ({ ...activity, fingerprint: another.fingerprint }),
  'another type': (activity) => ({ ...activity, type: 'ACTIVITY_TYPE_DELETE_USER_TAGS' }),
  'another organization': (activity) => ({ ...activity, organizationId: another.id }),
  'another id': (activity) => ({ ...activity, id: another.id }),
  'another intent under the right fingerprint': otherIntent,
}
/** What is wrong in an answer alone: whoever is shown another activity, and votes on that one, votes on what was shown. */
const answered: typeof lies = { ...lies, 'another activity': () => JSON.parse(JSON.stringify(another)) as Activity }
/** What is wrong only before a vote. */
const shownBefore: typeof lies = {
  ...lies,
  'no intent': (activity) => ({ ...activity, intent: {} }),
  'no votes': (activity) => ({ ...activity, votes: [] }),
}

for (const voting of ['approve', 'reject'] as const) {
  for (const [what, lie] of Object.entries(shownBefore))
    it(`sends no ${voting} if it was shown ${what}`, async () => {
      const id = await waiting()
      const client = behind(grace, lie)
      const listed = await client.query(listActivities, { paginationOptions: { limit: '1' } })
      for (const shown of [await shownBy(client, id), ...listed.activities]) {
        asked.length = 0
        const [code, message] = await failureOf(client[voting](shown))
        assert.is(code, 'REQUEST_INVALID')
        assert.match(message, /^nothing was sent: /)
        assert.equal(asked, [])
      }
      assert.is(await statusOf(id), 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    })

  for (const [what, lie] of Object.entries(answered)) {
    it(`does not take an answer to ${voting} with ${what}`, async () => {
      const shown = await shownBy(behind(grace, asItIs), await waiting())
      const [code, message] = await failureOf(behind(grace, lie)[voting](shown))
      assert.is(code, 'INTERNAL')
      assert.match(message, /^unexpected answer: /)
    })

    if (lie !== otherIntent)
      it(`does not take an answer to ${voting} by fingerprint with ${what}`, async () => {
        const { fingerprint } = await shownBy(behind(grace, asItIs), await waiting())
        assert.is((await failureOf(behind(grace, lie)[voting](fingerprint)))[0], 'INTERNAL')
      })
  }

  it(`leaves out an intent that the request of a fingerprint does not prove, in an answer to ${voting}`, async () => {
    const { fingerprint } = await shownBy(behind(grace, asItIs), await waiting())
    const { activity } = await behind(grace, otherIntent)[voting](fingerprint)
    assert.equal([activity.fingerprint, activity.intent], [fingerprint, {}])
  })
}

it('does not approve the change of a quorum that is shown as something harmless', async () => {
  const change = { threshold: 1, userIds: [rootId] }
  const asking = engine.as({ organizationId, key: root })
  await asking.submit(updateRootQuorum, { threshold: 2, userIds: [rootId, graceId] })
  const { activity } = await asking.submit(updateRootQuorum, change)
  const shown = await shownBy(behind(grace, asItIs), activity.id)
  const harmless = { ...another, fingerprint: shown.fingerprint }
  assert.is((await failureOf(behind(grace, asItIs).approve(harmless)))[0], 'REQUEST_INVALID')
  const hidden = { ...shown, intent: { updateRootQuorumIntent: { ...change, userIds: [] } } }
  assert.is((await failureOf(behind(grace, asItIs).approve(hidden)))[0], 'REQUEST_INVALID')
  assert.is((await behind(grace, asItIs).approve(shown)).status, 'completed')
})

for (const [what, lie] of Object.entries(answered)) {
  it(`does not take an answer to submit with ${what}`, async () => {
    const [code, message] = await failureOf(behind(ada, lie).submit(createUserTag, tag()))
    assert.is(code, 'INTERNAL')
    assert.match(message, /^unexpected answer: /)
    const tried = await behind(ada, lie).try(createUserTag, tag())
    assert.is(!tried.ok && tried.failure.code, 'INTERNAL')
  })

  it(`does not wait for ${what}`, async () => {
    let answers = 0
    const later: Lie = (activity) => ((answers += 1) === 1 ? activity : lie(activity))
    const submitted = behind(ada, later).submitAndWait(createUserTag, tag(), { everyMs: 1 })
    assert.is((await failureOf(submitted))[0], 'INTERNAL')
    assert.is(answers, 2)
  })
}

it('takes honest answers: of another spelling, of an older version, of a denial', async () => {
  const upper = behind(ada, asItIs, organizationId.toUpperCase())
  const created = await upper.submit(createUserTag, { ...tag(), userIds: [rootId.toUpperCase()] })
  assert.is((await behind(grace, asItIs).approve(created.activity)).status, 'completed')

  const older = {
    type: 'ACTIVITY_TYPE_CREATE_USERS_V2',
    timestampMs: String(Date.now()),
    organizationId,
    parameters: {
      users: [
        {
          userName: 'Joan',
          userEmail: null,
          apiKeys: [{ apiKeyName: 'key', publicKey: generateKey('API_KEY_CURVE_P256').publicKey.toUpperCase() }],
          authenticators: [],
          userTags: [],
        },
      ],
    },
  }
  const { id } = await engine.submit('create_users', stampedRequest(ada, older))
  const shown = await shownBy(behind(grace, asItIs), id)
  assert.is((await behind(grace, asItIs).approve(shown)).status, 'completed')

  const policy = { effect: 'EFFECT_ALLOW', condition: 'true', consensus: 'true', notes: '' } as const
  const denied = await failureOf(behind(ada, asItIs).submit(createPolicy, { policyName: 'mine', ...policy }))
  assert.is(denied[0], 'REQUEST_NOT_AUTHORIZED')
  const { activities } = await behind(grace, asItIs).query(listActivities, { paginationOptions: { limit: '1' } })
  const [denial] = activities
  assert.is(denial?.status, 'ACTIVITY_STATUS_REJECTED')
  assert.is((await failureOf(behind(grace, asItIs).approve(denial ?? another)))[0], 'ACTIVITY_NOT_FOUND')
})

it.run()
