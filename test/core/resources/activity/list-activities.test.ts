import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import { anyCommit, anyEvent } from '../../../../adapters/testing/any.ts'
import { right } from '../../../../adapters/testing/expect.ts'
import { refuse } from '../../../../core/definition/refuse.ts'
import type { Json } from '../../../../core/failure.ts'
import { getActivity } from '../../../../core/resources/activity/get-activity.ts'
import { getPolicyEvaluations } from '../../../../core/resources/activity/get-policy-evaluations.ts'
import { listActivities } from '../../../../core/resources/activity/list-activities.ts'
import type { QueryContext } from '../../../../core/definition/query.ts'
import type { ShownEvaluations } from '../../../../core/view/activity-view.ts'
import { anyOrganization, fieldsOf, NOBODY, ORGANIZATION, uuid } from '../execute.ts'
import { answer, refusal, shown } from '../ask.ts'

const it = suite('list activities')

/** Twelve activities; every third waits for votes, every second creates users. */
const context = async (): Promise<Partial<QueryContext>> => {
  const { store } = memoryStore()
  const commits = Array.from({ length: 12 }, (_, i) => i + 1).map((n) =>
    anyCommit({
      organization: ORGANIZATION,
      events: [
        anyEvent({
          activity: uuid(n),
          standing: {
            type: n % 2 === 0 ? 'ACTIVITY_TYPE_CREATE_USERS_V4' : 'ACTIVITY_TYPE_CREATE_POLICY_V3',
            status: n % 3 === 0 ? 'ACTIVITY_STATUS_CONSENSUS_NEEDED' : 'ACTIVITY_STATUS_COMPLETED',
          },
        }),
      ],
    }),
  )
  await right(store.append(commits))
  return {
    activityIds: async (selection) =>
      (await right(store.activities(ORGANIZATION, selection))).map(({ activity }) => activity),
    beginningOf: async (id) => (await right(store.readActivity(ORGANIZATION, id)))[0]?.sequence,
    knowsType: () => true,
    activity: async (id) => shown(id),
    activities: async (ids) => ids.map(shown),
  }
}

const list = async (body: { readonly [member: string]: Json } = {}): Promise<readonly number[]> => {
  const { activities } = await answer(listActivities, anyOrganization().state, body, await context())
  return (activities as readonly { readonly id: string }[]).map(({ id }) => Number.parseInt(id.slice(-12), 16)) // as put above
}
const page = (paginationOptions: { readonly [member: string]: Json }) => list({ paginationOptions })

it('lists the newest ten, newest first', async () => assert.equal(await list(), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]))

it('lists as many as asked for', async () => {
  assert.equal(await page({ limit: '2' }), [12, 11])
  assert.is((await page({ limit: '100' })).length, 12)
})

it('goes on to older ones, and back to newer ones', async () => {
  assert.equal(await page({ limit: '2', before: uuid(5) }), [4, 3])
  assert.equal(await page({ limit: '2', after: uuid(5) }), [7, 6])
  assert.equal(await page({ before: uuid(1) }), [])
  assert.equal(await page({ after: uuid(12) }), [])
})

it('selects by status and by type', async () => {
  assert.equal(await list({ filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] }), [12, 9, 6, 3])
  const filterByType = ['ACTIVITY_TYPE_CREATE_USERS_V4']
  assert.equal(await list({ filterByType, filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] }), [12, 6])
  assert.equal(await list({ filterByType, paginationOptions: { limit: '2', after: uuid(5) } }), [8, 6])
})

it('reads empty filters and empty texts as none', async () => {
  const paginationOptions = { limit: '', before: '', after: '' }
  assert.is((await list({ filterByStatus: [], filterByType: [], paginationOptions })).length, 10)
  assert.is((await list({ filterByStatus: null, filterByType: null, paginationOptions: null })).length, 10)
})

for (const limit of ['0', '101', '-1', '1.0', '01', 'ten', 5])
  it(`refuses a limit of ${JSON.stringify(limit)}`, async () => {
    const failure = await refusal(listActivities, anyOrganization().state, { paginationOptions: { limit } })
    assert.equal(fieldsOf(failure), ['paginationOptions.limit'])
  })

it('refuses to look both ways at once', async () => {
  const paginationOptions = { before: uuid(1), after: uuid(2) }
  const failure = await refusal(listActivities, anyOrganization().state, { paginationOptions }, await context())
  assert.equal(fieldsOf(failure), ['paginationOptions.after'])
})

it('refuses to begin at an activity that is not there', async () => {
  for (const member of ['before', 'after']) {
    const body = { paginationOptions: { [member]: NOBODY } }
    const refused = await refusal(listActivities, anyOrganization().state, body, await context())
    assert.is(refused.code, 'REQUEST_INVALID')
    assert.equal(fieldsOf(refused), [`paginationOptions.${member}`])
  }
})

it('refuses a status that there is not', async () => {
  const refused = await refusal(listActivities, anyOrganization().state, { filterByStatus: ['COMPLETED'] })
  assert.equal(fieldsOf(refused), ['filterByStatus.0'])
})

it('shows one activity, or says that there is none', async () => {
  const answered = await answer(getActivity, anyOrganization().state, { activityId: uuid(7) }, await context())
  assert.equal(answered, { activity: shown(uuid(7)) })
  const activity = () => Promise.reject(refuse('ACTIVITY_NOT_FOUND', 'activity not found'))
  const refused = await refusal(getActivity, anyOrganization().state, { activityId: uuid(7) }, { activity })
  assert.is(refused.code, 'ACTIVITY_NOT_FOUND')
})

it('shows what the rules said at each vote', async () => {
  const evaluated: ShownEvaluations = {
    id: uuid(1),
    activityId: uuid(7),
    organizationId: ORGANIZATION,
    voteId: uuid(1),
    policyEvaluations: [{ policyId: uuid(2), outcome: 'OUTCOME_ALLOW' }],
    createdAt: { seconds: '1', nanos: '0' },
  }
  const evaluations = async () => [evaluated]
  const answered = await answer(getPolicyEvaluations, anyOrganization().state, { activityId: uuid(7) }, { evaluations })
  assert.equal(answered, { policyEvaluations: [evaluated] })
})

it('takes at most fifty types, each as often as it likes, and every status', async () => {
  const types = (length: number): readonly string[] => Array.from({ length }, (_, n) => `ACTIVITY_TYPE_${n % 60}`)
  const filterByStatus = Array.from({ length: 10_000 }, () => 'ACTIVITY_STATUS_COMPLETED')
  assert.equal(await list({ filterByType: types(50), filterByStatus }), [])
  const refused = (filterByType: readonly string[]) =>
    refusal(listActivities, anyOrganization().state, { filterByType })
  assert.equal(fieldsOf(await refused(types(51))), ['filterByType'])
  assert.equal(await list({ filterByType: ['x'.repeat(128)] }), [])
  assert.equal(fieldsOf(await refused(['x'.repeat(129)])), ['filterByType.0'])
})

it.run()
