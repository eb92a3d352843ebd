import { suite } from 'uvu'
import { initial } from '../../../../core/organization/state.ts'
import * as assert from 'uvu/assert'
import { users } from '../../../../core/organization/users.ts'
import { updateUserEmail } from '../../../../core/resources/user/update-user-email.ts'
import { ADA, anyOrganization, fieldsOf, GRACE, NOBODY, NOW, ORGANIZATION } from '../execute.ts'

const it = suite('update user e-mail')

const good = 'ada@example.com'

it('sets and changes the e-mail address, and nothing else', () => {
  const tried = anyOrganization()
  const before = users.of(tried.state).get(ADA)
  const { result, change } = tried.execute(updateUserEmail, { userId: ADA, userEmail: good }, { atMs: NOW + 1 })
  assert.equal([result, change], [{ userId: ADA }, { userId: ADA, userEmail: good }])
  assert.equal(users.of(tried.state).get(ADA), { ...before, userEmail: good, updatedAtMs: NOW + 1 })
  assert.is(users.of(tried.state).get(GRACE)?.updatedAtMs, NOW)
})

it('removes it by the empty text', () => {
  const tried = anyOrganization()
  tried.execute(updateUserEmail, { userId: ADA, userEmail: good })
  tried.execute(updateUserEmail, { userId: ADA, userEmail: '' }, { atMs: NOW + 2 })
  const user = users.of(tried.state).get(ADA)
  assert.not.ok(user === undefined || 'userEmail' in user)
  assert.is(user?.updatedAtMs, NOW + 2)
  assert.equal(users.of(tried.replayed()), users.of(tried.state))
})

it('gives two users the same one', () => {
  const tried = anyOrganization()
  for (const userId of [ADA, GRACE]) tried.execute(updateUserEmail, { userId, userEmail: good })
  assert.equal([...users.of(tried.state).values()].map((user) => user.userEmail), [good, good]) // prettier-ignore
})

it('refuses a user who is not there', () => {
  const failure = anyOrganization().refuse(updateUserEmail, { userId: NOBODY, userEmail: good })
  assert.is(failure.message, `unable to find user ${NOBODY} in organization ${ORGANIZATION}`)
  assert.is(failure.code, 'RESOURCE_NOT_FOUND')
})

it('refuses what breaks the rules of a field', () => {
  const refuse = (parameters: { readonly [member: string]: string }) =>
    fieldsOf(anyOrganization().refuse(updateUserEmail, parameters))
  assert.equal(refuse({ userId: 'x', userEmail: '@' }), ['userId', 'userEmail'])
  assert.equal(refuse({ userId: ADA }), ['userEmail'])
})

it('takes an empty verification token for none', () => {
  const intent = { userId: ADA, userEmail: good }
  for (const verificationToken of ['', null])
    anyOrganization().execute(updateUserEmail, { ...intent, verificationToken })
})

it('is no own-credential operation: users need a policy, or the quorum, also for themselves', () => {
  const decoded = updateUserEmail.versions[0]?.decodeIntent({ userId: ADA, userEmail: good })
  if (decoded?._tag !== 'Right') throw new Error('not read')
  assert.not.ok(updateUserEmail.isOwnCredentials(decoded.right.intent, ADA, initial('')))
  assert.equal(updateUserEmail.subjects(decoded.right.intent, () => NOBODY, NOBODY, initial('')), [ADA]) // prettier-ignore
})

it.run()
