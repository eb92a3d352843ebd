import { history } from '../../../core/organization/history.ts'
import { resource } from '../../../core/definition/resource.ts'
import { userTags } from '../../../core/resources/user-tag/user-tags.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Decision, Verdict } from '../../../core/log/decision.ts'
import { failure, type Json } from '../../../core/failure.ts'
import { instant, type Event, type EventPayload } from '../../../core/log/event.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import { createUserTag } from '../../../core/resources/user-tag/create-user-tag.ts'
import { foldEvent } from '../../../core/organization/fold.ts'
import { initial } from '../../../core/organization/state.ts'
import { flatten } from '../../../core/organization/snapshot.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('fold')

const known = right(catalogue([resource({ name: 'given', operations: [createUserTag] })]))
const event = (payload: EventPayload): Event => ({
  organization: 'organization',
  sequence: 1n,
  activity: 'activity',
  revision: 1n,
  version: 1,
  id: 'event',
  at: instant(5_000),
  previous: '',
  parts: {},
  ...payload,
})
const completed = (type: string, change: Json): Event =>
  event({ type: 'ActivityCompleted', data: { type, result: {}, change, revision: 1 } })
const ops = { userTagId: 'tag', userTagName: 'ops', userIds: [] }

it('works in the change of a completed activity, with its time', () => {
  const draft = initial('organization')
  right(foldEvent(draft, completed(createUserTag.type, ops), known))
  assert.equal(
    [...userTags.in(draft).values()],
    [{ tagId: 'tag', tagName: 'ops', createdAtMs: 5_000, updatedAtMs: 5_000 }],
  )
  assert.is(history.of(draft).updatedAtMs, 5_000)
})

it('lets everything else leave the state as it is', () => {
  const draft = initial('organization')
  right(
    foldEvent(
      draft,
      event({ type: 'ActivityStarted', data: { attempt: 1, resumeAt: instant(0), revision: 1 } }),
      known,
    ),
  )
  right(
    foldEvent(
      draft,
      event({ type: 'ActivityFailed', data: { failure: failure('INTERNAL', 'no'), revision: 1 } }),
      known,
    ),
  )
  assert.equal(draft, initial('organization'))
})

const decision = (outcome: Verdict['outcome']): Decision => ({
  verdict: { outcome, rule: 'policies', evaluations: [] },
  basis: {
    rules: 1,
    generation: 1,
    read: [],
    at: instant(0),
    credential: '',
    scheme: '',
    address: null,
    factors: [],
    revision: 1,
  },
})
const created = (outcome: Verdict['outcome']): Event => {
  const data = { type: createUserTag.type, requester: 'ada', fingerprint: 'sha256:00', decision: decision(outcome) }
  return event({ type: 'ActivityCreated', data })
}
const voted = (outcome: Verdict['outcome']): Event =>
  event({
    type: 'ActivityVoted',
    data: { user: 'grace', selection: 'VOTE_SELECTION_APPROVED', decision: decision(outcome) },
  })

it('counts the activities that wait for approvals', () => {
  const draft = initial('organization')
  for (const [happened, waiting] of [
    [created('ALLOWED'), 0],
    [completed(createUserTag.type, ops), 0],
    [created('DENIED'), 0],
    [created('CONSENSUS_NEEDED'), 1],
    [created('CONSENSUS_NEEDED'), 2],
    [created('CONSENSUS_NEEDED'), 3],
    [voted('CONSENSUS_NEEDED'), 3],
    [voted('ALLOWED'), 2],
    [event({ type: 'ActivityStarted', data: { attempt: 1, resumeAt: instant(0), revision: 1 } }), 2],
    [event({ type: 'ActivityFailed', data: { failure: failure('INTERNAL', 'no'), revision: 1 } }), 2],
    [voted('REJECTED'), 1],
    [voted('DENIED'), 0],
  ] as const) {
    right(foldEvent(draft, happened, known))
    assert.is(history.of(draft).waiting, waiting)
  }
})

it('refuses an operation, or the form of a change, that it does not know', () => {
  const draft = initial('organization')
  const before = JSON.parse(JSON.stringify(flatten(draft))) as unknown
  assert.is(codeOf(foldEvent(draft, completed('ACTIVITY_TYPE_UNHEARD_OF', ops), known)), 'ORGANIZATION_CLOSED')
  assert.is(codeOf(foldEvent(draft, completed(createUserTag.type, { userTagId: 1 }), known)), 'ORGANIZATION_CLOSED')
  assert.equal(flatten(draft), before)
})

it.run()
