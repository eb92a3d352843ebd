import { suite } from 'uvu'
import { initial } from '../../../../core/organization/state.ts'
import * as assert from 'uvu/assert'
import { users } from '../../../../core/organization/users.ts'
import { updateUserName } from '../../../../core/resources/user/update-user-name.ts'
import { ADA, anyOrganization, fieldsOf, GRACE, NOBODY, NOW, ORGANIZATION } from '../execute.ts'

const it = suite('update user name')

it('changes the name and nothing else', () => {
  const tried = anyOrganization()
  const before = users.of(tried.state).get(ADA)
  const { result, change } = tried.execute(updateUserName, { userId: ADA, userName: 'Ada L.' }, { atMs: NOW + 1 })
  assert.equal([result, change], [{ userId: ADA }, { userId: ADA, userName: 'Ada L.' }])
  assert.equal(users.of(tried.state).get(ADA), { ...before, userName: 'Ada L.', updatedAtMs: NOW + 1 })
  assert.is(users.of(tried.state).get(GRACE)?.updatedAtMs, NOW)
})

it('gives two users the same name', () => {
  const tried = anyOrganization()
  tried.execute(updateUserName, { userId: GRACE, userName: 'Ada' })
  assert.equal([...users.of(tried.state).values()].map(({ userName }) => userName), ['Ada', 'Ada']) // prettier-ignore
})

it('refuses a user who is not there', () => {
  const failure = anyOrganization().refuse(updateUserName, { userId: NOBODY, userName: 'Ada' })
  assert.is(failure.message, `unable to find user ${NOBODY} in organization ${ORGANIZATION}`)
  assert.is(failure.code, 'RESOURCE_NOT_FOUND')
})

it('refuses what breaks the rules of a field, and an empty name', () => {
  const refuse = (parameters: { readonly [member: string]: string }) =>
    fieldsOf(anyOrganization().refuse(updateUserName, parameters))
  assert.equal(refuse({ userId: 'x', userName: '\n' }), ['userId', 'userName'])
  assert.equal(refuse({ userId: ADA, userName: '' }), ['userName'])
  assert.equal(refuse({ userId: ADA }), ['userName'])
})

it('is no own-credential operation: users need a policy, or the quorum, also for themselves', () => {
  const decoded = updateUserName.versions[0]?.decodeIntent({ userId: ADA, userName: 'a' })
  if (decoded?._tag !== 'Right') throw new Error('not read')
  assert.not.ok(updateUserName.isOwnCredentials(decoded.right.intent, ADA, initial('')))
  assert.equal(updateUserName.subjects(decoded.right.intent, () => NOBODY, NOBODY, initial('')), [ADA]) // prettier-ignore
})

it.run()
