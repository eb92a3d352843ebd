import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation } from '../../../core/definition/operation.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { resource } from '../../../core/definition/resource.ts'
import { users } from '../../../core/organization/users.ts'
import { eraseUser, erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { right, world } from '../world/world.ts'
import { draftsOf, forged, must } from './forgery.ts'
import { audited, codesIn, exported } from './logs.ts'

/*
 * An operation of a host that reads the names of users. After an erasure it may come out otherwise, which is counted and accuses nobody; an execution
 * that reads no erased name is compared as ever.
 */
const it = suite('executions that read what is erased')

/** Copies the name of a user, refuses a user without one, and throws for a name that it does not expect. */
const badge = operation({
  type: 'ACTIVITY_TYPE_BADGE',
  path: 'badge',
  summary: 'Prints a badge.',
  intent: t.fields({
    userId: t.string,
    how: t.keyof({ line: null, part: null, refuse: null, throw: null, length: null }),
  }),
  result: t.fields({ text: t.string }),
  change: t.fields({ userId: t.subject(t.string) }, { name: t.personal(t.string) }),
  subjects: () => [],
  execute: ({ userId, how }, { organization }) => {
    const user = users.of(organization).get(userId)
    if (how === 'length') return { result: { text: String(user?.tagIds.length) }, change: { userId } }
    const { userName: name = '' } = user ?? {}
    if (name === '' && how === 'throw') throw new Error('a user has a name')
    if (name === '' && how === 'refuse') throw refuse('CONFLICT', 'a badge needs a name')
    return how === 'part'
      ? { result: { text: '' }, change: { userId, name } }
      : { result: { text: `for ${name}` }, change: { userId } }
  },
  evolve: () => undefined,
})

const HOWS = ['line', 'part', 'refuse', 'throw'] as const

const log = async (): Promise<string> => {
  const host = resource({ name: 'badges', operations: [badge] })
  const w = await world({ resources: [...publicApi, ...erasure, host] })
  const ada = await w.enrol('ada')
  const grace = await w.enrol('grace')
  for (const how of [...HOWS, 'length']) await w.done(w.root, 'badge', { userId: ada.userId, how })
  await w.done(w.root, 'badge', { userId: grace.userId, how: 'line' })
  await w.done(w.root, 'update_user', { userId: ada.userId, userName: 'Ada' })
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  const erased = right(await w.submit(w.root, 'erase_user', { userId: ada.userId }))
  assert.is(erased.status, 'ACTIVITY_STATUS_COMPLETED')
  const text = await exported(w.storage.store)
  await w.close()
  return text
}

let honest = ''
it.before(async () => void (honest = await log()))

it('are counted where they come out otherwise, in the line, in a part, by a refusal or by an error', async () => {
  const { counts, findings } = await audited(honest, {}, [badge, eraseUser])
  assert.equal(findings, [])
  // That of the part differs in a part that is erased itself. The other two erased ones have no request any more.
  assert.equal([counts.executionsErased, counts.executionsInPart], [HOWS.length - 1 + 2, 1])
})

it('are compared where they read no erased name', async () => {
  for (const text of ['for grace', '0']) {
    const drafts = draftsOf(honest)
    const draft = must(drafts.find(({ event }) => (event.data.result as { text?: string } | undefined)?.text === text))
    draft.event.data.result = { text: 'other' }
    assert.equal(codesIn(await audited(forged(drafts), {}, [badge, eraseUser])), FOUND)
  }
})

/** The erasure names a head behind the change, which the forged log does not have. */
const FOUND = ['ERASURE_DIFFERS', 'EXECUTION_DIFFERS', 'PART_ERASED']

it.run()
