import {
  PENDING,
  type ActivitySelection,
  type Commit,
  type ListedActivity,
  type NewEvent,
  type Standing,
} from '../../core/ports/event-store.ts'
import { anyCommit, anyEvent } from './any.ts'
import { right, same } from './expect.ts'
import { append, storeCase } from './store-case.ts'
import type { Opened, StoreCase } from './store-case.ts'

const organization = 'acme'

/** The event of an activity with this standing. */
const standing = (activity: string, revision: bigint, is: Standing | undefined, given: Partial<NewEvent> = {}) =>
  anyEvent({ activity, revision, standing: is, ...given })
const to = (...events: readonly NewEvent[]): Commit => anyCommit({ organization, events })
const begun = (activity: string, type: string, status: string) => standing(activity, 1n, { type, status })

const list = async (
  { store }: Pick<Opened, 'store'>,
  selection: Partial<ActivitySelection> = {},
  of = organization,
): Promise<readonly string[]> =>
  (await right(store.activities(of, { limit: 100, ...selection }))).map(
    ({ activity, type, status }) => `${activity} ${type} ${status}`,
  )

export const standingCases: readonly StoreCase[] = [
  storeCase('67', 'lists activities by the places of their first events, in both directions', [], async (opened) => {
    await append(opened, to(begun('a', 'T', 'S')), anyCommit({ events: [begun('x', 'T', 'S')] }))
    await append(opened, to(begun('b', 'T', 'S'), standing('a', 2n, undefined), begun('c', 'U', 'S')))
    same(await list(opened), ['c U S', 'b T S', 'a T S'])
    same(await list(opened, { ascending: true, limit: 2 }), ['a T S', 'b T S'])
    const [last] = await right(opened.store.activities(organization, { limit: 1 }))
    const place = { organization, activity: 'c', sequence: 4n, position: 5n }
    same(last, { ...place, type: 'U', status: 'S' })
    same(await list(opened, { after: 4n }), ['b T S', 'a T S'])
    same(await list(opened, { after: 2n, ascending: true }), ['c U S'])
    same(await list(opened, {}, 'nobody'), [])
  }),

  storeCase('68', 'selects activities by types and by statuses', [], async (opened) => {
    await append(opened, to(begun('a', 'T', 'S'), begun('b', 'U', 'S'), begun('c', 'T', 'R'), begun('d', 'V', 'R')))
    same(await list(opened, { types: ['T', 'V', 'T', 'W'] }), ['d V R', 'c T R', 'a T S'])
    same(await list(opened, { statuses: ['S'] }), ['b U S', 'a T S'])
    same(await list(opened, { types: ['T', 'V'], statuses: ['R'], limit: 1 }), ['d V R'])
    same(await list(opened, { types: ['T'], statuses: ['S', 'R'], ascending: true, after: 1n }), ['c T R'])
    same(await list(opened, { types: [] }), [])
    same(await list(opened, { statuses: ['X'] }), [])
  }),

  storeCase(
    '69',
    'lists an activity by the last standing that an event gave it, and by its first type',
    [],
    async (opened) => {
      await append(opened, to(begun('a', 'T', 'S'), standing('a', 2n, { status: 'R' })))
      same(await list(opened), ['a T R'])
      await append(opened, to(standing('a', 3n, { status: 'Q' })), to(standing('a', 4n, undefined)))
      same(await list(opened), ['a T Q'])
      await append(
        opened,
        to(begun('b', 'T', 'S')),
        to(standing('b', 2n, { status: 'R' }), standing('b', 3n, { status: 'Q' })),
      )
      same(await list(opened, { statuses: ['Q'] }), ['b T Q', 'a T Q'])
      same(await list(opened, { statuses: ['S', 'R'] }), [])
    },
  ),

  storeCase('70', 'lists no activity without a type, and refuses a type that is no name', [], async (opened) => {
    await append(opened, to(standing('a', 1n, undefined)), to(standing('b', 1n, { status: PENDING })))
    same(await list(opened), [])
    same(await right(opened.store.pending(0n, 10)), [])
    const answers = await append(opened, to(begun('c', '', 'S')), to(begun('d', 'T\0', 'S')))
    same(
      answers.map(({ _tag }) => _tag),
      ['invalid', 'invalid'],
    )
    await append(opened, to(standing('a', 2n, { type: 'T', status: 'S' })))
    same(await list(opened), ['a T S'])
  }),

  storeCase('71', 'changes no standing by a commit that it refuses', [], async (opened) => {
    await append(opened, to(begun('a', 'T', 'S')))
    const late = anyCommit({ organization, expected: 9n, events: [standing('a', 2n, { status: 'R' })] })
    await append(opened, late, to(begun('b', 'T', 'S'), standing('a', 3n, { status: 'R' })))
    same(await list(opened), ['a T S'])
  }),

  storeCase('72', 'lists what is pending in all organizations, in the order of positions', [], async (opened) => {
    await append(opened, to(begun('a', 'T', PENDING), begun('b', 'T', 'S')))
    await append(opened, anyCommit({ organization: 'other', events: [begun('a', 'U', PENDING)] }))
    await append(opened, to(standing('b', 2n, { status: PENDING })))
    const pending = async (after: bigint, limit = 10) =>
      (await right(opened.store.pending(after, limit))).map(
        (one) => `${one.organization} ${one.activity} ${one.position}`,
      )
    same(await pending(0n), ['acme a 1', 'acme b 2', 'other a 3'])
    same(await pending(1n, 1), ['acme b 2'])
    await append(opened, to(standing('a', 2n, { status: 'S' })))
    same(await pending(0n), ['acme b 2', 'other a 3'])
  }),

  storeCase('73', 'replaces standings, and says of which version all of them are', [], async (opened) => {
    const { store } = opened
    same(await right(store.standingsVersion()), 0n)
    await append(opened, to(standing('a', 1n, undefined), begun('b', 'T', 'S')))
    const made = [
      { organization, activity: 'a', type: 'T', status: PENDING },
      { organization, activity: 'b', status: 'R' },
      { organization, activity: 'missing', type: 'T', status: 'S' },
      { organization: 'nobody', activity: 'a', type: 'T', status: 'S' },
    ]
    await right(store.setStandings(made, 0n))
    same(await list(opened), ['b T R', `a T ${PENDING}`])
    same((await right(store.pending(0n, 10))).length, 1)
    same(await right(store.standingsVersion()), 0n)
    await right(store.setStandings([], 7n))
    same(await right(store.standingsVersion()), 7n)
    same(await right(store.organizations('', 10)), [organization])
  }),

  storeCase(
    '74',
    'keeps standings and their version when it is opened again',
    ['durable', 'reopen'],
    async (opened) => {
      await append(opened, to(begun('a', 'T', 'S')), to(standing('a', 2n, { status: 'R' })))
      await right(opened.store.setStandings([], 3n))
      const { store } = await opened.reopened()
      same(await list({ store }), ['a T R'])
      same(await right(store.standingsVersion()), 3n)
    },
  ),

  storeCase('75', 'lists a long log as a walk through all of it would, page by page', [], async (opened) => {
    const activities = Array.from({ length: 120 }, (_, n) => ({
      activity: `a${n}`,
      type: `T${n % 7 === 0 ? n % 3 : 0}`,
      status: `S${n % 5 === 0 ? n % 4 : 0}`,
    }))
    for (const { activity, type, status } of activities) {
      const later = Array.from({ length: 9 }, (_, i) => standing(activity, BigInt(i + 2), undefined))
      await append(opened, to(begun(activity, type, 'before')), to(...later, standing(activity, 11n, { status })))
    }
    const all = activities.map(({ activity, type, status }) => `${activity} ${type} ${status}`)
    for (const types of [undefined, ['T0'], ['T1', 'T2']])
      for (const statuses of [undefined, ['S0'], ['S1', 'S3']])
        for (const ascending of [false, true]) {
          const expected = all.filter((one) => {
            const [, type = '', status = ''] = one.split(' ')
            return types?.includes(type) !== false && statuses?.includes(status) !== false
          })
          same(
            await walked(opened, { limit: 7, ascending, types, statuses }),
            ascending ? expected : expected.toReversed(),
          )
        }
  }),
]

/** All pages of a list, one behind the other. */
const walked = async ({ store }: Pick<Opened, 'store'>, selection: ActivitySelection): Promise<readonly string[]> => {
  const found: ListedActivity[] = []
  for (;;) {
    const page = await right(store.activities(organization, { ...selection, after: found.at(-1)?.sequence }))
    found.push(...page)
    if (page.length < selection.limit) return found.map(({ activity, type, status }) => `${activity} ${type} ${status}`)
  }
}
