import { TurnkeyRequestError, type TurnkeyApiTypes } from '@turnkey/sdk-server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Person } from '../../core/world/world.ts'
import { camelCase } from '../../../core/definition/operation-names.ts'
import { until } from '../../until.ts'
import { everyExample, queryExamples } from '../../core/resources/all-examples.ts'
import { journey } from './sdk-journey.ts'
import { onStage, refusal, type Stage } from './stage.ts'

const it = suite('@turnkey/sdk-server')

type Activity = TurnkeyApiTypes['v1Activity']
type Decided = { readonly activity: Activity }

const twoRoots = async ({ root, enrol, done }: Stage): Promise<Person> => {
  const ada = await enrol('ada')
  await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
  return ada
}
const tag = async ({ sdk }: Stage, person: Person, userTagName: string): Promise<Activity> =>
  (await sdk(person).createUserTag({ userTagName, userIds: [] })).activity
const lookUps = ({ exchanges }: Stage): number => exchanges.filter(({ path }) => path.endsWith('/get_activity')).length

for (const by of ['sdk', 'http'] as const)
  it(`goes through every operation and query, refused and done, by the client ${by}`, () =>
    onStage(async (stage) => {
      const unknown = await journey(stage, { by })
      const { engine, exchanges } = stage
      // `examples.test.ts` says which have no example.
      const operationsPlayed = everyExample
        .map(({ operation }) => operation)
        .filter((one) => engine.catalogue.operations.includes(one))
        .map(({ path }) => path)
      const queriesPlayed = queryExamples
        .map(({ query }) => query)
        .filter((one) => engine.queries.includes(one))
        .map(({ path }) => path)
      const seen = (isRight: (status: number) => boolean) =>
        [...new Set(exchanges.filter(({ status }) => isRight(status)).map(({ path }) => path))].toSorted()
      const paths = [
        ...[...operationsPlayed, 'approve_activity', 'reject_activity'].map((path) => `/public/v1/submit/${path}`),
        ...queriesPlayed.map((path) => `/public/v1/query/${path}`),
      ].toSorted()
      assert.equal(seen((status) => status === 200), paths) // prettier-ignore
      assert.equal(seen((status) => status >= 400), paths) // prettier-ignore
      assert.ok(unknown.length * 4 < paths.length, 'the client knows most of them')
      for (const path of unknown) assert.not.ok(camelCase(path.replace(/^\w+\//, '')) in stage[by](stage.root), path)
    }))

it('spreads a result over the answer, also where the result is empty', () =>
  onStage(async ({ sdk, root }) => {
    const { activity, ...rest } = await sdk(root).updateRootQuorum({ threshold: 1, userIds: [root.userId] })
    assert.equal(activity.result.updateRootQuorumResult, {})
    assert.equal(rest, {})
  }))

it('completes an activity with two users', () =>
  onStage(async (stage) => {
    const { sdk, root } = stage
    const ada = await twoRoots(stage)
    const parked = await tag(stage, root, 'a')
    assert.equal([parked.status, parked.result], ['ACTIVITY_STATUS_CONSENSUS_NEEDED', {}])
    const answer = await sdk(ada).approveActivity({ fingerprint: parked.fingerprint })
    const { activity } = answer as Decided // the client's own type leaves it out
    assert.equal([activity.id, activity.status], [parked.id, 'ACTIVITY_STATUS_COMPLETED'])
    const { createUserTagResult } = activity.result
    const { userTags } = await sdk(root).listUserTags()
    assert.is(createUserTagResult?.userTagId, userTags[0]?.tagId)
  }))

it('ends an activity that one of two users rejects', () =>
  onStage(async (stage) => {
    const { sdk, root } = stage
    const ada = await twoRoots(stage)
    const { fingerprint, id } = await tag(stage, root, 'a')
    const { activity } = (await sdk(ada).rejectActivity({ fingerprint })) as Decided // the client's own type leaves it out
    assert.equal(
      [activity.id, activity.status, activity.result.createUserTagResult],
      [id, 'ACTIVITY_STATUS_REJECTED', undefined],
    )
    assert.equal((await sdk(root).getActivity({ activityId: id })).activity.votes.length, 2)
    assert.equal((await sdk(root).listUserTags()).userTags, [])
  }))

it('needs two of three where a policy says so, and parses a denial', () =>
  onStage(async (stage) => {
    const { sdk, root, enrol } = stage
    const { userTagId } = await sdk(root).createUserTag({ userTagName: 'approver', userIds: [] })
    const people = [
      await enrol('grace', [userTagId]),
      await enrol('edsger', [userTagId]),
      await enrol('barbara', [userTagId]),
    ]
    const ada = await enrol('ada')
    const { policyId } = await sdk(root).createPolicy({
      policyName: 'two of three',
      effect: 'EFFECT_ALLOW',
      condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
      consensus: `approvers.filter(user, user.tags.contains('${userTagId}')).count() >= 2`,
      notes: '',
    })
    const { fingerprint } = await tag(stage, ada, 'wanted')
    const statuses: string[] = []
    for (const person of people) {
      const decided = (await sdk(person).approveActivity({ fingerprint })) as Decided // the client's own type leaves it out
      statuses.push(decided.activity.status.replace('ACTIVITY_STATUS_', ''))
    }
    assert.equal(statuses, ['CONSENSUS_NEEDED', 'COMPLETED', 'COMPLETED'])

    const denied = sdk(ada).deletePolicy({ policyId })
    const error = await denied.catch((error: unknown) => error)
    assert.instance(error, TurnkeyRequestError)
    const { code, details } = await refusal(denied)
    assert.is(code, 7)
    assert.equal(details[0]?.['policyEvaluations'], [{ policyId, outcome: 'OUTCOME_DENY_IMPLICIT' }])
  }))

it('polls what is not finished as often as it is told to, and gives it as it is', () =>
  onStage(async (stage) => {
    const { sdk, root } = stage
    await twoRoots(stage)
    const client = sdk(root, { intervalMs: 1, numRetries: 2 })
    const { activity } = await client.createUserTag({ userTagName: 'a', userIds: [] })
    assert.is(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.is(lookUps(stage), 4) // the retries, the first look, and the one that is given
  }))

it('sees an approval that arrives while it polls', () =>
  onStage(async (stage) => {
    const { sdk, root, organizationId } = stage
    const ada = await twoRoots(stage)
    const asked = sdk(root, { intervalMs: 5, numRetries: 1_000_000 }).createUserTag({ userTagName: 'a', userIds: [] })
    await until(() => lookUps(stage) >= 2)
    const [parked] = (await sdk(ada).getActivities({ organizationId })).activities
    assert.ok(parked)
    await sdk(ada).approveActivity({ fingerprint: parked.fingerprint })
    const { activity, userTagId } = await asked
    assert.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
    assert.is(activity.result.createUserTagResult?.userTagId, userTagId)
    assert.type(activity.createdAt.seconds, 'string')
  }))

it.run()
