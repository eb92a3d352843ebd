import { quorum } from '../../../../core/organization/quorum.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { updateRootQuorum } from '../../../../core/resources/quorum/update-root-quorum.ts'
import { ADA, anyOrganization, fieldsOf, GRACE, NOBODY } from '../execute.ts'

const it = suite('update root quorum')

const refuse = (threshold: number | string | null, userIds: string[] = [ADA, GRACE]) =>
  anyOrganization().refuse(updateRootQuorum, { threshold, userIds })

it('changes members and threshold', () => {
  const tried = anyOrganization()
  assert.equal(tried.execute(updateRootQuorum, { threshold: 2, userIds: [GRACE, ADA] }).result, {})
  assert.equal(quorum.of(tried.state), { threshold: 2, userIds: [GRACE, ADA] })
})

it('is for the root quorum alone: no policy has a name for it', () =>
  assert.equal([updateRootQuorum.resource, updateRootQuorum.action], [undefined, undefined]))

it('refuses a threshold that is no positive integer', () => {
  for (const threshold of [0, -1, 1.5, '1', null]) {
    assert.match(refuse(threshold).message, 'quorum threshold must be non-zero integer')
    assert.equal(fieldsOf(refuse(threshold)), ['threshold'])
  }
})

it('refuses a threshold larger than the number of members', () => {
  assert.is(refuse(3).code, 'REQUEST_INVALID')
  assert.equal(fieldsOf(refuse(3)), ['threshold'])
  assert.equal(fieldsOf(refuse(1, [])), ['threshold'])
})

it('refuses members who are not users, and one twice', () => {
  assert.equal(refuse(1, [ADA, NOBODY]), { code: 'REQUEST_INVALID', message: 'quorum users missing' })
  assert.equal(fieldsOf(refuse(1, [ADA, ADA])), ['userIds'])
})

it.run()
