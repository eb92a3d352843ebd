import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Failure, Json } from '../../../../core/failure.ts'
import { deletedUsers } from '../../../../core/organization/deleted-users.ts'
import type { Organization } from '../../../../core/organization/state.ts'
import { languageOf } from '../../../../core/policy/expression.ts'
import { E } from '../../../../core/prelude.ts'
import { eraseUser } from '../../../../core/resources/erasure/erasure.ts'
import type { Erased } from '../../../../core/resources/erasure/erasing.ts'
import { updateRootQuorum } from '../../../../core/resources/quorum/update-root-quorum.ts'
import { createUsers } from '../../../../core/resources/user/create-users.ts'
import { deleteUsers } from '../../../../core/resources/user/delete-users.ts'
import { given, submit } from '../../command/given.ts'
import { defaultLimits } from '../../world/with-host.ts'
import { right } from '../../world/world.ts'
import { ADA, anyApiKey, anyOrganization, fieldsOf, GRACE, NOBODY, NOW, uuid, type Tried } from '../execute.ts'

const it = suite('erase user')

const nothing: Erased = { erased: [] }

/** Ada alone is root; Grace was deleted. */
const deleted = (): Tried => {
  const tried = anyOrganization()
  tried.execute(updateRootQuorum, { threshold: 1, userIds: [ADA] })
  tried.execute(deleteUsers, { userIds: [GRACE] })
  return tried
}

/** Grace was deleted, and her data is erased. */
const erased = (): Tried => {
  const tried = deleted()
  tried.execute(eraseUser, { userId: GRACE, head }, { performed: nothing })
  return tried
}

const head = { sequence: '7', hash: '0'.repeat(64) }
const asked = (userId: string) => submit(ADA, { userId, head })

/** What the service is asked for, or why it is not asked. */
const checked = (organization: Organization, parameters: Json, attempt = 1): E.Either<Failure, unknown> => {
  const { intent } = right(read(parameters))
  return eraseUser.check(intent, {
    organization,
    activityId: uuid(0),
    requester: ADA,
    attempt,
    atMs: NOW,
    ids: () => uuid(1),
    limits: defaultLimits,
    language: languageOf({}),
    others: new Map(),
  })
}

const read = (parameters: Json) => {
  const [version] = eraseUser.versions
  if (version === undefined) throw new Error('no version')
  return version.decodeIntent(parameters)
}

const refusalOf = (outcome: E.Either<Failure, unknown>): Failure => {
  if (E.isRight(outcome)) throw new Error('it is not refused')
  return outcome.left
}

it('starts when the root asks for a user who was deleted, and concludes only with what was erased', () =>
  given(deleted().state, eraseUser)
    .when(asked(GRACE))
    .then('created: ALLOWED by root-quorum', 'started: 1, until 1970-01-01T00:01:00.000Z'))

it('refuses a user who is still there, who never was, and whose data is erased already', () => {
  given(anyOrganization().state, eraseUser).when(asked(GRACE)).then('refused: REQUEST_INVALID')
  given(deleted().state, eraseUser).when(asked(ADA)).then('refused: REQUEST_INVALID')
  given(deleted().state, eraseUser).when(asked(NOBODY)).then('refused: REQUEST_INVALID')
  given(erased().state, eraseUser).when(asked(GRACE)).then('refused: REQUEST_INVALID')
})

it('goes on at a later attempt, where another erasure of the same user has ended meanwhile', () => {
  const { state } = erased()
  assert.is(refusalOf(checked(state, { userId: GRACE, head }, 1)).code, 'REQUEST_INVALID')
  const toErase = { organizationId: state.organizationId, userId: GRACE, requests: 'NAMING', head }
  assert.equal(right(checked(state, { userId: GRACE, head }, 2)), toErase)
})

it('names the user as what is wrong, and says why', () => {
  for (const [tried, userId, why] of [
    [deleted(), ADA, 'the user is still there; delete the user first'],
    [deleted(), NOBODY, 'expected the id of a user who was deleted'],
    [erased(), GRACE, 'the data of this user is erased already'],
  ] as const) {
    const refusal = refusalOf(checked(tried.state, { userId }))
    assert.equal([refusal.code, refusal.message], ['REQUEST_INVALID', `invalid parameters at userId: ${why}`])
    assert.equal(fieldsOf(refusal), ['userId'])
  }
})

it('is denied to whom no policy allows it', () => {
  const tried = anyOrganization()
  tried.execute(updateRootQuorum, { threshold: 1, userIds: [ADA] })
  const user = { userName: 'Joan', apiKeys: [anyApiKey(7)], authenticators: [], oauthProviders: [], userTags: [] }
  tried.execute(createUsers, { users: [user] })
  tried.execute(deleteUsers, { userIds: [uuid(5)] })
  given(tried.state, eraseUser)
    .when(submit(GRACE, { userId: uuid(5) }))
    .then('created: DENIED by policies')
})

it('asks for the requests that name the user, unless also those are meant that the user made', () => {
  const of = (parameters: { readonly [member: string]: Json }) =>
    right(checked(deleted().state, { ...parameters, head }))
  const { organizationId } = deleted().state
  assert.equal(of({ userId: GRACE }), { organizationId, userId: GRACE, requests: 'NAMING', head })
  for (const requests of ['NAMING', 'MADE'])
    assert.equal(of({ userId: GRACE, requests }), { organizationId, userId: GRACE, requests, head })
})

it('refuses an erasure without a head of the log, with one of before the deletion, and with what is none', () => {
  const { state } = deleted()
  for (const given of [undefined, { ...head, sequence: '2' }])
    assert.equal(fieldsOf(refusalOf(checked(state, { userId: GRACE, ...(given && { head: given }) }))), ['head'])
  right(checked(state, { userId: GRACE, head: { ...head, sequence: '3' } }))
  for (const [wrong, field] of [
    [{ ...head, sequence: 7 }, 'head.sequence'],
    [{ ...head, sequence: '07' }, 'head.sequence'],
    [{ ...head, hash: 'ab' }, 'head.hash'],
    [{ ...head, hash: 'A'.repeat(64) }, 'head.hash'],
    ['7', 'head'],
  ] as const)
    assert.equal(fieldsOf(refusalOf(read({ userId: GRACE, head: wrong }))), [field])
})

it('refuses requests of another name, and no user or another word for one', () => {
  for (const requests of ['ALL', 'naming', '', 1, ['NAMING']])
    assert.equal(fieldsOf(refusalOf(read({ userId: GRACE, requests }))), ['requests'])
  for (const parameters of [{}, { userId: 'grace' }, { userId: [GRACE] }])
    assert.equal(fieldsOf(refusalOf(read(parameters))), ['userId'])
})

it('says how much was erased, and what could not be', () => {
  const performed: Erased = {
    erased: [
      { name: `personal:${GRACE}`, sequences: '2,4-6' },
      { name: 'request', sequences: '3' },
    ],
  }
  const { result, change } = deleted().execute(eraseUser, { userId: GRACE, requests: 'MADE', head }, { performed })
  assert.equal(result, { userId: GRACE, erasedParts: 5 })
  assert.equal(change, { userId: GRACE, requests: 'MADE', ...performed })
})

it('remembers whose data was erased, in the order of their deletions, and for ever', () => {
  const tried = deleted()
  assert.equal([...deletedUsers.of(tried.state)], [[GRACE, { sequence: '3', isErased: false }]])
  tried.execute(eraseUser, { userId: GRACE, head }, { performed: nothing })
  assert.equal([...deletedUsers.of(tried.state)], [[GRACE, { sequence: '3', isErased: true }]])
  assert.equal([...deletedUsers.of(tried.replayed())], [[GRACE, { sequence: '3', isErased: true }]])
})

it.run()
