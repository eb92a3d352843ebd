import type { Appended } from '../../core/ports/event-store.ts'
import { anyCommit, anyEvent, anyEvents, committed, duplicate, partialDuplicate } from './any.ts'
import { right, same } from './expect.ts'
import { append, storeCase } from './store-case.ts'
import type { Opened, StoreCase } from './store-case.ts'

const organization = 'acme'
const count = async ({ store }: Pick<Opened, 'store'>) => (await right(store.readAll(0n, 1_000_000))).length
const three = () => Array.from({ length: 3 }, () => anyEvent())

export const idempotencyCases: readonly StoreCase[] = [
  storeCase(
    '13',
    'answers the same commit with its original numbers, and writes nothing',
    ['tellsDuplicates'],
    async (opened) => {
      const commit = anyCommit({ organization, expected: 'none', events: anyEvents(2) })
      const next = anyCommit({ organization, expected: 2n })
      same(await append(opened, commit, next), [committed(2n, 2n), committed(3n, 3n)])
      same(await append(opened, commit, next), [duplicate(2n, 2n), duplicate(3n, 3n)])
      same(await count(opened), 3)
    },
  ),

  storeCase('13a', 'recognizes a commit that comes twice in one call', ['tellsDuplicates'], async (opened) => {
    const commit = anyCommit({ organization, expected: 'none' })
    same(await append(opened, commit, commit, anyCommit({ organization, expected: 1n })), [
      committed(1n, 1n),
      duplicate(1n, 1n),
      committed(2n, 2n),
    ])
  }),

  storeCase('14', "recognizes the same commit at once when 'any' is expected", ['remembersIds'], async (opened) => {
    const commit = anyCommit({ organization, events: anyEvents(2) })
    await append(opened, commit, anyCommit({ organization }))
    same(await append(opened, commit), [duplicate(2n, 2n)])
    same(await count(opened), 3)
  }),

  storeCase('15', 'recognizes it behind 100,000 other events', ['remembersIds'], async (opened) => {
    const commit = anyCommit({ organization })
    await append(opened, commit)
    for (let i = 0; i < 10; i++) {
      const events = () =>
        Array.from({ length: 500 }, (_, n) => anyEvent({ activity: `${i}/${n}`, line: new Uint8Array(20) }))
      await append(
        opened,
        ...Array.from({ length: 20 }, (_, n) => anyCommit({ organization: `${n}`, events: events() })),
      )
    }
    same(await append(opened, commit), [duplicate(1n, 1n)])
    same(await right(opened.store.lastPosition()), 100_001n)
  }),

  storeCase('15a', 'recognizes it after the store was opened again', ['remembersIds', 'reopen'], async (opened) => {
    const commit = anyCommit({ organization })
    await append(opened, commit, anyCommit({ organization }))
    same(await append(await opened.reopened(), commit), [duplicate(1n, 1n)])
  }),

  storeCase('16', 'recognizes a part of a commit that lies together', ['remembersIds'], async (opened) => {
    const [a, b, c] = three()
    if (!a || !b || !c) return
    await append(opened, anyCommit({ organization, events: [a, b, c] }))
    const again = [[a, b], [b, c], [c]].map((events) => anyCommit({ organization, events }))
    same(await append(opened, ...again), [duplicate(2n, 2n), duplicate(3n, 3n), duplicate(3n, 3n)])
    same(await append(opened, anyCommit({ organization, events: [a, c] })), [partialDuplicate])
  }),

  storeCase('17', 'writes nothing of a commit that is known in part', ['remembersIds'], async (opened) => {
    const [a, b, c] = three()
    if (!a || !b || !c) return
    await append(opened, anyCommit({ organization, events: [a, b] }))
    const partly = [
      [a, b, c],
      [c, a],
      [b, c],
    ].map((events) => anyCommit({ organization, events }))
    same(await append(opened, ...partly), [partialDuplicate, partialDuplicate, partialDuplicate])
    same(await append(opened, anyCommit({ organization, expected: 2n, events: [b, c] })), [partialDuplicate])
    same(await count(opened), 2)
  }),

  storeCase('18', 'refuses known events in another order', ['remembersIds'], async (opened) => {
    const [a, b] = three()
    if (!a || !b) return
    await append(opened, anyCommit({ organization, events: [a, b] }))
    same(await append(opened, anyCommit({ organization, events: [b, a] })), [partialDuplicate])
  }),

  storeCase('18a', 'refuses a known id with other bytes', ['remembersIds'], async (opened) => {
    const [a, b] = three()
    if (!a || !b) return
    await append(opened, anyCommit({ organization, events: [a] }))
    const forged = { ...a, line: b.line }
    same(await append(opened, anyCommit({ organization, events: [forged] })), [partialDuplicate])
    same(await append(opened, anyCommit({ organization, expected: 0n, events: [forged] })), [partialDuplicate])
  }),

  storeCase('19', 'calls a commit invalid that uses an id twice', [], async (opened) => {
    const event = anyEvent()
    const [answer] = await append(opened, anyCommit({ events: [event, { ...event, activity: 'other' }] }))
    same(answer?._tag, 'invalid')
    same(await count(opened), 0)
  }),

  storeCase('20', 'refuses an id that another log has', ['remembersIds'], async (opened) => {
    const event = anyEvent()
    await append(opened, anyCommit({ organization, events: [event] }))
    const expected = ['any', 'none'] as const
    const others = expected.map((sequence) => anyCommit({ organization: 'other', expected: sequence, events: [event] }))
    same(await append(opened, ...others), [partialDuplicate, partialDuplicate])
    same(await right(opened.store.organizations('', 10)), [organization])
  }),

  storeCase(
    '21',
    'keeps one copy of a commit that is sent again before its answer came',
    ['remembersIds'],
    async (opened) => {
      const commit = anyCommit({ organization, expected: 'none', events: anyEvents(2) })
      const answers: readonly (readonly Appended[])[] = await Promise.all([1, 2, 3].map(() => append(opened, commit)))
      const tags = answers.flat().map(({ _tag }) => _tag)
      same(tags.sort(), ['committed', 'duplicate', 'duplicate'])
      same(await count(opened), 2)
    },
  ),
]
