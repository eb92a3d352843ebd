import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Operation } from '../../../core/definition/operation.ts'
import type { Json } from '../../../core/failure.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { REQUEST } from '../../../core/log/parts.ts'
import { erasure, eraseUser } from '../../../core/resources/erasure/erasure.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { audited, exported } from '../audit/logs.ts'
import { keptOpen } from '../world/test-store.ts'
import { inTime, quiet, until } from '../world/under-way.ts'
import { withHost } from '../world/with-host.ts'
import { right, world, type World, type WorldOptions } from '../world/world.ts'
import { eventsOf, recordsOf } from './history.ts'
import { postNotice } from './notice.ts'
import { board, down } from './office.ts'
import { secondProcess } from './second-process.ts'
import { seenBy } from './seen-by.ts'

const it = suite('erasing what has started')

const MINUTE_MS = 60_000
const RATHER_LONG = 30

const resourcesWith = (notice: Operation) => [...withHost([notice]), ...erasure]

/** Ada may post notices; with somebody else, if the policy wants two. */
const office = async (notice: Operation, consensus: string, options: WorldOptions = {}) => {
  const notices: Notice[] = []
  const onNotice = (told: Notice): void => void notices.push(told)
  const w = await world({ resources: resourcesWith(notice), waitForEffectsMs: 0, onNotice, ...options })
  const ada = await w.enrol('ada')
  await w.done(w.root, 'create_policy', { policyName: 'notices', effect: 'EFFECT_ALLOW', consensus, notes: '' })
  const post = () => inTime(w.clock, w.done(ada, 'post_notice', { text: 'hello' }), 0)
  /** Deletes Ada, and begins to erase what she is named in, and what she has asked for. */
  const erase = async () => {
    await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
    return inTime(w.clock, w.done(w.root, 'erase_user', { userId: ada.userId, requests: 'MADE' }), 0)
  }
  return { ...w, notices, post, erase }
}

const statusOf = async (w: World, activityId: string): Promise<string> =>
  (await seenBy(w, w.root, activityId)).status.replace('ACTIVITY_STATUS_', '')

/** How many requests of an activity are left. */
const requestsOf = async (w: World, activityId: string): Promise<number> =>
  (await recordsOf(w)).filter(
    ({ activity, parts }) => activity === activityId && parts.some(({ name }) => name === REQUEST),
  ).length

/** Lets minutes pass, each with all that is due then. */
const pass = async ({ clock }: World, minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.pass(MINUTE_MS)
    await quiet()
  }
}

it('waits for the end of a started activity of the user, and erases nothing before', async () => {
  const { asked, run } = board(down)
  const notice = postNotice({ outside: true, run })
  const w = await office(notice, 'true')
  const posted = await w.post()
  const erasing = await w.erase()
  assert.equal([posted.status, erasing.status], ['ACTIVITY_STATUS_PENDING', 'ACTIVITY_STATUS_PENDING'])
  assert.is(await requestsOf(w, posted.id), 1)
  const told = w.notices.find(({ context }) => context?.['waitsFor'] !== undefined)
  assert.equal([told?.context?.['activity'], told?.context?.['waitsFor']], [erasing.id, posted.id])
  await pass(w, 10)
  assert.equal(
    asked.map(({ attempt }) => attempt),
    [1, 2],
  )
  assert.equal([await statusOf(w, posted.id), await statusOf(w, erasing.id)], ['COMPLETED', 'COMPLETED'])
  assert.is(await requestsOf(w, posted.id), 0)
  assert.equal((await audited(await exported(w.storage.store), {}, [eraseUser, notice])).findings, [])
  await w.close()
})

it('waits as long as the activity may go on, however long that is, and after a restart, too', async () => {
  const stubborn = postNotice({ outside: true, attemptsMax: 1_000, run: () => Promise.reject(down) })
  const storage = keptOpen(memoryStore())
  const w = await office(stubborn, 'true', { store: storage })
  const posted = await w.post()
  const erasing = await w.erase()
  await pass(w, RATHER_LONG)
  assert.equal([await statusOf(w, posted.id), await statusOf(w, erasing.id)], ['PENDING', 'PENDING'])
  assert.is(await requestsOf(w, posted.id), 1)
  await w.close()
  const { asked, run } = board()
  const resources = resourcesWith(postNotice({ outside: true, attemptsMax: 1_000, run }))
  const again = await secondProcess(w, { resources })
  await pass(w, 3 * RATHER_LONG)
  assert.is(asked.length, 1)
  assert.is(await requestsOf(w, posted.id), 0)
  await again.close()
})

it('does not wait for an activity that nobody has started: it can be decided on no more', async () => {
  const w = await office(postNotice({ outside: true, run: board().run }), 'approvers.count() >= 2')
  const posted = await w.post()
  assert.is(posted.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is((await w.erase()).status, 'ACTIVITY_STATUS_COMPLETED')
  assert.is(await requestsOf(w, posted.id), 0)
  await w.close()
})

it('lets an activity fail that starts in the moment of the erasure: it is not PENDING for ever', async () => {
  let before = async (): Promise<unknown> => undefined
  const memory = memoryStore()
  const storage: Storage = {
    ...memory,
    store: {
      ...memory.store,
      eraseParts: (organization, parts) => async () => {
        await before()
        return memory.store.eraseParts(organization, parts)()
      },
    },
  }
  const { asked, run } = board(down)
  const notice = postNotice({ outside: true, run })
  const w = await office(notice, 'approvers.count() >= 2', { store: storage })
  const posted = await w.post()
  before = async () => {
    before = async () => undefined
    right(await w.approve(w.root, posted)) // Ada's own approval counts no more
    await until(() => asked.length === 1)
  }
  const erasing = await w.erase()
  await pass(w, RATHER_LONG)
  assert.is(asked.length, 1)
  assert.equal([await statusOf(w, posted.id), await statusOf(w, erasing.id)], ['FAILED', 'COMPLETED'])
  const codes = (await eventsOf(w)).map((event) => event.type === 'ActivityFailed' && event.data.failure.code)
  assert.equal(codes.filter(Boolean), ['INTERRUPTED'])
  assert.equal((await audited(await exported(w.storage.store), {}, [eraseUser, notice])).findings, [])
  await w.close()
})

it('fails, and erases nothing, where the log does not have the head, or a request of the user was completed behind it', async () => {
  const w = await office(postNotice({ outside: true, run: board().run }), 'approvers.count() >= 2')
  const posted = await w.post()
  const userId = posted.votes[0]?.userId ?? ''
  await w.done(w.root, 'delete_users', { userIds: [userId] })
  const { head } = await w.answer(w.root, 'list_personal_places', { userId })
  const failureOf = async (given: Json): Promise<string | undefined> => {
    const erasing = await inTime(w.clock, w.done(w.root, 'erase_user', { userId, requests: 'MADE', head: given }), 0)
    await quiet()
    return (await seenBy(w, w.root, erasing.id)).failure?.message
  }
  const parts = async () => (await recordsOf(w)).reduce((sum, one) => sum + one.parts.length, 0)
  const before = await parts()
  assert.match((await failureOf({ ...(head as object), hash: '0'.repeat(64) })) ?? '', 'the head is not in the log')
  right(await inTime(w.clock, w.approve(w.root, posted), 0)) // Ada's own approval counts no more
  await quiet()
  assert.match(
    (await failureOf(head as Json)) ?? '',
    `${posted.id}, whose request would be erased, went on behind the head`,
  )
  assert.ok((await parts()) > before, 'only new ones have come')
  const again = await w.answer(w.root, 'list_personal_places', { userId })
  assert.is(await failureOf(again.head as Json), undefined)
  assert.is(await requestsOf(w, posted.id), 1) // the approval by the root
  assert.equal(
    (await audited(await exported(w.storage.store), {}, [eraseUser, postNotice({ outside: true, run: board().run })]))
      .findings,
    [],
  )
  await w.close()
})

it.run()
