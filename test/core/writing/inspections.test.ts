import * as t from '../../../core/codec/t.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation, type InspectContext } from '../../../core/definition/operation.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import type { Failure } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { hostState, withHost } from '../world/with-host.ts'
import { gate } from '../following/stage.ts'
import { right, stamped, testClock, world, type World } from '../world/world.ts'
import { audited, exported } from '../audit/logs.ts'
import { inTime, quiet } from '../world/under-way.ts'
import { secondProcess } from '../command/second-process.ts'
import { eventsOf } from '../command/history.ts'

const it = suite('inspections of requests')

type Inspected = { readonly words: number }
type Inspect = (text: string, context: InspectContext) => Inspected | Promise<Inspected>
const counted: Inspect = (text) => ({ words: text.split(' ').length })

/** Stores a text with the number of its words, which is found out before anything is decided. */
const store = (inspect: Inspect = counted) => {
  const asked: string[] = []
  const definition = operation({
    type: 'ACTIVITY_TYPE_STORE_TEXT',
    path: 'store_text',
    summary: 'Stores a text.',
    resource: 'TEXT',
    action: 'CREATE',
    intent: t.fields({ text: t.string }),
    result: t.fields({ words: t.number }),
    change: t.fields({ text: t.string, words: t.number }),
    inspect: ({ text }, context) => {
      asked.push(text)
      return inspect(text, context)
    },
    params: (_, { words }) => ({ words }),
    execute: ({ text }, { inspected: { words } }) => ({ result: { words }, change: { text, words } }),
    evolve: (draft, { text, words }) => void hostState.in(draft).set(text, words),
  })
  return { definition, asked }
}
const storeText = (w: World, text: string) => w.submit(w.root, 'store_text', { text })
const codeOf = (outcome: E.Either<Failure, unknown>): string => (E.isLeft(outcome) ? outcome.left.code : 'ok')

/** Two of three have to agree. */
const withQuorum = async (w: World) => {
  const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId, grace.userId] })
  return { ada, grace }
}

it('inspects a request before anything is decided, and gives what it found to params and execute', async () => {
  const { definition, asked } = store()
  const w = await world({ resources: withHost([definition]) })
  const policy = { effect: 'EFFECT_ALLOW', condition: 'activity.params.words == 2', consensus: 'true', notes: '' }
  await w.done(w.root, 'create_policy', { policyName: 'two words', ...policy })
  const ada = await w.enrol('ada')
  const { result } = right(await w.submit(ada, 'store_text', { text: 'two words' }))
  assert.equal(result, { storeTextResult: { words: 2 } })
  assert.is(codeOf(await w.submit(ada, 'store_text', { text: 'one two three' })), 'REQUEST_NOT_AUTHORIZED')
  assert.equal(asked, ['two words', 'one two three'])
  const text = await exported(w.storage.store)
  const { findings, counts } = await audited(text, {}, [definition])
  assert.equal([findings, counts.executions], [[], counts.activities - 1])
  assert.not.match(text, '"inspected"')
  await w.close()
})

it('stores nothing of a request that is refused by its inspection', async () => {
  const { definition } = store(() => {
    throw refuse('REQUEST_INVALID', 'too many words')
  })
  const w = await world({ resources: withHost([definition]) })
  const before = (await eventsOf(w)).length
  assert.is(codeOf(await storeText(w, 'no')), 'REQUEST_INVALID')
  assert.is((await eventsOf(w)).length, before)
  await w.close()
})

it('inspects nothing that is refused before: too old, unreadable, or not by a path; and a repeated body gets its activity', async () => {
  const { definition, asked } = store()
  const w = await world({ resources: withHost([definition]) })
  const old = { timestampMs: String(w.clock.now() - 2 * 60 * 60 * 1000) }
  assert.is(codeOf(await w.submit(w.root, 'store_text', { text: 'old' }, old)), 'REQUEST_INVALID')
  assert.is(codeOf(await w.submit(w.root, 'store_text', { text: 7 })), 'REQUEST_INVALID')
  assert.equal(asked, [])
  const body = w.body('store_text', { text: 'once' })
  const first = right(await w.send(w.root, 'store_text', body))
  const again = right(await w.send(w.root, 'store_text', body))
  assert.equal([again.id, again.status], [first.id, 'ACTIVITY_STATUS_COMPLETED'])
  assert.equal(asked, ['once'])
  await w.close()
})

it('inspects a request again where another process reads its activity', async () => {
  const { definition } = store()
  const w = await world({ resources: withHost([definition]) })
  const { grace } = await withQuorum(w)
  const waiting = right(await storeText(w, 'two words'))
  const other = store()
  const second = await secondProcess(w, { resources: withHost([other.definition]) })
  const { fingerprint } = waiting
  const approved = await second.submit(
    'approve_activity',
    stamped(grace, w.body('approve_activity', { fingerprint })),
  )()
  assert.equal(right(approved).result, { storeTextResult: { words: 2 } })
  assert.equal(other.asked, ['two words'])
  const { findings } = await audited(await exported(w.storage.store), {}, [definition])
  assert.equal(findings, [])
  await second.close()
})

it('answers votes on a finished activity, whoever casts them, in the process that decided it and in another one', async () => {
  const { definition, asked } = store()
  const w = await world({ resources: withHost([definition]) })
  const mallory = await w.enrol('mallory')
  const { ada, grace } = await withQuorum(w)
  const body = w.body('store_text', { text: 'two words' })
  right(await w.send(w.root, 'store_text', body))
  const { status, id } = right(await w.send(ada, 'store_text', body))
  assert.is(status, 'ACTIVITY_STATUS_COMPLETED')
  const late = right(await w.send(grace, 'store_text', body))
  assert.equal([late.status, late.id], [status, id])
  assert.is(codeOf(await w.send(mallory, 'store_text', body)), 'REQUEST_NOT_AUTHORIZED')
  assert.equal(asked, ['two words', 'two words', 'two words'])
  const other = store()
  const second = await secondProcess(w, { resources: withHost([other.definition]) })
  assert.is(right(await second.submit('store_text', stamped(grace, body))()).status, status)
  assert.is(codeOf(await second.submit('store_text', stamped(mallory, body))()), 'REQUEST_NOT_AUTHORIZED')
  assert.equal(other.asked, ['two words', 'two words'])
  await second.close()
  await w.close()
})

it('refuses a request whose inspection takes too long, and tells it to end', async () => {
  const clock = testClock()
  let isTold = false
  const { definition } = store((_, { signal }) => {
    signal.addEventListener('abort', () => (isTold = true))
    return new Promise(() => undefined)
  })
  const w = await world({ resources: withHost([definition]), testClock: clock, inspectWithinMs: 300 })
  assert.is(codeOf(await inTime(clock, storeText(w, 'slow'))), 'UNAVAILABLE')
  assert.is(isTold, true)
  right(await w.submit(w.root, 'create_user_tag', { userTagName: 'others go on', userIds: [] }))
  await w.close()
})

it('inspects so many requests of an organization at once, and no more', async () => {
  let [inside, most] = [0, 0]
  const { closed, open } = gate()
  const { definition } = store(async () => {
    inside += 1
    most = Math.max(most, inside)
    await closed
    inside -= 1
    return { words: 1 }
  })
  const w = await world({ resources: withHost([definition]), inspectionsAtOnce: 8 })
  const asked = Array.from({ length: 9 }, (_, n) => storeText(w, `text ${n}`))
  await quiet()
  assert.is(inside, 2) // a quarter
  open()
  assert.equal(
    (await Promise.all(asked)).map(codeOf),
    Array.from({ length: 9 }, () => 'ok'),
  )
  assert.is(most, 2)
  await w.close()
})

it.run()
