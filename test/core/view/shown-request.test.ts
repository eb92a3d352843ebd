import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { activityIdOf, denialIdOf } from '../../../core/activity/identity.ts'
import type { Json } from '../../../core/failure.ts'
import { requestIn, showsParameters, type ShownByServer } from '../../../core/view/shown-request.ts'

const it = suite('the request of an activity that a server shows')

const organizationId = 'b5c1b8a2-6f3e-4a50-9d3b-5b1f6d5b3c01'
const other = 'c5c1b8a2-6f3e-4a50-9d3b-5b1f6d5b3c01'
const digest = { sha256Hex: (input: Uint8Array | string) => createHash('sha256').update(input).digest('hex') }

const bodyOf = (members: { readonly [member: string]: Json } = {}): string =>
  JSON.stringify({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs: '1',
    organizationId,
    parameters: { userTagName: 'x' },
    ...members,
  })

const shown = (body: string): ShownByServer => {
  const fingerprint = `sha256:${digest.sha256Hex(body)}`
  return {
    id: activityIdOf(digest, organizationId, fingerprint),
    organizationId,
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    fingerprint,
    intent: { createUserTagIntent: { userTagName: 'x' } },
    votes: [{ userId: 'ada', message: body }],
  }
}
const honest = shown(bodyOf())

it('is the body with the fingerprint, whoever voted before, and in whatever case the body names the organization', () => {
  const before = { userId: 'grace', message: bodyOf({ timestampMs: '2' }) }
  const found = requestIn({ ...honest, votes: [before, ...honest.votes] }, organizationId)
  assert.equal(found, { vote: honest.votes[0], parameters: { userTagName: 'x' } })
  const upper = requestIn(shown(bodyOf({ organizationId: organizationId.toUpperCase() })), organizationId)
  assert.is(upper?.vote.userId, 'ada')
})

it('is found of a denial, whose id follows from its requester, too', () => {
  const id = denialIdOf(digest, organizationId, honest.fingerprint, 'ada')
  assert.ok(requestIn({ ...honest, id }, organizationId))
  const ofAnother = denialIdOf(digest, organizationId, honest.fingerprint, 'grace')
  assert.is(requestIn({ ...honest, id: ofAnother }, organizationId), undefined)
})

const lies: { readonly [lie: string]: ShownByServer } = {
  'another fingerprint': { ...honest, fingerprint: `sha256:${'0'.repeat(64)}` },
  'another id': { ...honest, id: other },
  'another type': { ...honest, type: 'ACTIVITY_TYPE_DELETE_USER_TAGS' },
  'another organization': { ...honest, organizationId: other },
  'another organization than in the body': shown(bodyOf({ organizationId: other })),
  'another body': { ...honest, votes: [{ userId: 'ada', message: bodyOf({ timestampMs: '2' }) }] },
  'a body that is no request': shown('[]'),
  'a body with a member twice': shown(bodyOf().replace('"parameters"', '"parameters":{},"parameters"')),
  'no votes': { ...honest, votes: [] },
}
for (const [lie, activity] of Object.entries(lies))
  it(`is none if the server shows ${lie}`, () => assert.is(requestIn(activity, organizationId), undefined))

const id = organizationId.toUpperCase()
const intents: readonly (readonly [what: string, intent: Json | undefined, asked: Json, isShown: boolean])[] = [
  ['the same', { a: [1, 'x', { b: true }] }, { a: [1, 'x', { b: true }] }, true],
  ['without what is null', { a: 1 }, { a: 1, b: null }, true],
  ['an id in lower case', { id: organizationId }, { id }, true],
  ['an id in upper case that was not asked for', { id }, { id: organizationId }, false],
  ['another value', { a: 1 }, { a: 2 }, false],
  ['text in another case', { a: 'the root' }, { a: 'The Root' }, false],
  ['a member less', { a: 1 }, { a: 1, threshold: 1 }, false],
  ['a member more', { a: 1, b: 2 }, { a: 1 }, false],
  ['a shorter list', { a: [1] }, { a: [1, 2] }, false],
  ['a longer list', { a: [1, 2] }, { a: [1] }, false],
  ['a list as an object', { a: { 0: 1 } }, { a: [1] }, false],
  ['a name that every object has', {}, { toString: 1 }, false],
  ['nothing', undefined, { a: 1 }, false],
]
for (const [what, intent, asked, isShown] of intents)
  it(`${isShown ? 'is' : 'is not'} shown by an intent with ${what}`, () =>
    assert.is(showsParameters(intent === undefined ? {} : { intent }, asked), isShown))

it('is not shown by two intents', () => assert.not(showsParameters({ one: { a: 1 }, two: { a: 1 } }, { a: 1 })))

it.run()
