import { randomBytes } from 'node:crypto'
import { FIRST_LINE, type Recorded } from '../../core/ports/event-store.ts'
import { anyCommit, anyEvent, anyEvents, anyPart } from './any.ts'
import { right, same } from './expect.ts'
import { append, appendEach, storeCase } from './store-case.ts'
import type { StoreCase } from './store-case.ts'

const organization = 'acme'
const sequences = (events: readonly Recorded[]) => events.map(({ sequence }) => Number(sequence))
const positions = (events: readonly Recorded[]) => events.map(({ position }) => Number(position))

export const readingCases: readonly StoreCase[] = [
  storeCase('27', 'tells a log that does not exist from one that does', [], async ({ store }) => {
    same(await right(store.head('nobody')), undefined)
    same(await right(store.readLog('nobody', 0n, 10)), [])
    same(await right(store.readActivity('nobody', 'nothing')), [])
    same(await right(store.lastPosition()), 0n)
    same(await right(store.organizations('', 10)), [])
  }),

  storeCase('28', 'reads from, up to a limit, nothing at all, and past the end', [], async (opened) => {
    const { store } = opened
    await append(opened, anyCommit(), anyCommit({ organization, events: anyEvents(5) }), anyCommit())
    same(sequences(await right(store.readLog(organization, 0n, 10))), [1, 2, 3, 4, 5])
    same(sequences(await right(store.readLog(organization, 2n, 2))), [3, 4])
    same(sequences(await right(store.readLog(organization, 5n, 10))), [])
    same(sequences(await right(store.readLog(organization, 2n ** 63n - 1n, 10))), [])
    same(await right(store.readLog(organization, 0n, 0)), [])
    same(positions(await right(store.readAll(0n, 3))), [1, 2, 3])
    same(positions(await right(store.readAll(5n, 10))), [6, 7])
    same(await right(store.readAll(0n, 0)), [])
    same(await right(store.lastPosition()), 7n)
  }),

  storeCase('28a', 'reads logs of many pages whole and in order', [], async (opened) => {
    const events = Array.from({ length: 3000 }, (_, i) =>
      anyEvent({ line: new Uint8Array(i % 7 === 0 ? 2000 : 3).fill(i) }),
    )
    await append(
      opened,
      anyCommit({ organization, events: events.slice(0, 1500) }),
      anyCommit(),
      anyCommit({ organization, events: events.slice(1500) }),
    )
    const log = await right(opened.store.readLog(organization, 0n, 10_000))
    same(
      log.map(({ line }) => line),
      events.map(({ line }) => line),
    )
    same((await right(opened.store.readAll(0n, 2999))).length, 2999)
    same((await right(opened.store.readAll(0n, 3001))).length, 3001)
  }),

  storeCase('28b', "reads an activity's stream out of its organization's log", [], async (opened) => {
    const payment = anyEvents(3, 'payment')
    for (const event of payment) await append(opened, anyCommit({ organization, events: [event, anyEvent()] }))
    await append(opened, anyCommit({ organization: 'other', events: anyEvents(2, 'payment') }))
    const stream = await right(opened.store.readActivity(organization, 'payment'))
    same(
      stream.map(({ id, revision }) => ({ id, revision })),
      payment.map(({ id, revision }) => ({ id, revision })),
    )
    const [first] = await right(opened.store.readActivity(organization, 'payment', FIRST_LINE))
    same([first?.id, first?.sequence], [payment[0]?.id, stream[0]?.sequence])
  }),

  storeCase('28c', 'lists organizations in the order of their UTF-8, page by page', [], async (opened) => {
    const names = ['a', 'b', 'ba', '\u{1f512}', '\uff5e', 'Z']
    await append(opened, ...names.map((name) => anyCommit({ organization: name })))
    same(await right(opened.store.organizations('', 100)), ['Z', 'a', 'b', 'ba', '\uff5e', '\u{1f512}'])
    same(await right(opened.store.organizations('a', 2)), ['b', 'ba'])
    same(await right(opened.store.organizations('\u{1f512}', 2)), [])
  }),

  storeCase('28d', 'reads all of a store in pages that are bounded in bytes', [], async (opened) => {
    const events = Array.from({ length: 300 }, (_, i) =>
      anyEvent({
        line: new Uint8Array(50).fill(i),
        parts: i % 3 === 0 ? [anyPart({ bytes: new Uint8Array(5000) })] : [],
      }),
    )
    await append(opened, anyCommit({ organization, events }))
    const read: Recorded[] = []
    for (;;) {
      const page = await right(opened.store.readAll(read.at(-1)?.position ?? 0n, 200, { bytesMax: 20_000 }))
      if (page.length === 0) break
      read.push(...page)
    }
    same(
      read.map(({ id, parts }) => `${id} ${parts.length}`),
      events.map(({ id, parts }) => `${id} ${parts.length}`),
    )
  }),

  storeCase('29', 'hands out the very bytes that it was given, in lines, salts and parts', [], async (opened) => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    const texts = [
      '{"b":1.0,"a":1e400,"n":12345678901234567890}',
      '{"a":null,"\\ud800":"\\u0000","d":"2026-02-30"}',
      '[]',
      ' ',
      '\n\n',
      '[[[[[]]]]]',
    ]
    const lines = [
      all,
      new Uint8Array(),
      Uint8Array.of(0),
      Uint8Array.of(0xff, 0xfe, 0, 0xed, 0xa0, 0x80),
      randomBytes(5000),
    ]
    const given = [...lines, ...texts.map((text) => new TextEncoder().encode(text)), Buffer.from('from a pool')]
    const parts = (bytes: Uint8Array) => [
      anyPart({ bytes }),
      anyPart({ name: 'empty', bytes: new Uint8Array() }),
      anyPart({ name: 'b', salt: all }),
    ]
    const events = given.map((line) => anyEvent({ line, parts: parts(line) }))
    await append(opened, anyCommit({ organization, events }))
    const expected = events.map(({ line, parts: kept }) => ({ line, parts: kept }))
    for (const read of [
      await right(opened.store.readAll(0n, 100)),
      await right(opened.store.readLog(organization, 0n, 100)),
    ])
      same(
        read.map(({ line, parts: kept }) => ({ line, parts: kept })),
        expected,
      )
    same((await right(opened.store.head(organization)))?.line, given.at(-1))
  }),

  storeCase(
    '29a',
    'keeps its bytes to itself: a buffer that its owner uses again changes nothing',
    [],
    async (opened) => {
      const event = anyEvent({ parts: [anyPart()] })
      const [line, bytes] = [Buffer.from(event.line), Buffer.from(event.parts[0]?.bytes ?? [])]
      await append(opened, anyCommit({ organization, events: [event] }))
      event.line.fill(0)
      event.parts[0]?.bytes.fill(0)
      const [read] = await right(opened.store.readLog(organization, 0n, 1))
      same([read?.line, read?.parts[0]?.bytes], [line, bytes])
    },
  ),

  storeCase('30', 'keeps every member of an event', [], async (opened) => {
    const event = anyEvent({ id: 'i', activity: 'payment', parts: [anyPart({ name: 'z' }), anyPart({ name: 'a' })] })
    await appendEach(opened, anyCommit(), anyCommit({ organization, events: [anyEvent(), event] }))
    const expected = { ...event, organization, position: 3n, sequence: 2n }
    for (const read of [
      await right(opened.store.readAll(2n, 9)),
      await right(opened.store.readLog(organization, 1n, 9)),
      await right(opened.store.readActivity(organization, 'payment')),
    ])
      same(
        read.map((recorded) => ({ ...recorded })),
        [expected],
      )
  }),

  storeCase('31', 'never shows half a commit to those who read while others append', [], async (opened) => {
    const { store } = opened
    const state = { isWriting: true }
    const commits = Array.from({ length: 40 }, () => anyCommit({ organization, events: anyEvents(3) }))
    const writing = Promise.all(commits.map((commit) => append(opened, commit))).finally(() => {
      state.isWriting = false
    })
    while (state.isWriting) {
      same((await right(store.readLog(organization, 0n, 1000))).length % 3, 0)
      same((await right(store.readAll(0n, 1000))).length % 3, 0)
      same(Number((await right(store.head(organization)))?.sequence ?? 0n) % 3, 0)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writing
    same((await right(store.readAll(0n, 1000))).length, 120)
  }),

  storeCase('36', 'gives positions that only increase, in the order of every log', [], async (opened) => {
    const writers = Array.from({ length: 100 }, (_, i) =>
      append(opened, anyCommit({ organization: `${i % 3}`, events: anyEvents(1 + (i % 3)) })),
    )
    await Promise.all(writers)
    const all = await right(opened.store.readAll(0n, 1000))
    same(
      all.every(({ position }, i) => position > (all[i - 1]?.position ?? 0n)),
      true,
    )
    for (const name of ['0', '1', '2']) {
      const own = all.filter((event) => event.organization === name)
      same(
        sequences(own),
        own.map((_, i) => i + 1),
      )
    }
  }),

  storeCase(
    '37',
    'resumes behind a position without loss or repetition, and is silent behind the last',
    [],
    async (opened) => {
      const { store } = opened
      await append(opened, ...Array.from({ length: 30 }, () => anyCommit({ events: anyEvents(3) })))
      const whole = positions(await right(store.readAll(0n, 1000)))
      for (const size of [1, 7, 89, 90, 91]) {
        const pages: number[] = []
        for (let after = 0n; ;) {
          const page = await right(store.readAll(after, size))
          pages.push(...positions(page))
          if (page.length === 0) break
          after = page.at(-1)?.position ?? after
        }
        same(pages, whole)
      }
      same(await right(store.readAll(1000n, 10)), [])
      same(await right(store.readAll(2n ** 63n - 1n, 10)), [])
    },
  ),

  storeCase('56', "keeps one organization's events out of another's reach", [], async (opened) => {
    const { store } = opened
    const names = ['acme', 'acme/', 'Acme', 'acm']
    await append(
      opened,
      ...names.map((name) =>
        anyCommit({ organization: name, events: [anyEvent({ activity: 'x', parts: [anyPart()] })] }),
      ),
    )
    for (const name of names)
      same(
        (await right(store.readLog(name, 0n, 10))).map((event) => event.organization),
        [name],
      )
    await right(store.eraseParts('acme', [{ sequence: 1n, name: 'request' }]))
    same((await right(store.readActivity('acme/', 'x')))[0]?.parts.length, 1)
  }),

  storeCase('59', 'orders by arrival, whatever the clock and the ids say', [], async (opened) => {
    const ids = ['c', 'b', 'a']
    for (const id of ids) await append(opened, anyCommit({ organization, events: [anyEvent({ id })] }))
    same(
      (await right(opened.store.readAll(0n, 10))).map(({ id }) => id),
      ids,
    )
  }),
]
