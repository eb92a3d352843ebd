import type { PartPlace, Recorded } from '../../core/ports/event-store.ts'
import { anyCommit, anyEvent, anyPart } from './any.ts'
import { selectsPart } from '../../core/ports/part-selection.ts'
import { right, same } from './expect.ts'
import { append, appendEach, storeCase } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

const organization = 'acme'

export const partsCases: readonly StoreCase[] = [
  storeCase(
    '29b',
    'keeps the parts of each event of a commit by name, a thousand of one event too',
    [],
    async (opened) => {
      const { store } = opened
      const many = Array.from({ length: 1000 }, (_, i) => anyPart({ name: `personal.${i}` }))
      const parts = [[anyPart()], many, [], [anyPart({ name: 'bundle' }), anyPart({ name: 'personal.7' })]]
      const events = parts.map((own, i) => anyEvent({ activity: 'payment', revision: BigInt(i + 1), parts: own }))
      await appendEach(
        opened,
        anyCommit({ organization, events }),
        anyCommit({ events: [anyEvent({ parts: [anyPart()] })] }),
      )
      await right(store.eraseParts(organization, [{ sequence: 2n, name: 'personal.7' }]))
      await right(store.eraseParts(organization, [{ sequence: 4n, name: 'bundle' }]))
      const expected = [parts[0], many.filter(({ name }) => name !== 'personal.7'), [], parts[3]?.slice(1)]
      for (const read of [
        await right(store.readLog(organization, 0n, 9)),
        await right(store.readActivity(organization, 'payment')),
        (await right(store.readAll(0n, 9))).slice(0, 4),
      ])
        same(
          read.map((one) => one.parts),
          expected,
        )
      same((await right(store.readLog(organization, 1n, 1)))[0]?.parts.length, 999)
    },
  ),

  storeCase('54', 'erases a part for ever, and leaves its line and all others as they were', [], async (opened) => {
    const { store } = opened
    const events = [1, 2].map(() =>
      anyEvent({ activity: 'payment', parts: [anyPart(), anyPart({ name: 'personal' })] }),
    )
    const [first, second] = events.map((event, i) => ({ ...event, revision: BigInt(i + 1) }))
    if (!first || !second) return
    await appendEach(
      opened,
      anyCommit({ organization, events: [first, second] }),
      anyCommit({ organization: 'other', events: [anyEvent({ parts: [anyPart()] })] }),
    )
    const request: PartPlace = { sequence: 1n, name: 'request' }
    await right(store.eraseParts(organization, [request, request]))
    await right(store.eraseParts(organization, [request]))
    await right(store.eraseParts(organization, [{ ...request, sequence: 9n }]))
    await right(store.eraseParts(organization, [{ ...request, name: 'requests' }]))
    await right(store.eraseParts(organization, []))
    await right(store.eraseParts('nobody', [request]))
    const expected = [
      { line: first.line, parts: first.parts.slice(1) },
      { line: second.line, parts: second.parts },
    ]
    const kept = (read: readonly Recorded[]) => read.map(({ line, parts }) => ({ line, parts }))
    same(kept(await right(store.readLog(organization, 0n, 9))), expected)
    same(kept(await right(store.readActivity(organization, 'payment'))), expected)
    same(kept((await right(store.readAll(0n, 9))).slice(0, 2)), expected)
    same((await right(store.readAll(2n, 9)))[0]?.parts.length, 1)
    same(await append(opened, anyCommit({ organization, events: [first, second] })), [
      { _tag: 'duplicate', sequence: 2n, position: 2n },
    ])
  }),

  storeCase('54a', 'erases many parts of many events in one call, and no others', [], async (opened) => {
    const { store } = opened
    const id = '01234567-89ab-8cde-8f01-23456789abcd'
    const names = ['request', 'personal', `personal:${id}`, 'personal:b', 'personal.b']
    const events = Array.from({ length: 700 }, (_, i) =>
      anyEvent({ activity: 'payment', revision: BigInt(i + 1), parts: names.map((name) => anyPart({ name })) }),
    )
    const others = events.slice(0, 20).map((event) => ({ ...event, id: `other ${event.id}` }))
    await appendEach(opened, anyCommit({ organization, events }), anyCommit({ organization: 'other', events: others }))
    const isErased = (i: number, name: string) =>
      i % 3 > 0 && (name === `personal:${id}` || (name === 'request' && i % 2 > 0))
    const erased = events.flatMap(({ parts }, i) =>
      parts.filter(({ name }) => isErased(i, name)).map(({ name }) => ({ sequence: BigInt(i + 1), name })),
    )
    await right(store.eraseParts(organization, [...erased.toReversed(), { sequence: 4n, name: 'personal:x' }]))
    const expected = events.map(({ line, parts }, i) => ({
      line,
      parts: parts.filter(({ name }) => !isErased(i, name)),
    }))
    const kept = (read: readonly Recorded[]) => read.map(({ line, parts }) => ({ line, parts }))
    same(kept(await right(store.readLog(organization, 0n, 1000))), expected)
    same(kept(await right(store.readActivity(organization, 'payment'))), expected)
    same(kept((await right(store.readAll(0n, 1000))).slice(0, 700)), expected)
    same(
      kept(await right(store.readLog('other', 0n, 1000))),
      kept(others.map((event) => ({ ...event, organization, sequence: 0n, position: 0n }))),
    )
    same(
      (await right(store.readLog(organization, 0n, 2, { parts: ['personal:'] }))).map((one) => one.parts),
      [events[0]?.parts.slice(2, 4), events[1]?.parts.slice(3, 4)],
    )
  }),

  storeCase('54b', 'reads the parts whose names are asked for, and no others', [], async (opened) => {
    const { store } = opened
    const events = Array.from({ length: 120 }, (_, i) =>
      anyEvent({
        activity: i % 4 === 0 ? `single ${i}` : 'payment',
        revision: i % 4 === 0 ? 1n : BigInt(i - Math.floor(i / 4)),
        parts: i % 5 === 0 ? [] : LOOK_ALIKE.filter((_name, n) => (i + n) % 3 > 0).map((name) => anyPart({ name })),
      }),
    )
    await append(opened, anyCommit({ organization, events: events.slice(0, 60) }))
    await append(opened, anyCommit({ events: [anyEvent({ parts: [anyPart({ name: 'personal:x' })] })] }))
    await append(opened, anyCommit({ organization, events: events.slice(60) }))
    const payments = events.filter(({ activity }) => activity === 'payment')
    for (const parts of LISTS) {
      const wanted = (of: typeof events) => of.map((one) => one.parts.filter(({ name }) => selectsPart(parts, name)))
      const found = (of: readonly Recorded[]) => of.map((one) => one.parts)
      const all = (await right(store.readAll(0n, 1000, { parts }))).filter((one) => one.organization === organization)
      same(found(await right(store.readLog(organization, 0n, 1000, { parts }))), wanted(events), parts.join())
      same(found(await right(store.readActivity(organization, 'payment', { parts }))), wanted(payments), parts.join())
      same(found(all), wanted(events), parts.join())
    }
  }),
]

const LOOK_ALIKE = [
  ...[
    'request',
    'personal',
    'personal:x',
    'personal:xy',
    'personalx',
    'personal.x',
    'personal.',
    'personal:',
    'personal;',
  ],
  ...[
    'Personal:x',
    'personal/x',
    'other.x',
    'personal%',
    'personal_x',
    "personal'x",
    'requests',
    'request.x',
    'personal:é',
  ],
]

const LISTS: readonly (readonly string[])[] = [
  ...[[], ['request'], ['personal'], ['personal:'], ['personal.'], ['personal:x'], ['person'], [':', '.', '']],
  ...[
    ['personal:', 'request'],
    ['personal:', 'personal:x', 'personal'],
    ['request.', 'other.x', 'nothing'],
  ],
  ...[
    ['personal%', 'personal_'],
    ['personal:é', "personal'x"],
    ['personal:\u{1f512}:', 'personal:x'],
  ],
  Array.from({ length: 3000 }, (_, i) => (i % 2 > 0 ? `many.${i}` : `many.${i}:`)).concat('personal:xy', 'personal.'),
]
