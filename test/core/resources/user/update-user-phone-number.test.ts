import { suite } from 'uvu'
import { initial } from '../../../../core/organization/state.ts'
import * as assert from 'uvu/assert'
import { users } from '../../../../core/organization/users.ts'
import { updateUserPhoneNumber } from '../../../../core/resources/user/update-user-phone-number.ts'
import { ADA, anyOrganization, fieldsOf, GRACE, NOBODY, NOW, ORGANIZATION } from '../execute.ts'

const it = suite('update user phone number')

const good = '+441234567890'

it('sets and changes the phone number, and nothing else', () => {
  const tried = anyOrganization()
  const before = users.of(tried.state).get(ADA)
  const { result, change } = tried.execute(
    updateUserPhoneNumber,
    { userId: ADA, userPhoneNumber: good },
    { atMs: NOW + 1 },
  )
  assert.equal([result, change], [{ userId: ADA }, { userId: ADA, userPhoneNumber: good }])
  assert.equal(users.of(tried.state).get(ADA), { ...before, userPhoneNumber: good, updatedAtMs: NOW + 1 })
  assert.is(users.of(tried.state).get(GRACE)?.updatedAtMs, NOW)
})

it('removes it by the empty text', () => {
  const tried = anyOrganization()
  tried.execute(updateUserPhoneNumber, { userId: ADA, userPhoneNumber: good })
  tried.execute(updateUserPhoneNumber, { userId: ADA, userPhoneNumber: '' }, { atMs: NOW + 2 })
  const user = users.of(tried.state).get(ADA)
  assert.not.ok(user === undefined || 'userPhoneNumber' in user)
  assert.is(user?.updatedAtMs, NOW + 2)
  assert.equal(users.of(tried.replayed()), users.of(tried.state))
})

it('gives two users the same one', () => {
  const tried = anyOrganization()
  for (const userId of [ADA, GRACE]) tried.execute(updateUserPhoneNumber, { userId, userPhoneNumber: good })
  assert.equal([...users.of(tried.state).values()].map((user) => user.userPhoneNumber), [good, good]) // prettier-ignore
})

it('refuses a user who is not there', () => {
  const failure = anyOrganization().refuse(updateUserPhoneNumber, { userId: NOBODY, userPhoneNumber: good })
  assert.is(failure.message, `unable to find user ${NOBODY} in organization ${ORGANIZATION}`)
  assert.is(failure.code, 'RESOURCE_NOT_FOUND')
})

it('refuses what breaks the rules of a field', () => {
  const refuse = (parameters: { readonly [member: string]: string }) =>
    fieldsOf(anyOrganization().refuse(updateUserPhoneNumber, parameters))
  assert.equal(refuse({ userId: 'x', userPhoneNumber: '1' }), ['userId', 'userPhoneNumber'])
  assert.equal(refuse({ userId: ADA }), ['userPhoneNumber'])
})

it('takes an empty verification token for none', () => {
  const intent = { userId: ADA, userPhoneNumber: good }
  for (const verificationToken of ['', null])
    anyOrganization().execute(updateUserPhoneNumber, { ...intent, verificationToken })
})

it('is no own-credential operation: users need a policy, or the quorum, also for themselves', () => {
  const decoded = updateUserPhoneNumber.versions[0]?.decodeIntent({ userId: ADA, userPhoneNumber: good })
  if (decoded?._tag !== 'Right') throw new Error('not read')
  assert.not.ok(updateUserPhoneNumber.isOwnCredentials(decoded.right.intent, ADA, initial('')))
  assert.equal(updateUserPhoneNumber.subjects(decoded.right.intent, () => NOBODY, NOBODY, initial('')), [ADA]) // prettier-ignore
})

it.run()
