import { users } from '../../../../core/organization/users.ts'
import { userTags } from '../../../../core/resources/user-tag/user-tags.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { ADA, anyOrganization, fieldsOf, GRACE, NOBODY, NOW, ORGANIZATION, uuid } from '../execute.ts'

const it = suite('create user tag')

it('creates a tag and gives it to users', () => {
  const tried = anyOrganization()
  const { result, change } = tried.execute(createUserTag, { userTagName: 'signers', userIds: [ADA] }, { atMs: NOW + 1 })
  assert.equal(result, { userTagId: uuid(5), userIds: [ADA] })
  assert.equal(change, { userTagId: uuid(5), userTagName: 'signers', userIds: [ADA] })
  const at = { createdAtMs: NOW + 1, updatedAtMs: NOW + 1 }
  assert.equal([...userTags.of(tried.state).values()], [{ tagId: uuid(5), tagName: 'signers', ...at }])
  assert.equal(users.of(tried.state).get(ADA)?.tagIds, [uuid(5)])
  assert.is(users.of(tried.state).get(ADA)?.updatedAtMs, NOW + 1)
  assert.equal(users.of(tried.state).get(GRACE)?.tagIds, [])
})

it('refuses a name that a tag has', () => {
  const tried = anyOrganization()
  tried.execute(createUserTag, { userTagName: 'signers', userIds: [] })
  const failure = tried.refuse(createUserTag, { userTagName: 'signers', userIds: [] })
  assert.equal(failure.details, [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: 'userTagName', description: 'This field must be unique.' }],
    },
  ])
})

it('refuses a user who is not there', () =>
  assert.is(
    anyOrganization().refuse(createUserTag, { userTagName: 'signers', userIds: [NOBODY] }).message,
    `unable to find user ${NOBODY} in organization ${ORGANIZATION}`,
  ))

it('refuses more tags than the organization may have', () => {
  const parameters = { userTagName: 'signers', userIds: [] }
  const failure = anyOrganization().refuse(createUserTag, parameters, { limits: { userTags: 0 } })
  assert.is(failure.code, 'RESOURCE_EXHAUSTED')
  assert.match(failure.message, 'over its allotted quota')
})

it('refuses an intent without its fields, or with one user twice', () => {
  assert.equal(fieldsOf(anyOrganization().refuse(createUserTag, {})), ['userTagName', 'userIds'])
  const failure = anyOrganization().refuse(createUserTag, { userTagName: 'signers', userIds: [ADA, ADA] })
  assert.equal(fieldsOf(failure), ['userIds'])
})

it.run()
