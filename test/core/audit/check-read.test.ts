import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AuditOptions } from '../../../core/audit/report.ts'
import { right } from '../world/world.ts'
import { moneyOperations, offices } from '../writing/budgets.ts'
import { decisionOf, draftsOf, forged, must, type Draft } from './forgery.ts'
import { audited, closed, codesIn, exported, linesOf } from './logs.ts'

const it = suite('audits of what was decided on other organizations')

type Read = { organization: string; sequence: string }

/** A budget that rises, is spent in part, and falls: two events are for the spending. */
const log = async () => {
  const w = await offices()
  await w.allow(10)
  await w.allow(100)
  right(await w.submit(w.root, 'spend', { cents: 30, from: [w.office] }))
  await w.allow(5)
  const text = await exported(w.storage.store)
  await w.close()
  return { text, office: w.office, branch: w.organizationId }
}
const made = await log()
const { office, branch } = made

const codes = async (text: string, options: AuditOptions = {}) =>
  codesIn(await audited(text, options, moneyOperations()))

const isSpending = ({ event }: Draft): boolean =>
  event.organization === branch && (event.data.type === 'ACTIVITY_TYPE_SPEND' || event.data.read !== undefined)

/** The log with other things said to be read. */
const saying = (change: (read: Read[]) => readonly Read[], which = (_: string): boolean => true): string => {
  const drafts = draftsOf(made.text)
  for (const draft of drafts.filter(isSpending)) {
    const { data, type } = draft.event
    if (!which(type)) continue
    if (data.decision === undefined) data.read = [...change(data.read as Read[])]
    else {
      const { basis } = decisionOf(draft)
      const [own, ...others] = basis.read as Read[]
      basis.read = [must(own), ...change(others)]
    }
  }
  return forged(drafts)
}
const at = (sequence: string) => (read: Read[]) => read.map((one) => ({ ...one, sequence }))

it('execute again on the state of the other organization then', async () => {
  const { findings, counts } = await audited(made.text, {}, moneyOperations())
  assert.equal([findings, counts.believed], [[], 0])
  assert.is(draftsOf(made.text).filter(isSpending).length, 2)
  assert.is(forged(draftsOf(made.text)), made.text)
  const drafts = draftsOf(made.text)
  for (const { event } of drafts.filter(isSpending))
    if (event.type === 'ActivityCompleted') event.data.result = { left: 71, read: [office] }
  assert.equal(await codes(forged(drafts)), ['EXECUTION_DIFFERS'])
})

it('judge what read a superseded state on the state at that place, and count it', async () => {
  for (const [sequence, readBehind] of [
    ['6', 0],
    ['4', 2],
    ['1', 2],
  ] as const) {
    const { findings, counts } = await audited(saying(at(sequence)), {}, moneyOperations())
    assert.equal([findings, counts.readBehind], [[], readBehind], sequence)
  }
})

it('find a state that is not there before, and two of them in one commit', async () => {
  for (const sequence of ['7', '8', '9', '0', '999'])
    assert.equal(await codes(saying(at(sequence))), ['BASIS_DIFFERS'], sequence)
  for (const type of ['ActivityCreated', 'ActivityCompleted'])
    assert.equal(await codes(saying(at('4'), (one) => one === type)), ['BASIS_DIFFERS'], type)
})

it('find other organizations than those that the operation reads, and what is no list of them', async () => {
  const more = { organization: '00000000-0000-4000-8000-000000000000', sequence: '0' }
  const changes: readonly ((read: Read[]) => readonly Read[])[] = [
    () => [],
    (read) => [more, ...read],
    (read) => [...read, ...read],
    (read) => [...read, { organization: branch, sequence: '2' }],
    at('x'),
    at('-1'),
    at('06'),
    at('9'.repeat(20)),
    (read) => read.map((one) => ({ ...one, organization: more.organization })),
  ]
  for (const [n, change] of changes.entries()) assert.equal(await codes(saying(change)), ['BASIS_DIFFERS'], String(n))
})

it('find events that were moved behind a change of the other organization by which they come out otherwise', async () => {
  const drafts = draftsOf(made.text)
  const moved = (first: (draft: Draft) => boolean) => [...drafts.filter((one) => !first(one)), ...drafts.filter(first)]
  assert.equal(await codes(forged(moved(isSpending))), ['EXECUTION_DIFFERS'])
  const isHalf = (draft: Draft): boolean => isSpending(draft) && draft.event.type === 'ActivityCompleted'
  assert.equal(await codes(forged(moved(isHalf))), ['EXECUTION_DIFFERS'])
  // With what they say moved, too: the budget was too small by then.
  const later = draftsOf(saying(at('8')))
  const rest = later.filter((one) => !isSpending(one))
  assert.equal(await codes(forged([...rest, ...later.filter(isSpending)])), ['EXECUTION_DIFFERS'])
  // And one commit cannot have read two states.
  const [created, completed] = [draftsOf(saying(at('6'))), draftsOf(saying(at('8')))]
  const mixed = [
    ...rest.slice(0, -2),
    ...created.filter((one) => isSpending(one) && one.event.type === 'ActivityCreated'),
    ...rest.slice(-2),
    ...completed.filter((one) => isSpending(one) && one.event.type === 'ActivityCompleted'),
  ]
  assert.ok((await codes(forged(mixed))).includes('BASIS_DIFFERS'))
})

it('count as believed what rests on an organization that the transcript does not have, and say so where none may be', async () => {
  const events = linesOf(made.text).filter((line) => line.includes(`"organization":"${branch}"`))
  const ids = new Set(events.map((line) => (JSON.parse(line) as { id: string }).id))
  const own = linesOf(made.text).filter((line) => {
    const read = JSON.parse(line) as { of?: string; id?: string }
    return ids.has(read.of ?? read.id ?? '')
  })
  const { findings, counts } = await audited(closed(own), {}, moneyOperations())
  assert.equal([findings, counts.believed, counts.executions], [[], 2, counts.activities - 1])
  assert.equal(await codes(closed(own), { believedMax: 1 }), ['STATE_MISSING'])
  // It is not there only until it comes.
  const rest = linesOf(made.text).filter((line) => !own.includes(line))
  assert.equal(await codes(closed([...own, ...rest])), ['BASIS_DIFFERS'])
  assert.equal(await codes(closed([...rest, ...own])), ['EXECUTION_DIFFERS'])
})

it.run()
