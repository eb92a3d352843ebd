import { ok } from 'node:assert/strict'
import type { Appended, Commit } from '../../core/ports/event-store.ts'
import { anyCommit, anyEvent, anyEvents, anyPart, committed, conflict } from './any.ts'
import { right, same } from './expect.ts'
import { append, appendEach, storeCase, withOpened } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

const organization = 'acme'
const tags = (answers: readonly Appended[]) => answers.map(({ _tag }) => _tag)

export const appendCases: readonly StoreCase[] = [
  storeCase('1', "appends to a log that does not exist when 'none' is expected", [], async (opened) => {
    same(await append(opened, anyCommit({ expected: 'none' })), [committed(1n, 1n)])
  }),

  storeCase('2', "refuses 'none' for a log that exists, with its actual numbers", [], async (opened) => {
    await appendEach(opened, anyCommit(), anyCommit({ organization, events: anyEvents(2) }))
    same(await append(opened, anyCommit({ organization, expected: 'none' })), [conflict(2n, 3n)])
  }),

  storeCase('3', 'refuses a sequence for a log that does not exist', [], async (opened) => {
    same(await append(opened, anyCommit({ organization, expected: 3n })), [conflict(0n, 0n)])
    same(await right(opened.store.head(organization)), undefined)
  }),

  storeCase('4', 'accepts the exact sequence, and refuses one too low and one too high', [], async (opened) => {
    await append(opened, anyCommit({ organization, events: anyEvents(2) }))
    same(await append(opened, anyCommit({ organization, expected: 1n })), [conflict(2n, 2n)])
    same(await append(opened, anyCommit({ organization, expected: 3n })), [conflict(2n, 2n)])
    same(await append(opened, anyCommit({ organization, expected: 2n })), [committed(3n, 3n)])
  }),

  storeCase('5', "never answers 'any' with a conflict, however many append at once", [], async (opened) => {
    const calls = Array.from({ length: 50 }, () => append(opened, anyCommit({ organization, events: anyEvents(2) })))
    same(new Set((await Promise.all(calls)).flatMap(tags)), new Set(['committed']))
    const log = await right(opened.store.readLog(organization, 0n, 1000))
    same(
      log.map(({ sequence }) => sequence),
      Array.from({ length: 100 }, (_, i) => BigInt(i + 1)),
    )
  }),

  storeCase('6', 'calls a commit without events invalid, and answers no commits with nothing', [], async (opened) => {
    same(tags(await append(opened, anyCommit({ organization, expected: 7n, events: [] }))), ['invalid'])
    same(await append(opened), [])
  }),

  storeCase('7', 'stores nothing of a commit in which one event is bad', [], async (opened) => {
    const large = anyEvent({ line: new Uint8Array(opened.commitBytesMax + 1) })
    const answers = await append(
      opened,
      anyCommit({ organization, events: [anyEvent(), large] }),
      anyCommit({ organization, events: [anyEvent(), anyEvent({ id: '' })] }),
      anyCommit({ organization, events: [anyEvent(), anyEvent({ revision: 2n })] }),
    )
    same(tags(answers), ['too-large', 'invalid', 'revision-conflict'])
    same(await right(opened.store.readAll(0n, 10)), [])
    same(await right(opened.store.organizations('', 10)), [])
  }),

  storeCase('8', 'keeps the events of a commit together and in order', [], async (opened) => {
    const commits = Array.from({ length: 20 }, () => anyCommit({ organization, events: anyEvents(5) }))
    await Promise.all(commits.map((commit) => append(opened, commit)))
    const log = await right(opened.store.readLog(organization, 0n, 1000))
    same(
      log.map(({ id }) => id),
      commits.flatMap(({ events }) => events.map(({ id }) => id)),
    )
  }),

  storeCase('8a', "refuses a revision that is not the next of its activity's stream", [], async (opened) => {
    const [first, second, third] = anyEvents(3, 'payment')
    const to = (events: Commit['events']) => anyCommit({ organization, events })
    if (!first || !second || !third) return
    const taken = { _tag: 'revision-conflict', activity: 'payment', revision: 1n } as const
    same(await append(opened, to([second])), [{ ...taken, revision: 0n }])
    same(tags(await append(opened, to([first]))), ['committed'])
    same(await append(opened, to([anyEvent({ activity: 'payment' })])), [taken])
    same(await append(opened, to([third])), [taken])
    same(tags(await append(opened, to([second]), to([third]))), ['committed', 'committed'])
    same(
      tags(await append(opened, anyCommit({ organization: 'other', events: [anyEvent({ activity: 'payment' })] }))),
      ['committed'],
    )
  }),

  storeCase('8b', 'names the first revision of a commit that does not fit', [], async (opened) => {
    await append(opened, anyCommit({ organization, events: anyEvents(1, 'payment') }))
    const events = [1n, 3n].map((revision) => anyEvent({ activity: 'payment', revision }))
    const expected = { _tag: 'revision-conflict', activity: 'payment', revision: 1n } as const
    same(await append(opened, anyCommit({ organization, events })), [expected])
  }),

  storeCase('9', 'lets exactly one of two racing writers win', [], async (opened) => {
    for (let sequence = 0n; sequence < 10n; sequence++) {
      const race = [1, 2].map(() => append(opened, anyCommit({ organization, expected: sequence })))
      same((await Promise.all(race)).flatMap(tags).sort(), ['committed', 'conflict'])
    }
  }),

  storeCase(
    '9a',
    'drops with a refused commit those of its organization that stood on it, and no others',
    [],
    async (opened) => {
      await append(opened, anyCommit({ organization, events: anyEvents(2) }))
      const answers = await append(
        opened,
        anyCommit({ organization: 'b', expected: 'none' }),
        anyCommit({ organization, expected: 1n, events: anyEvents(1) }),
        anyCommit({ organization, expected: 2n }),
        anyCommit({ organization, expected: 3n }),
        anyCommit({ organization: 'b', expected: 1n }),
      )
      const fallen = conflict(2n, 2n)
      same(answers, [committed(1n, 3n), fallen, fallen, fallen, committed(2n, 4n)])
    },
  ),

  storeCase('9b', 'appends commits of one call that stand on one another', [], async (opened) => {
    const chain = ['none', 2n, 4n] as const
    const answers = await append(
      opened,
      ...chain.map((expected) => anyCommit({ organization, expected, events: anyEvents(2) })),
    )
    same(answers, [committed(2n, 2n), committed(4n, 4n), committed(6n, 6n)])
  }),

  storeCase(
    '10',
    'keeps names of any characters apart, and refuses those that not every store can keep',
    [],
    async (opened) => {
      const names = [
        'a',
        'caf\u00e9',
        'cafe\u0301',
        '../?&=%2F #',
        '\u{1f512} \u00a0',
        "'; DROP TABLE events; --",
        'A',
        'x'.repeat(200),
        '0',
        'null',
      ]
      const good = names.map((name) =>
        anyCommit({ organization: name, events: [anyEvent({ activity: name, id: `id ${name}`.slice(0, 200) })] }),
      )
      same(new Set(tags(await append(opened, ...good))), new Set(['committed']))
      for (const name of names) {
        const [event, ...others] = await right(opened.store.readActivity(name, name))
        same([event?.organization, event?.activity, event?.sequence, others.length], [name, name, 1n, 0])
        same((await right(opened.store.head(name)))?.sequence, 1n)
      }
      const bad = ['', '\0', 'a\0b', '\ud800', 'x'.repeat(201)]
      const refused = [
        anyCommit({ organization: '$all' }),
        ...bad.map((name) => anyCommit({ organization: name })),
        ...bad.map((activity) => anyCommit({ events: [anyEvent({ activity })] })),
        ...bad.map((id) => anyCommit({ events: [anyEvent({ id })] })),
        ...bad.map((name) => anyCommit({ events: [anyEvent({ parts: [anyPart({ name })] })] })),
        anyCommit({ events: [anyEvent({ parts: [anyPart(), anyPart()] })] }),
      ]
      same(new Set(tags(await append(opened, ...refused))), new Set(['invalid']))
    },
  ),

  {
    number: '11',
    name: 'counts beyond 2^53 without rounding',
    needs: ['openNumbered'],
    test: async (under) => {
      const first = { position: 2n ** 53n + 1n, sequence: 2n ** 60n + 1n }
      await withOpened(
        under,
        () => under.openNumbered?.(first) ?? under.open(),
        async (opened) => {
          const { store } = opened
          const { position, sequence } = first
          const events = Array.from({ length: 4 }, () => anyEvent({ parts: [anyPart()] }))
          same(await append(opened, anyCommit({ organization, expected: 'none', events })), [
            committed(sequence + 3n, position + 3n),
          ])
          const all = await right(store.readAll(position, 10))
          same(
            all.map((event) => event.position),
            [1n, 2n, 3n].map((n) => position + n),
          )
          same(
            all.map(({ parts }) => parts),
            events.slice(1).map(({ parts }) => parts),
          )
          const log = await right(store.readLog(organization, sequence + 1n, 10))
          same(
            log.map((event) => event.sequence),
            [2n, 3n].map((n) => sequence + n),
          )
          same(
            log.map(({ parts }) => parts),
            events.slice(2).map(({ parts }) => parts),
          )
          same(await right(store.lastPosition()), position + 3n)
          same(await append(opened, anyCommit({ organization, expected: sequence + 2n })), [
            conflict(sequence + 3n, position + 3n),
          ])
          same(await append(opened, anyCommit({ organization, expected: sequence + 3n })), [
            committed(sequence + 4n, position + 4n),
          ])
        },
      )
    },
  },

  storeCase('12', 'answers with the numbers that a read then shows', [], async (opened) => {
    for (let i = 0; i < 5; i++) {
      const answers = await append(opened, anyCommit({ organization, events: anyEvents(3) }), anyCommit())
      const [appended] = answers
      const head = await right(opened.store.head(organization))
      ok(appended?._tag === 'committed')
      same([head?.sequence, head?.position], [appended.sequence, appended.position])
      const [last] = await right(opened.store.readLog(organization, appended.sequence - 1n, 1))
      same([last?.position, last?.line], [appended.position, head?.line])
    }
  }),
]
