import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure, type Json } from '../../../core/failure.ts'
import { instant, type Event, type Happening } from '../../../core/log/event.ts'
import { catalogue } from '../../../core/operations/catalogue.ts'
import { createUserTag } from '../../../core/operations/user-tag/create-user-tag.ts'
import { foldEvent } from '../../../core/organization/fold.ts'
import { initial } from '../../../core/organization/organization.ts'
import { flatten } from '../../../core/organization/snapshot.ts'
import { codeOf, right } from '../../world.ts'

const it = suite('fold')

const known = right(catalogue([createUserTag]))
const event = (happening: Happening): Event => ({
  organization: 'organization',
  sequence: 1n,
  activity: 'activity',
  revision: 1n,
  version: 1,
  id: 'event',
  at: instant(5_000),
  previous: '',
  parts: {},
  ...happening,
})
const completed = (type: string, change: Json): Event =>
  event({ type: 'ActivityCompleted', data: { type, result: {}, change } })
const ops = { userTagId: 'tag', userTagName: 'ops', userIds: [] }

it('works in the change of a completed activity, with its time', () => {
  const draft = initial('organization')
  right(foldEvent(draft, completed(createUserTag.type, ops), known))
  assert.equal([...draft.userTags.values()], [{ tagId: 'tag', tagName: 'ops', createdAtMs: 5_000, updatedAtMs: 5_000 }])
  assert.is(draft.updatedAtMs, 5_000)
})

it('lets everything else leave the state as it is', () => {
  const draft = initial('organization')
  right(foldEvent(draft, event({ type: 'ActivityStarted', data: { attempt: 1, resumeAt: instant(0) } }), known))
  right(foldEvent(draft, event({ type: 'ActivityFailed', data: { failure: failure('INTERNAL', 'no') } }), known))
  assert.equal(draft, initial('organization'))
})

it('refuses an operation, or the form of a change, that it does not know', () => {
  const draft = initial('organization')
  const before = structuredClone(flatten(draft))
  assert.is(codeOf(foldEvent(draft, completed('ACTIVITY_TYPE_UNHEARD_OF', ops), known)), 'ORGANIZATION_CLOSED')
  assert.is(codeOf(foldEvent(draft, completed(createUserTag.type, { userTagId: 1 }), known)), 'ORGANIZATION_CLOSED')
  assert.equal(flatten(draft), before)
})

it.run()
