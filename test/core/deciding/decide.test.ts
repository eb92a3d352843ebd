import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { suite } from 'uvu'
import { failure } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { anyOrganization } from '../policy/any.ts'
import { approve, approvedBy, created, given, reject, submit } from '../command/given.ts'
import { postNotice } from '../command/notice.ts'

const it = suite('turn')

const TYPE = 'ACTIVITY_TYPE_CREATE_USER_TAG'
const NOTICE = 'ACTIVITY_TYPE_POST_NOTICE'
const ops = { userTagName: 'ops', userIds: [] }
const users = { root: {}, ada: {}, grace: {}, joan: {} }
const HOUR = 60 * 60 * 1000

const two = anyOrganization({ users, policies: [{ consensus: 'approvers.count() >= 2' }] })
const one = anyOrganization({ users, policies: [{ consensus: 'approvers.count() >= 1' }] })
const quorum = anyOrganization({ users, quorum: { threshold: 2, userIds: ['root', 'ada', 'grace'] } })

it('completes at once what the root asks for', () =>
  given(two).when(submit('root', ops)).then('created: ALLOWED by root-quorum', `completed: ${TYPE}`))

it('completes at once what a policy allows', () =>
  given(one).when(submit('ada', ops)).then('created: ALLOWED by policies', `completed: ${TYPE}`))

it('waits where a policy asks for more approvals', () =>
  given(two).when(submit('ada', ops)).then('created: CONSENSUS_NEEDED by policies'))

it('records a denial', () =>
  given(anyOrganization({ users })).when(submit('ada', ops)).then('created: DENIED by policies'))

const ofNobody = { userTagName: 'ops', userIds: ['00000000-0000-8000-8000-000000000001'] }

it('refuses what the operation refuses, of whoever may ask for it', () =>
  given(two).when(submit('ada', ofNobody)).then('refused: RESOURCE_NOT_FOUND'))

it('denies before the operation is tried, which may take long', () =>
  given(anyOrganization({ users })).when(submit('ada', ofNobody)).then('created: DENIED by policies'))

it('completes at the second of two approvals', () =>
  given(two)
    .after(created('ada'))
    .when(approve('grace'))
    .then('grace voted: ALLOWED by policies', `completed: ${TYPE}`))

it('waits on after one approval of three', () =>
  given(anyOrganization({ users, policies: [{ consensus: 'approvers.count() >= 3' }] }))
    .after(created('ada'))
    .when(approve('grace'))
    .then('grace voted: CONSENSUS_NEEDED by policies'))

it('completes when the root quorum is met, whatever policies say', () =>
  given(quorum)
    .after(created('ada'))
    .when(approve('root'))
    .then('root voted: ALLOWED by root-quorum', `completed: ${TYPE}`))

it('ends with one vote against', () =>
  given(two).after(created('ada'), approvedBy('grace')).when(reject('joan')).then('joan voted: REJECTED by vote'))

it('ends where the policies of now deny it', () =>
  given(anyOrganization({ users, policies: [{ effect: 'EFFECT_DENY' }] }))
    .after(created('ada'))
    .when(approve('grace'))
    .then('grace voted: DENIED by policies'))

it('does not count the approval of a user who is gone', () =>
  given(
    anyOrganization({ users: { root: {}, grace: {}, joan: {} }, policies: [{ consensus: 'approvers.count() >= 2' }] }),
  )
    .after(created('ada'))
    .when(approve('grace'))
    .then('grace voted: CONSENSUS_NEEDED by policies'))

it('counts the approvals of 24 hours, and of no more', () => {
  const scene = given(two).after(created('ada'))
  scene
    .at(24 * HOUR - 1)
    .when(approve('grace'))
    .then('grace voted: ALLOWED by policies', `completed: ${TYPE}`)
  scene
    .at(24 * HOUR)
    .when(approve('grace'))
    .then('grace voted: CONSENSUS_NEEDED by policies')
  scene
    .at(24 * HOUR)
    .when(approve('ada'))
    .then('ada voted: CONSENSUS_NEEDED by policies')
})

it('fails an approved activity that the organization of now refuses', () => {
  const taken = anyOrganization({ users, policies: [{ consensus: 'approvers.count() >= 2' }] })
  userTags.in(taken).set('tag', { tagId: 'tag', tagName: 'ops', createdAtMs: 0, updatedAtMs: 0 })
  given(taken)
    .after(created('ada'))
    .when(approve('grace'))
    .then('grace voted: ALLOWED by policies', 'failed: REQUEST_INVALID')
})

const inside = postNotice({ outside: false })
const outside = postNotice({ outside: true })
const receipt = E.right({ receipt: 'one' })

it('performs only what is allowed', () => {
  given(one, inside)
    .when(submit('ada', { text: 'hello' }))
    .then('to perform')
  given(two, inside)
    .when(submit('ada', { text: 'hello' }))
    .then('created: CONSENSUS_NEEDED by policies')
  given(two, inside).after(created('ada', NOTICE)).when(approve('grace')).then('to perform')
  given(two, inside).after(created('ada', NOTICE)).when(reject('grace')).then('grace voted: REJECTED by vote')
})

it('decides anew after the work', () => {
  given(one, inside)
    .performed(receipt)
    .when(submit('ada', { text: 'hello' }))
    .then('created: ALLOWED by policies', `completed: ${NOTICE}`)
  given(two, inside)
    .performed(receipt)
    .when(submit('ada', { text: 'hello' }))
    .then('created: CONSENSUS_NEEDED by policies')
})

it('fails an approved activity whose work failed', () =>
  given(two, inside)
    .after(created('ada', NOTICE))
    .performed(E.left(failure('RESOURCE_NOT_FOUND', 'no such board')))
    .when(approve('grace'))
    .then('grace voted: ALLOWED by policies', 'failed: RESOURCE_NOT_FOUND'))

it('starts effects outside before it performs them', () => {
  given(one, outside)
    .when(submit('ada', { text: 'hello' }))
    .then('created: ALLOWED by policies', 'started: 1, until 1970-01-01T00:01:00.000Z')
  given(two, outside)
    .after(created('ada', NOTICE))
    .when(approve('grace'))
    .then('grace voted: ALLOWED by policies', 'started: 1, until 1970-01-01T00:01:00.000Z')
})

it.run()
