import { users } from '../../../../core/organization/users.ts'
import { credentials } from '../../../../core/organization/credentials.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { updateRootQuorum } from '../../../../core/resources/quorum/update-root-quorum.ts'
import { deleteUsers } from '../../../../core/resources/user/delete-users.ts'
import { ADA, anyOrganization, fieldsOf, GRACE, NOBODY, publicKey } from '../execute.ts'

const it = suite('delete users')

it('deletes users and their credentials', () => {
  const tried = anyOrganization()
  tried.execute(updateRootQuorum, { threshold: 1, userIds: [ADA] })
  assert.equal(tried.execute(deleteUsers, { userIds: [GRACE] }).result, { userIds: [GRACE] })
  assert.equal([...users.of(tried.state).keys()], [ADA])
  assert.equal([...credentials.of(tried.state).keys()], [`api-key:${publicKey(1)}`])
})

it('refuses to delete a member of the root quorum', () =>
  assert.equal(anyOrganization().refuse(deleteUsers, { userIds: [GRACE] }), {
    code: 'REQUEST_INVALID',
    message: 'quorum users missing',
  }))

it('refuses users that are not there, none, and one twice', () => {
  assert.is(anyOrganization().refuse(deleteUsers, { userIds: [NOBODY] }).code, 'RESOURCE_NOT_FOUND')
  for (const userIds of [[], [GRACE, GRACE]])
    assert.equal(fieldsOf(anyOrganization().refuse(deleteUsers, { userIds })), ['userIds'])
})

it.run()
