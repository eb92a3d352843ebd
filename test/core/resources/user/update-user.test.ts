import { users } from '../../../../core/organization/users.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { updateUser } from '../../../../core/resources/user/update-user.ts'
import { ADA, anyOrganization, fieldsOf, NOBODY, NOW, ORGANIZATION, uuid } from '../execute.ts'

const it = suite('update user')

const tagged = () => {
  const tried = anyOrganization()
  tried.execute(createUserTag, { userTagName: 'signers', userIds: [ADA] })
  tried.execute(createUserTag, { userTagName: 'auditors', userIds: [] })
  return tried
}

it('changes what the intent has', () => {
  const tried = tagged()
  const parameters = { userId: ADA, userName: 'Ada L.', userEmail: 'ada@example.com', userPhoneNumber: '+441234567890' }
  const { result } = tried.execute(updateUser, parameters, { atMs: NOW + 1 })
  assert.equal(result, { userId: ADA })
  const user = users.of(tried.state).get(ADA)
  assert.equal([user?.userName, user?.userEmail, user?.userPhoneNumber], ['Ada L.', 'ada@example.com', '+441234567890'])
  assert.equal([user?.createdAtMs, user?.updatedAtMs], [NOW, NOW + 1])
  assert.equal(user?.tagIds, [uuid(5)])
})

it('replaces tags by a list that is not empty, and leaves them with an empty one', () => {
  const tried = tagged()
  tried.execute(updateUser, { userId: ADA, userTagIds: [uuid(6)] })
  assert.equal(users.of(tried.state).get(ADA)?.tagIds, [uuid(6)])
  tried.execute(updateUser, { userId: ADA, userName: null, userTagIds: [] })
  assert.equal(users.of(tried.state).get(ADA)?.tagIds, [uuid(6)])
})

it('removes a contact by the empty text', () => {
  const tried = anyOrganization()
  tried.execute(updateUser, { userId: ADA, userEmail: 'ada@example.com', userPhoneNumber: '+441234567890' })
  tried.execute(updateUser, { userId: ADA, userEmail: '', userPhoneNumber: '' })
  assert.not.ok('userEmail' in (users.of(tried.state).get(ADA) ?? {}))
  assert.not.ok('userPhoneNumber' in (users.of(tried.state).get(ADA) ?? {}))
})

it('leaves the name as it is with an empty one, and keeps no name in the change', () => {
  const tried = anyOrganization()
  const name = users.of(tried.state).get(ADA)?.userName
  const { change } = tried.execute(updateUser, { userId: ADA, userName: '' })
  assert.equal([users.of(tried.state).get(ADA)?.userName, change], [name, { userId: ADA }])
})

it('refuses a user or a tag that is not there', () => {
  assert.is(
    anyOrganization().refuse(updateUser, { userId: NOBODY }).message,
    `unable to find user ${NOBODY} in organization ${ORGANIZATION}`,
  )
  const failure = anyOrganization().refuse(updateUser, { userId: ADA, userTagIds: [NOBODY] })
  assert.is(failure.message, `unable to find user tag ${NOBODY} in organization ${ORGANIZATION}`)
  assert.is(failure.code, 'RESOURCE_NOT_FOUND')
})

it('refuses what breaks the rules of a field', () => {
  const parameters = { userName: '\n', userEmail: '@', userPhoneNumber: '1', userTagIds: ['x'] }
  const failure = anyOrganization().refuse(updateUser, parameters)
  assert.equal(fieldsOf(failure), ['userId', 'userName', 'userEmail', 'userTagIds.0', 'userPhoneNumber'])
})

it.run()
