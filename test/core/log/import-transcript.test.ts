import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { failure } from '../../../core/failure.ts'
import { beforeFirst, link, type Tip } from '../../../core/log/chain.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { encodePartLine } from '../../../core/log/transcript-line.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { IMPORT_UNFINISHED, type Appended, type Commit, type EventStore } from '../../../core/ports/event-store.ts'
import { TE } from '../../../core/prelude.ts'
import { codeOf, right } from '../world/world.ts'
import { sparseStore } from './sparse-store.ts'
import { closed, digest, exported, linesOf, mixedLog, type Trio, trio } from '../audit/logs.ts'

const it = suite('import of a transcript')

let made: Trio
let text = ''
it.before(async () => {
  ;({ made, text } = await mixedLog())
})
it.after(() => made.close())

it('gives a store that exports the same text, byte for byte', async () => {
  const { store } = memoryStore()
  const { events, lines } = right(await imported(store, text))
  assert.is(await exported(store), text)
  assert.is(lines, linesOf(text).length)
  assert.is(right(await store.lastPosition()()), BigInt(events))
})

it('keeps the order of events in a store whose positions have gaps and whose calls have none', async () => {
  const store = sparseStore(memoryStore().store)
  right(await imported(store, text))
  assert.is(await exported(store), text)
  assert.is(right(await store.importedTo()()), right(await store.lastPosition()()))
})

it('keeps in the store up to where its log was imported', async () => {
  const { store } = memoryStore()
  right(await imported(store, text))
  assert.is(right(await store.importedTo()()), right(await store.lastPosition()()))
  assert.is(right(await made.storage.store.importedTo()()), 0n)
})

it('keeps organizations, sequences, revisions and salts', async () => {
  const { store } = memoryStore()
  right(await imported(store, text))
  assert.equal(
    right(await store.readLog(made.organizationId, 0n, 100)()),
    right(await made.storage.store.readLog(made.organizationId, 0n, 100)()),
  )
})

it('keeps the parts of persons, whose names have a colon, and those that are erased stay so', async () => {
  const named = (name: string): string => `personal:01234567-89ab-8cde-8f01-23456789abc${name}`
  const { record } = link({ digest, ids: nodeIds() }, beforeFirst, {
    organization: made.organizationId,
    activity: nodeIds().uuid(),
    revision: 1n,
    at: '2026-01-01T00:00:00.000Z',
    payload: { type: 'ActivityCompleted', data: { type: 'T', result: {}, change: {}, revision: 1 } },
    parts: { personal: encodeUtf8('p'), [named('d')]: encodeUtf8('d'), [named('e')]: encodeUtf8('e') },
  })
  const there = record.parts.filter(({ name }) => name !== named('d'))
  const lines = [record.line, ...there.map((part) => encodePartLine(record.id, part))]
  const from = closed(lines.map((line) => decodeUtf8(line) ?? ''))
  const { store } = memoryStore()
  right(await imported(store, from))
  assert.is(await exported(store), from)
  const [read] = right(await store.readAll(0n, 9, { parts: ['personal:'] })())
  assert.equal(
    read?.parts.map(({ name }) => name),
    [named('e')],
  )
})

it('takes an export of an empty store', async () => {
  const { store } = memoryStore()
  assert.is(right(await imported(store, closed([]))).events, 0)
})

it('tells how far it is', async () => {
  const told: number[] = []
  right(await imported(memoryStore().store, text, (events) => told.push(events)))
  assert.is(told.at(-1), linesOf(text).filter((line) => !line.startsWith('{"part"')).length)
})

it('appends events of one organization that follow each other together, and what is large alone', async () => {
  const [one, other] = [nodeIds().uuid(), nodeIds().uuid()]
  const kib = [1, 2, 100, 100, 100, 600, 3]
  const large = logOf(...kib.map((length) => [one, length] as const), [other, 4], [one, 5], [one, 6])
  const appended: (readonly [organization: string, kib: readonly number[]])[] = []
  const { store } = memoryStore()
  const watched: EventStore = {
    ...store,
    append: (commits) => {
      for (const { organization, events } of commits)
        appended.push([organization, events.map(({ parts }) => (parts[0]?.bytes.length ?? 0) / 1024)])
      return store.append(commits)
    },
  }
  right(await imported(watched, large))
  assert.equal(appended, [
    [one, [1, 2, 100, 100]], // 256 KiB at most
    [one, [100]],
    [one, [600]],
    [one, [3]],
    [other, [4]],
    [one, [5, 6]],
  ])
  assert.is(await exported(store), large)
})

it('hands a store a few megabytes at once, however long the log is', async () => {
  const organization = nodeIds().uuid()
  const long = logOf(...Array.from({ length: 24 }, () => [organization, 1024] as const))
  const appended: number[] = []
  const { store } = memoryStore()
  const watched: EventStore = {
    ...store,
    append: (commits) => {
      const parts = commits.flatMap(({ events }) => events).flatMap((event) => event.parts)
      appended.push(parts.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1024 ** 2)
      return store.append(commits)
    },
  }
  right(await imported(watched, long))
  assert.is(
    appended.reduce((sum, each) => sum + each, 0),
    24,
  )
  assert.ok(Math.max(...appended) <= 8, `${Math.max(...appended)} MiB at once`)
})

it('refuses a store that is not empty', async () => {
  const other = await trio()
  const { store } = other.storage
  const before = await exported(store)
  assert.is(codeOf(await imported(store, text)), 'CONFLICT') // although none of its organizations is in the store
  assert.is(await exported(store), before)
  await other.close()
})

const lines = (change: (lines: string[]) => void): string => {
  const changed = linesOf(text)
  change(changed)
  return closed(changed)
}

const broken: readonly (readonly [string, () => string, RegExp])[] = [
  [
    'a text without its closing line',
    () => text.slice(0, text.lastIndexOf('{"export"')),
    /line \d+: the export has no closing line/,
  ],
  ['a text that ends inside a line', () => text.slice(0, -1), /ends inside a line/],
  ['a changed line', () => text.replace('"by policy"', '"by chance"'), /line \d+/],
  ['a line that is missing, under a new closing line', () => lines((all) => all.splice(7, 1)), /line \d+: .*/],
  ['lines that changed places', () => lines((all) => all.splice(3, 2, all[4] ?? '', all[3] ?? '')), /line \d+/],
  [
    'a part with another salt',
    () => lines((all) => all.splice(1, 1, (all[1] ?? '').replace(/"salt":"..../, '"salt":"AAAA'))),
    /line 2: .*hash/,
  ],
  ['something behind the closing line', () => `${text}{}\n`, /behind the closing line/],
]
for (const [name, spoilt, message] of broken) {
  it(`refuses ${name}, and writes nothing`, async () => {
    const { store } = memoryStore()
    const refused = await imported(store, spoilt())
    assert.is(codeOf(refused), 'STORE_UNREADABLE')
    assert.match(refused._tag === 'Left' ? refused.left.message : '', message)
    assert.is(right(await store.lastPosition()()), 0n)
  })
}

it('says at which line the store failed', async () => {
  const { store } = memoryStore()
  const full = { ...store, append: () => TE.left(failure('UNAVAILABLE', 'the disk is full')) }
  const refused = await imported(full, text)
  assert.match(refused._tag === 'Left' ? refused.left.message : '', 'stopped at line 1: the disk is full')
  assert.is(right(await store.importedTo()()), IMPORT_UNFINISHED)
})

it('is finished by another import, wherever it was interrupted', async () => {
  for (const whole of [0, 1, 2]) {
    const { store } = memoryStore()
    let left = whole
    const failing = {
      ...store,
      append: (commits: readonly Commit[]) => {
        const isWhole = left-- > 0
        const some = isWhole ? commits : commits.slice(0, 2)
        return TE.flatMap((answers: readonly Appended[]) =>
          isWhole ? TE.right(answers) : TE.left(failure('UNAVAILABLE', 'the disk is full')),
        )(store.append(some))
      },
    }
    if (codeOf(await imported(failing, text)) !== 'UNAVAILABLE') continue // it had no more groups
    right(await imported(store, text))
    assert.is(await exported(store), text)
    assert.is(right(await store.importedTo()()), right(await store.lastPosition()()))
  }
})

it('refuses what another import has left, and half of a longer one', async () => {
  const longer = text
  const shorter = closed(linesOf(text).slice(0, 1))
  for (const [first, second] of [
    [longer, shorter],
    [logOf([nodeIds().uuid(), 1], [nodeIds().uuid(), 1]), longer],
  ] as const) {
    const { store } = memoryStore()
    const unfinished = { ...store, setImportedTo: (to: bigint) => store.setImportedTo(to && IMPORT_UNFINISHED) }
    right(await imported(unfinished, first))
    const before = await exported(store)
    assert.is(codeOf(await imported(store, second)), 'CONFLICT')
    assert.is(await exported(store), before)
    assert.is(right(await store.importedTo()()), IMPORT_UNFINISHED)
  }
})

it('says at which line the store refused a commit', async () => {
  const { store } = memoryStore({ commitBytesMax: 100 })
  assert.is(codeOf(await imported(store, text)), 'REQUEST_TOO_LARGE')
})

/** Events, each of an organization and with a part of so many KiB. */
const logOf = (...events: readonly (readonly [organization: string, kib: number])[]): string => {
  const tips = new Map<string, Tip>()
  const written = events.flatMap(([organization, kib]) => {
    const { record, tip } = link({ digest, ids: nodeIds() }, tips.get(organization) ?? beforeFirst, {
      organization,
      activity: nodeIds().uuid(),
      revision: 1n,
      at: '2026-01-01T00:00:00.000Z',
      payload: { type: 'ActivityStarted', data: { attempt: 1, resumeAt: '2026-01-01T00:01:00.000Z', revision: 1 } },
      parts: { request: new Uint8Array(kib * 1024) },
    })
    tips.set(organization, tip)
    return [record.line, ...record.parts.map((part) => encodePartLine(record.id, part))]
  })
  return closed(written.map((line) => decodeUtf8(line) ?? ''))
}

const imported = (store: EventStore, from: string, onProgress?: (events: number) => void) =>
  importTranscript(
    { store, digest, ids: nodeIds() },
    () => readTranscript(digest, [encodeUtf8(from)]),
    onProgress === undefined ? {} : { onProgress },
  )()

it.run()
