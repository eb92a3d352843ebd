import type { Appended } from '../../core/ports/event-store.ts'
import { anyCommit, anyEvents, committed, conflict } from './any.ts'
import { right, same } from './expect.ts'
import { append, appendEach, storeCase } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

const organization = 'acme'
const tags = (answers: readonly Appended[]) => answers.map(({ _tag }) => _tag)

/** Commits of several organizations: what one says of the logs of others, and the order of all. */
export const checkCases: readonly StoreCase[] = [
  storeCase(
    '24',
    'appends only where the sequences of the other organizations that were read still hold',
    [],
    async (opened) => {
      await append(
        opened,
        anyCommit({ organization: 'parent', events: anyEvents(2) }),
        anyCommit({ organization: 'aunt' }),
      )
      const commit = (parent: bigint, aunt: bigint) =>
        anyCommit({
          organization,
          checks: [
            { organization: 'parent', sequence: parent },
            { organization: 'aunt', sequence: aunt },
          ],
        })
      const failed = [
        { organization: 'parent', sequence: 2n },
        { organization: 'aunt', sequence: 1n },
      ]
      same(await append(opened, commit(1n, 0n)), [{ _tag: 'check-failed', organizations: failed }])
      same(tags(await append(opened, commit(2n, 1n))), ['committed'])
      same(tags(await append(opened, anyCommit({ organization: 'parent' }), commit(2n, 1n))), [
        'committed',
        'check-failed',
      ])
    },
  ),

  storeCase(
    '24a',
    'lets exactly one of two writers win that have each read the log of the other',
    ['checksWithAppend'],
    async (opened) => {
      for (let round = 0; round < 20; round += 1) {
        const [left, other] = [`left ${round}`, `right ${round}`]
        await append(opened, anyCommit({ organization: left }), anyCommit({ organization: other }))
        const reading = (own: string, read: string) =>
          anyCommit({ organization: own, expected: 1n, checks: [{ organization: read, sequence: 1n }] })
        const answers = await Promise.all([append(opened, reading(left, other)), append(opened, reading(other, left))])
        same(answers.flatMap(tags).sort(), ['check-failed', 'committed'])
      }
    },
  ),

  storeCase('67', 'gives the events of a commit positions without gaps', ['gaplessPositions'], async (opened) => {
    await Promise.all(
      Array.from({ length: 20 }, () => append(opened, anyCommit({ events: anyEvents(3) }), anyCommit())),
    )
    const all = await right(opened.store.readAll(0n, 1_000))
    for (const [at, { position, organization: of }] of all.entries()) {
      const before = all[at - 1]
      if (before?.organization === of) same(position, before.position + 1n)
    }
  }),

  storeCase(
    '68',
    'gives the commits of a call positions in their order, across organizations',
    ['ordersCommits'],
    async (opened) => {
      const names = Array.from({ length: 50 }, (_, n) => `${(n * 7) % 50}`)
      await append(opened, ...names.map((name) => anyCommit({ organization: name })))
      const all = await right(opened.store.readAll(0n, 100))
      same(
        all.map(({ organization: of }) => of),
        names,
      )
    },
  ),

  storeCase(
    '66',
    'refuses what was decided on another organization as a refused commit would have left it',
    [],
    async (opened) => {
      await append(opened, anyCommit({ organization: 'parent', events: anyEvents(2) }))
      // Somebody else wrote the second event: that the sequence fits does not say that the state is the one that was read.
      const overtaken = anyCommit({ organization: 'parent', expected: 1n })
      const checks = [{ organization: 'parent', sequence: 2n }]
      same(await append(opened, overtaken, anyCommit({ organization, checks })), [
        conflict(2n, 2n),
        { _tag: 'check-failed', organizations: checks },
      ])
      same(tags(await append(opened, anyCommit({ organization, checks }))), ['committed'])
    },
  ),

  storeCase('85', 'refuses what was decided behind another last event, even if the numbers fit', [], async (opened) => {
    const events = anyEvents(2)
    const [first, last] = events.map(({ id }) => id)
    await appendEach(
      opened,
      anyCommit({ organization: 'parent', events }),
      anyCommit({ organization, events: anyEvents(2) }),
    )
    same(await append(opened, anyCommit({ organization, expected: 2n, after: last })), [conflict(2n, 4n)])
    const behind = (after: string | undefined) => [{ organization: 'parent', sequence: 2n, after }]
    same(await append(opened, anyCommit({ organization, checks: behind(first) })), [
      { _tag: 'check-failed', organizations: [{ organization: 'parent', sequence: 2n }] },
    ])
    const group = anyEvents(1)
    same(
      await append(
        opened,
        anyCommit({ organization: 'parent', expected: 2n, after: last, events: group }),
        anyCommit({ organization: 'parent', expected: 3n, after: last }),
        anyCommit({ organization: 'parent', expected: 3n, after: group[0]?.id }),
      ),
      [committed(3n, 5n), conflict(3n, 5n), committed(4n, 6n)],
    )
  }),
]
