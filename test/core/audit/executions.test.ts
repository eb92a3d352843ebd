import * as t from '../../../core/codec/t.ts'
import { withHost } from '../world/with-host.ts'
import { hostState } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operation } from '../../../core/definition/operation.ts'
import { right, world } from '../world/world.ts'
import { draftsOf, forged } from './forgery.ts'
import { audited, exported, trio } from './logs.ts'
import { pay } from './payment.ts'

const it = suite('executions that an audit repeats')

it('begin only where the operation did not refuse by then', async () => {
  const made = await trio({ resources: withHost([pay(1)]) })
  const { ada, approve, done, grace, root, storage } = made
  const payment = await done(root, 'pay', {})
  right(await approve(grace, await done(ada, 'create_user_tag', { userTagName: 'one', userIds: [] })))
  right(await approve(grace, payment))
  const drafts = draftsOf(await exported(storage.store))
  await made.close()
  const begun = drafts.findIndex(({ event }) => event.type === 'ActivityStarted')
  const found = async (tagsMax: number, events: number) => {
    const { findings } = await audited(forged(drafts.slice(0, events)), {}, [pay(tagsMax)])
    return findings.map(({ code, sequence }) => [code, sequence])
  }
  // Also where it has not ended yet: by then it would be too late.
  for (const events of [begun + 1, drafts.length]) {
    assert.equal(await found(1, events), [])
    assert.equal(await found(0, events), [['EXECUTION_DIFFERS', BigInt(begun + 1)]])
  }
})

it('are not repeated on a state that is no longer known, behind an operation that threw', async () => {
  const { close, done, root, storage } = await world({ resources: withHost([count()]) })
  for (const by of [1, 2]) await done(root, 'count', { by })
  const text = await exported(storage.store)
  await close()
  assert.equal((await audited(text, {}, [count()])).findings, [])
  const { findings } = await audited(text, {}, [count(1)])
  assert.equal(
    findings.map(({ code }) => code),
    ['AUDIT_IMPOSSIBLE'],
  )
})

it('say of an activity that waited, and whose operation throws, that and nothing else', async () => {
  const { approve, close, done, grace, root, storage } = await trio({ resources: withHost([count()]) })
  right(await approve(grace, await done(root, 'count', { by: 1 })))
  const text = await exported(storage.store)
  await close()
  assert.equal((await audited(text, {}, [count()])).findings, [])
  const { findings } = await audited(text, {}, [count(1)])
  assert.equal([...new Set(findings.map(({ code }) => code))], ['AUDIT_IMPOSSIBLE'])
})

const Sum = t.fields({ sum: t.number })

/** Adds to a sum that the organization keeps; throws where it is to add `thrownBy`. */
const count = (thrownBy?: number) =>
  operation({
    type: 'ACTIVITY_TYPE_COUNT',
    path: 'count',
    summary: 'Counts.',
    intent: t.fields({ by: t.number }),
    result: Sum,
    change: Sum,
    execute: ({ by }, { organization }) => {
      if (by === thrownBy) throw new Error('a bug of the host')
      const sum = Number(hostState.of(organization).get('sum') ?? 0) + by
      return { result: { sum }, change: { sum } }
    },
    evolve: (draft, { sum }) => void hostState.in(draft).set('sum', sum),
  })

it.run()
