import { users } from '../../../../core/organization/users.ts'
import { userTags } from '../../../../core/resources/user-tag/user-tags.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { deleteUserTags } from '../../../../core/resources/user-tag/delete-user-tags.ts'
import { ADA, anyOrganization, fieldsOf, GRACE, NOBODY, uuid } from '../execute.ts'

const it = suite('delete user tags')

it('deletes tags, and takes them from all who had them', () => {
  const tried = anyOrganization()
  tried.execute(createUserTag, { userTagName: 'signers', userIds: [ADA] })
  tried.execute(createUserTag, { userTagName: 'auditors', userIds: [ADA, GRACE] })
  const { result } = tried.execute(deleteUserTags, { userTagIds: [uuid(5)] })
  assert.equal(result, { userTagIds: [uuid(5)], userIds: [ADA] })
  assert.equal([...userTags.of(tried.state).keys()], [uuid(6)])
  assert.equal(
    [ADA, GRACE].map((userId) => users.of(tried.state).get(userId)?.tagIds),
    [[uuid(6)], [uuid(6)]],
  )
})

it('refuses tags that are not there, none, and one twice', () => {
  assert.is(anyOrganization().refuse(deleteUserTags, { userTagIds: [NOBODY] }).code, 'RESOURCE_NOT_FOUND')
  for (const userTagIds of [[], [NOBODY, NOBODY]])
    assert.equal(fieldsOf(anyOrganization().refuse(deleteUserTags, { userTagIds })), ['userTagIds'])
})

it.run()
