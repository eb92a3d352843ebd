import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NOBODY, onStage, refusal, violationOf, type Stage } from './stage.ts'

const it = suite('@turnkey/http: user tags')

const createTag = async ({ http, root, asks }: Stage, userTagName: string, userIds: string[] = []): Promise<string> => {
  const body = asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds })
  const { activity } = await http(root).createUserTag(body)
  assert.equal(activity.intent.createUserTagIntent, { userTagName, userIds })
  assert.equal(activity.result.createUserTagResult?.userIds, userIds)
  return activity.result.createUserTagResult?.userTagId ?? ''
}
const tagsOf = async ({ http, root, organizationId }: Stage, userId: string): Promise<readonly string[]> =>
  (await http(root).getUser({ organizationId, userId })).user.userTags

it('creates a tag and gives it to users', () =>
  onStage(async (stage) => {
    const { http, root, enrol, organizationId } = stage
    const ada = await enrol('ada')
    const tagId = await createTag(stage, 'approver', [ada.userId])
    assert.equal(await tagsOf(stage, ada.userId), [tagId])
    const { userTags } = await http(root).listUserTags({ organizationId })
    assert.is(userTags.length, 1)
    assert.equal([userTags[0]?.tagId, userTags[0]?.tagName, userTags[0]?.tagType], [tagId, 'approver', 'TAG_TYPE_USER'])
  }))

it('refuses a tag with the name of another, and one for nobody', () =>
  onStage(async (stage) => {
    const { http, root, asks, organizationId } = stage
    await createTag(stage, 'approver')
    const create = (userTagName: string, userIds: string[]) =>
      refusal(http(root).createUserTag(asks('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds })))
    assert.equal(await create('approver', []), {
      code: 3,
      error: 'REQUEST_INVALID',
      message: 'invalid parameters at userTagName: This field must be unique.',
      details: violationOf('userTagName', 'This field must be unique.'),
    })
    const forNobody = await create('auditor', [NOBODY])
    assert.equal(forNobody.message, `unable to find user ${NOBODY} in organization ${organizationId}`)
    const refused = await refusal(http(root).listUserTags({ organizationId: NOBODY }))
    assert.is(refused.error, 'ORGANIZATION_NOT_FOUND')
  }))

it('renames a tag, gives it to users and takes it from others', () =>
  onStage(async (stage) => {
    const { http, root, asks, enrol, organizationId } = stage
    const [ada, grace] = [await enrol('ada'), await enrol('grace')]
    const userTagId = await createTag(stage, 'approver', [ada.userId])
    const update = { userTagId, newUserTagName: 'signer', addUserIds: [grace.userId], removeUserIds: [ada.userId] }
    const { activity } = await http(root).updateUserTag(asks('ACTIVITY_TYPE_UPDATE_USER_TAG', update))
    assert.equal(activity.result.updateUserTagResult, { userTagId })
    assert.equal([await tagsOf(stage, ada.userId), await tagsOf(stage, grace.userId)], [[], [userTagId]])
    assert.is((await http(root).listUserTags({ organizationId })).userTags[0]?.tagName, 'signer')
    const unknown = { ...update, userTagId: NOBODY }
    const refused = await refusal(http(root).updateUserTag(asks('ACTIVITY_TYPE_UPDATE_USER_TAG', unknown)))
    assert.equal([refused.code, refused.error], [5, 'REQUEST_INVALID'])
    const both = { ...update, removeUserIds: [grace.userId] }
    const contradiction = await refusal(http(root).updateUserTag(asks('ACTIVITY_TYPE_UPDATE_USER_TAG', both)))
    assert.equal(contradiction.details, violationOf('removeUserIds', 'expected no user who is also added'))
  }))

it('deletes tags, and says who had them', () =>
  onStage(async (stage) => {
    const { http, root, asks, enrol, organizationId } = stage
    const ada = await enrol('ada')
    const userTagIds = [await createTag(stage, 'approver', [ada.userId]), await createTag(stage, 'auditor')]
    const remove = () => http(root).deleteUserTags(asks('ACTIVITY_TYPE_DELETE_USER_TAGS', { userTagIds }))
    const { activity } = await remove()
    assert.equal(activity.result.deleteUserTagsResult, { userTagIds, userIds: [ada.userId] })
    assert.equal((await http(root).listUserTags({ organizationId })).userTags, [])
    assert.equal(await tagsOf(stage, ada.userId), [])
    const again = await refusal(remove())
    assert.is(again.message, `unable to find user tag ${userTagIds[0]} in organization ${organizationId}`)
  }))

it.run()
