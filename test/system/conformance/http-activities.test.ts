import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { specification, violations } from './specification.ts'
import { NOBODY, onStage, refusal, violationOf, type Stage } from './stage.ts'

const it = suite('@turnkey/http: activities and the organization')

const tagUsers = async ({ http, root, asks }: Stage, count: number): Promise<readonly string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const body = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: `tag ${n}`, userIds: [] })
    ids.unshift((await http(root).createUserTag(body)).activity.id) // newest first, as they are listed
  }
  return ids
}
type Listed = { readonly id: string }
const idsOf = ({ activities }: { readonly activities: readonly Listed[] }): readonly string[] =>
  activities.map(({ id }) => id)

it('shows an activity as its submit did', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const body = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'a', userIds: [] })
    const submitted = (await http(root).createUserTag(body)).activity
    const { activity } = await http(root).getActivity({ organizationId, activityId: submitted.id })
    assert.equal(activity.votes, submitted.votes)
    assert.equal(activity.createdAt, submitted.createdAt)
    assert.equal(activity.result, { createUserTagResult: submitted.result.createUserTagResult })
    assert.equal(activity.votes[0]?.message, JSON.stringify(body))
    assert.equal([activity.votes[0]?.userId, activity.votes[0]?.user.userName], [root.userId, 'root'])
    assert.is(activity.votes[0]?.scheme, 'SIGNATURE_SCHEME_TK_API_P256')
    assert.is(activity.failure, null)
    assert.match(activity.fingerprint, /^sha256:[0-9a-f]{64}$/)
  }))

it('refuses to show an activity that is not there', () =>
  onStage(async ({ http, root, organizationId }) => {
    assert.equal(await refusal(http(root).getActivity({ organizationId, activityId: NOBODY })), {
      code: 5,
      error: 'REQUEST_INVALID',
      message: 'activity not found',
      details: [],
    })
    const malformed = await refusal(http(root).getActivity({ organizationId, activityId: 'first' }))
    assert.equal(malformed.details, violationOf('activityId', 'expected a UUID'))
  }))

it('lists activities newest first, ten at a time unless asked otherwise', () =>
  onStage(async (stage) => {
    const { http, root, organizationId } = stage
    const ids = await tagUsers(stage, 12)
    const list = (paginationOptions?: { readonly limit?: string; readonly before?: string; readonly after?: string }) =>
      http(root).getActivities({ organizationId, ...(paginationOptions === undefined ? {} : { paginationOptions }) })
    assert.equal(idsOf(await list()), ids.slice(0, 10))
    assert.equal(idsOf(await list({ limit: '3' })), ids.slice(0, 3))
    const all = await list({ limit: '100' })
    assert.equal(idsOf(all).slice(0, 12), ids)
    assert.is(all.activities[12]?.type, 'ACTIVITY_TYPE_CREATE_ORGANIZATION')
    const [third = '', last = ''] = [ids[2], ids[11]]
    assert.equal(idsOf(await list({ limit: '4', before: third })), ids.slice(3, 7))
    assert.equal(idsOf(await list({ limit: '2', after: third })), ids.slice(0, 2))
    assert.equal(idsOf(await list({ limit: '2', after: last })), ids.slice(9, 11))
  }))

it('shows and lists the activity by which the organization began, in the shape that strict clients decode', () =>
  onStage(async ({ http, root, organizationId, exchanges }) => {
    const { activities } = await http(root).getActivities({ organizationId })
    const [began] = activities
    assert.equal(
      [activities.length, began?.type, began?.intent, began?.result],
      [1, 'ACTIVITY_TYPE_CREATE_ORGANIZATION', {}, { createOrganizationResult: { organizationId } }],
    )
    const { activity } = await http(root).getActivity({ organizationId, activityId: began?.id ?? '' })
    assert.equal(activity, began)
    assert.match(began?.votes[0]?.message ?? '', /"rootUsers":\[\{"userName":"root"/)
    if (specification === undefined) return
    const [page, one] = exchanges.map(({ body }) => JSON.parse(body) as unknown)
    assert.equal(violations(specification, 'v1GetActivitiesResponse', page), [])
    assert.equal(violations(specification, 'v1ActivityResponse', one), [])
  }))

it('walks through all activities page by page', () =>
  onStage(async (stage) => {
    const { http, root, organizationId } = stage
    const ids = await tagUsers(stage, 7)
    const walked: string[] = []
    for (let before = ''; ; before = walked.at(-1) ?? '') {
      const page = idsOf(
        await http(root).getActivities({
          organizationId,
          paginationOptions: { limit: '3', ...(before && { before }) },
        }),
      )
      if (page.length === 0) break
      walked.push(...page)
    }
    assert.equal(walked.slice(0, 7), ids)
    assert.is(walked.length, 8)
  }))

it('lists activities by status and type', () =>
  onStage(async (stage) => {
    const { http, root, asks, enrol, organizationId } = stage
    const ada = await enrol('ada')
    const tags = await tagUsers(stage, 2)
    await refusal(
      http(ada).createUserTag(asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'denied', userIds: [] })),
    )
    const list = async (filter: Omit<Parameters<ReturnType<typeof http>['getActivities']>[0], 'organizationId'>) =>
      (await http(root).getActivities({ organizationId, ...filter })).activities
    const rejected = await list({ filterByStatus: ['ACTIVITY_STATUS_REJECTED'] })
    assert.equal(
      rejected.map(({ status, type }) => [status, type]),
      [['ACTIVITY_STATUS_REJECTED', 'ACTIVITY_TYPE_CREATE_USER_TAG']],
    )
    const filterByType = ['ACTIVITY_TYPE_CREATE_USER_TAG' as const]
    assert.equal(idsOf({ activities: await list({ filterByType }) }), [rejected[0]?.id, ...tags])
    const completed = await list({ filterByType, filterByStatus: ['ACTIVITY_STATUS_COMPLETED'] })
    assert.equal(idsOf({ activities: completed }), tags)
    assert.equal(await list({ filterByStatus: ['ACTIVITY_STATUS_PENDING'] }), [])
  }))

it('refuses pages that make no sense', () =>
  onStage(async (stage) => {
    const { http, root, organizationId } = stage
    const [id = ''] = await tagUsers(stage, 1)
    const refused = async (paginationOptions: { readonly [member: string]: string }) =>
      (await refusal(http(root).getActivities({ organizationId, paginationOptions }))).details
    const inLimit = 'expected an integer from 1 to 100, in a string'
    assert.equal(await refused({ limit: '0' }), violationOf('paginationOptions.limit', inLimit))
    assert.equal(await refused({ limit: '101' }), violationOf('paginationOptions.limit', inLimit))
    assert.equal(
      await refused({ before: id, after: id }),
      violationOf('paginationOptions.after', 'expected only one of before and after'),
    )
    const ofOrganization = 'expected the id of an activity of the organization'
    assert.equal(await refused({ before: NOBODY }), violationOf('paginationOptions.before', ofOrganization))
    const filterByStatus = ['ACTIVITY_STATUS_LOST'] as never[]
    const badStatus = await refusal(http(root).getActivities({ organizationId, filterByStatus }))
    assert.equal([badStatus.code, badStatus.error], [3, 'REQUEST_INVALID'])
  }))

it('changes the root quorum, and shows it', () =>
  onStage(async ({ http, root, asks, enrol, organizationId }) => {
    const ada = await enrol('ada')
    const quorum = { threshold: 1, userIds: [root.userId, ada.userId] }
    const { activity } = await http(root).updateRootQuorum(asks('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum))
    assert.equal(activity.result.updateRootQuorumResult, {})
    const { configs } = await http(ada).getOrganizationConfigs({ organizationId })
    assert.equal([configs.features, configs.quorum], [[], quorum])
  }))

it('refuses a root quorum that could not be met', () =>
  onStage(async ({ http, root, asks, organizationId }) => {
    const update = async (threshold: number, userIds: string[]) =>
      refusal(http(root).updateRootQuorum(asks('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold, userIds })))
    assert.match((await update(0, [root.userId])).message, /quorum threshold must be non-zero integer/)
    assert.match((await update(2, [root.userId])).message, /quorum threshold must not be larger/)
    assert.equal(await update(1, [NOBODY]), {
      code: 3,
      error: 'REQUEST_INVALID',
      message: 'quorum users missing',
      details: [],
    })
    const elsewhere = await refusal(http(root).getOrganizationConfigs({ organizationId: NOBODY }))
    assert.is(elsewhere.error, 'ORGANIZATION_NOT_FOUND')
    assert.is((await http(root).getOrganizationConfigs({ organizationId })).configs.quorum?.threshold, 1)
  }))

it('lets no policy change the root quorum', () =>
  onStage(async ({ http, root, asks, enrol }) => {
    const ada = await enrol('ada')
    const everything = { policyName: 'everything', effect: 'EFFECT_ALLOW' as const, notes: '' }
    await http(root).createPolicy(asks('ACTIVITY_TYPE_CREATE_POLICY_V3', everything))
    const quorum = { threshold: 1, userIds: [ada.userId] }
    const denied = await refusal(http(ada).updateRootQuorum(asks('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', quorum)))
    assert.equal([denied.code, denied.error], [7, 'REQUEST_NOT_AUTHORIZED'])
    assert.equal(denied.details[0]?.['policyEvaluations'], [])
  }))

it.run()
