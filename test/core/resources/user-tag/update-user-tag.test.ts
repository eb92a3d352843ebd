import { users } from '../../../../core/organization/users.ts'
import { userTags } from '../../../../core/resources/user-tag/user-tags.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { updateUserTag } from '../../../../core/resources/user-tag/update-user-tag.ts'
import { ADA, anyOrganization, fieldsOf, GRACE, NOBODY, NOW, uuid } from '../execute.ts'

const it = suite('update user tag')

const [TAG, OTHER_TAG] = [uuid(5), uuid(6)]
const tagged = () => {
  const tried = anyOrganization()
  tried.execute(createUserTag, { userTagName: 'signers', userIds: [ADA] })
  tried.execute(createUserTag, { userTagName: 'auditors', userIds: [ADA] })
  return tried
}
const anyIntent = { userTagId: TAG, addUserIds: [], removeUserIds: [] }

it('renames a tag, gives it to users and takes it from others', () => {
  const tried = tagged()
  const parameters = { userTagId: TAG, newUserTagName: 'approvers', addUserIds: [GRACE], removeUserIds: [ADA] }
  assert.equal(tried.execute(updateUserTag, parameters, { atMs: NOW + 1 }).result, { userTagId: TAG })
  assert.is(userTags.of(tried.state).get(TAG)?.tagName, 'approvers')
  assert.equal(
    [userTags.of(tried.state).get(TAG)?.createdAtMs, userTags.of(tried.state).get(TAG)?.updatedAtMs],
    [NOW, NOW + 1],
  )
  assert.equal(users.of(tried.state).get(GRACE)?.tagIds, [TAG])
  assert.equal(users.of(tried.state).get(ADA)?.tagIds, [OTHER_TAG])
})

it('leaves as it is who has the tag already, or never had it', () => {
  const tried = tagged()
  const { change } = tried.execute(
    updateUserTag,
    { ...anyIntent, newUserTagName: null, addUserIds: [ADA], removeUserIds: [GRACE] },
    { atMs: NOW + 1 },
  )
  assert.equal(change, { userTagId: TAG, addUserIds: [ADA], removeUserIds: [GRACE] })
  assert.equal(users.of(tried.state).get(ADA)?.tagIds, [TAG, OTHER_TAG])
  assert.equal(
    [ADA, GRACE].map((userId) => users.of(tried.state).get(userId)?.updatedAtMs),
    [NOW, NOW],
  )
})

it('lets a tag keep its name, and refuses that of another', () => {
  tagged().execute(updateUserTag, { ...anyIntent, newUserTagName: 'signers' })
  const failure = tagged().refuse(updateUserTag, { ...anyIntent, newUserTagName: 'auditors' })
  assert.equal(fieldsOf(failure), ['newUserTagName'])
  assert.match(failure.message, 'This field must be unique.')
})

it('refuses a tag or a user that is not there', () => {
  assert.is(tagged().refuse(updateUserTag, { ...anyIntent, userTagId: NOBODY }).code, 'RESOURCE_NOT_FOUND')
  assert.is(tagged().refuse(updateUserTag, { ...anyIntent, addUserIds: [NOBODY] }).code, 'RESOURCE_NOT_FOUND')
  assert.is(tagged().refuse(updateUserTag, { ...anyIntent, removeUserIds: [NOBODY] }).code, 'RESOURCE_NOT_FOUND')
})

it('refuses to add and remove one user', () => {
  const failure = tagged().refuse(updateUserTag, { ...anyIntent, addUserIds: [ADA], removeUserIds: [ADA] })
  assert.equal(fieldsOf(failure), ['removeUserIds'])
})

it('refuses an intent without its lists', () =>
  assert.equal(fieldsOf(tagged().refuse(updateUserTag, { userTagId: TAG })), ['addUserIds', 'removeUserIds']))

it.run()
