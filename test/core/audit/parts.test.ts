import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { decodeCanonicalBase64, encodeBase64, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { hashOf, partHash } from '../../../core/log/chain.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { codeOf, right, stamped, testClock, world } from '../world/world.ts'
import { ada, grace, personOperations, personResource } from '../command/persons.ts'
import { secondProcess } from '../command/second-process.ts'
import { audited, closed, codesIn, digest, exported, linesOf } from './logs.ts'

/*
 * The parts of conclusions in an export that somebody changed: a part that is gone is counted and believed, and every other
 * change is found. Where hashes are made anew, only the execution tells.
 */
const it = suite('an audit of parts')

type Part = { name: string; salt: string; bytes: string }
type Draft = {
  event: { [member: string]: Json } & { id: string; parts: { [name: string]: string } }
  parts: Part[]
}

let log = ''
it.before(async () => {
  const w = await world({ resources: [...publicApi, personResource] })
  await w.done(w.root, 'register_persons', { persons: [ada, grace], key: 'k' })
  await w.done(w.root, 'create_user_tag', { userTagName: 'after', userIds: [] })
  log = await exported(w.storage.store)
  await w.close()
})

const draftsOf = (text: string): Draft[] => {
  const drafts: Draft[] = []
  for (const line of linesOf(text)) {
    const read = JSON.parse(line) as Draft['event'] & { part?: string; salt: string; bytes: string } // our own export
    if (read.part === undefined) drafts.push({ event: read, parts: [] })
    else drafts.at(-1)?.parts.push({ name: read.part, salt: read.salt, bytes: read.bytes })
  }
  return drafts
}

const textOf = (drafts: readonly Draft[]): string =>
  closed(
    drafts.flatMap(({ event, parts }) => [
      JSON.stringify(event),
      ...parts.map(
        ({ name, salt, bytes }) => `{"part":"${name}","of":"${event.id}","salt":"${salt}","bytes":"${bytes}"}`,
      ),
    ]),
  )

const bytesOf = (base64: string): Uint8Array => decodeCanonicalBase64(base64) ?? new Uint8Array()

/** Makes all hashes anew: those of the parts that are there, then the chain. */
const rehashed = (drafts: readonly Draft[]): readonly Draft[] => {
  let previous = '0'.repeat(64)
  for (const { event, parts } of drafts) {
    for (const { name, salt, bytes } of parts)
      event.parts[name] = partHash(digest, { salt: bytesOf(salt), bytes: bytesOf(bytes) })
    event.parts = Object.fromEntries(Object.entries(event.parts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    event.previous = previous
    previous = hashOf(digest, encodeUtf8(JSON.stringify(event)))
  }
  return drafts
}

const changed = (change: (conclusion: Draft, all: Draft[]) => unknown): Draft[] => {
  const drafts = draftsOf(log)
  const conclusion = drafts.find(({ parts }) => parts.length === 3)
  if (conclusion === undefined) throw new Error('the log is not as the test needs it')
  change(conclusion, drafts)
  return drafts
}

const found = async (drafts: readonly Draft[]) => audited(textOf(drafts), {}, personOperations)

const importOf = async (text: string) => {
  const { store } = memoryStore()
  const read = () => readTranscript(digest, [encodeUtf8(text)])
  return { store, imported: await importTranscript({ store, digest, ids: nodeIds() }, read)() }
}

it('holds where all parts are there, and compares them', async () => {
  const { findings, counts } = await audited(log, {}, personOperations)
  assert.equal(findings, [])
  assert.equal([counts.executions, counts.executionsInPart, counts.erased], [3, 0, 0])
})

for (const gone of [1, 2, 3])
  it(`counts ${gone} of three parts that are missing, and finds that no erasure names them`, async () => {
    const drafts = changed(({ parts }) => parts.splice(0, gone))
    const { findings, counts } = await found(drafts)
    assert.equal(
      findings.map(({ code }) => code),
      Array.from({ length: gone }, () => 'PART_ERASED'),
    )
    assert.equal([counts.executions, counts.executionsInPart, counts.erased], [3, 1, gone])
    const { store, imported } = await importOf(textOf(drafts))
    right(imported)
    assert.is(await exported(store), textOf(drafts))
  })

it('counts all of them where the request is erased with them, and judges no execution of it', async () => {
  const drafts = draftsOf(log)
  for (const draft of drafts) draft.parts = []
  const { findings, counts } = await found(drafts)
  assert.equal(
    findings.map(({ code }) => code),
    Array.from({ length: counts.erased }, () => 'PART_ERASED'),
  )
  assert.equal([counts.executions, counts.executionsInPart, counts.executionsErased], [0, 0, 3])
  assert.equal([counts.stamps, counts.stampsErased], [0, 3])
  assert.is(
    counts.erased,
    drafts.reduce((sum, { event }) => sum + Object.keys(event.parts).length, 0),
  )
})

it('finds parts that were erased beyond the number that may have been', async () => {
  const drafts = changed(({ parts }) => parts.splice(0, 2))
  assert.equal(codesIn(await audited(textOf(drafts), { erasedMax: 1 }, personOperations)), ['PART_ERASED'])
})

for (const [what, change] of [
  ['other bytes', ({ parts }) => (at(parts, 1).bytes = base64Of('{"name":"Eve"}'))],
  ['another salt', ({ parts }) => (at(parts, 1).salt = encodeBase64(new Uint8Array(32)))],
  [
    'bytes of another part',
    ({ parts }) => ([at(parts, 0).bytes, at(parts, 1).bytes] = [at(parts, 1).bytes, at(parts, 0).bytes]),
  ],
] as const satisfies readonly (readonly [string, (conclusion: Draft) => unknown])[])
  it(`finds a part with ${what}, and imports nothing`, async () => {
    const drafts = changed(change)
    const { findings } = await found(drafts)
    assert.ok(findings.length > 0)
    assert.equal([...new Set(findings.map(({ code }) => code))], ['PART_DIFFERS'])
    assert.is(codeOf((await importOf(textOf(drafts))).imported), 'STORE_UNREADABLE')
  })

for (const [what, change] of [
  ['in another order', ({ parts }) => parts.reverse()],
  ['twice', ({ parts }) => parts.push({ ...at(parts, 2) })],
  ['that the event does not name', ({ parts }) => parts.push({ ...at(parts, 2), name: 'zzz' })],
  ['behind another event', ({ parts }, all) => at(all, 0).parts.push(...parts.splice(0, 1))],
] as const satisfies readonly (readonly [string, (conclusion: Draft, all: Draft[]) => unknown])[])
  it(`finds parts ${what}, and imports nothing`, async () => {
    const drafts = changed(change)
    assert.ok(codesIn(await found(drafts)).includes('PART_MISPLACED'))
    assert.is(codeOf((await importOf(textOf(drafts))).imported), 'STORE_UNREADABLE')
  })

for (const [what, change, codes] of [
  [
    'a part that says something else',
    ({ parts }) => (at(parts, 1).bytes = base64Of('{"name":"Eve","email":"e"}')),
    ['EXECUTION_DIFFERS'],
  ],
  [
    'a part more, of a person whom nobody asked for',
    ({ parts }) => parts.push({ ...at(parts, 2), name: 'personal.zzz' }),
    ['EXECUTION_DIFFERS'],
  ],
  [
    'a part more that is not there',
    ({ event }) => (event.parts['personal.zzz'] = '0'.repeat(64)),
    ['EXECUTION_DIFFERS', 'PART_ERASED'],
  ],
  [
    'a part more of a kind that the operation does not have',
    ({ parts }) => parts.push({ ...at(parts, 2), name: 'zzz' }),
    ['EXECUTION_DIFFERS', 'PART_MISPLACED'],
  ],
  ['a request of its own', ({ parts }) => parts.push({ ...at(parts, 2), name: 'request' }), ['PART_MISPLACED']],
  [
    'a part less',
    ({ event, parts }) => {
      delete event.parts[at(parts, 1).name]
      parts.splice(1, 1)
    },
    ['EXECUTION_DIFFERS'],
  ],
  [
    'a part at an operation that has none',
    (_, all) => (at(all, all.length - 1).event.parts['personal.zzz'] = '0'.repeat(64)),
    ['EXECUTION_DIFFERS', 'PART_ERASED', 'PART_MISPLACED'],
  ],
  [
    'a part beside a request',
    (_, all) => (at(all, all.length - 2).event.parts.zzz = '0'.repeat(64)),
    ['PART_ERASED', 'PART_MISPLACED'],
  ],
] as const satisfies readonly (readonly [string, (conclusion: Draft, all: Draft[]) => unknown, readonly string[]])[])
  it(`finds ${what} in a log whose hashes were made anew`, async () => {
    const drafts = rehashed(changed(change)).map(({ event, parts }) => ({
      event,
      parts: parts.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    }))
    assert.equal(codesIn(await found(drafts)), codes)
  })

it('judges no further by a state that it cannot know: a part that its operation cannot read', async () => {
  const drafts = rehashed(changed(({ parts }) => (at(parts, 1).bytes = base64Of('{"name":"Eve"}'))))
  const text = textOf(drafts)
  assert.equal(codesIn(await audited(text, {}, personOperations)), ['AUDIT_IMPOSSIBLE', 'EXECUTION_DIFFERS'])
  const { store, imported } = await importOf(text) // which does not know what events mean
  right(imported)
  const engine = await secondProcess(
    { storage: { store, readModels: memoryStore().readModels }, clock: testClock() },
    { resources: [...publicApi, personResource] },
  )
  const asked = encodeUtf8(JSON.stringify({ organizationId: at(drafts, 0).event.organization as string }))
  const request = stamped({ key: generateKey('API_KEY_CURVE_P256') }, asked)
  assert.is(codeOf(await engine.query('whoami', request)()), 'ORGANIZATION_CLOSED')
  await engine.close()
})

it('finds an event of 10,000 parts, and imports none', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`personal.${n}`, '0'.repeat(64)]))
  const drafts = rehashed(changed(({ event }) => Object.assign(event.parts, many)))
  assert.equal(codesIn(await found(drafts)), ['EXECUTION_DIFFERS', 'PART_ERASED', 'PART_MISPLACED'])
  assert.is(codeOf((await importOf(textOf(drafts))).imported), 'STORE_UNREADABLE')
})

it('finds that the last part was cut off, and imports nothing', async () => {
  const drafts = changed((conclusion, all) => all.splice(all.indexOf(conclusion) + 1))
  const lines = linesOf(textOf(drafts))
  const cut = [...lines.slice(0, -1), at(lines, lines.length - 1).slice(0, -9)]
  for (const text of [closed(cut), cut.join('\n')]) {
    assert.ok(codesIn(await audited(text, {}, personOperations)).length > 0)
    assert.is(codeOf((await importOf(text)).imported), 'STORE_UNREADABLE')
  }
})

it('finds that a part is larger than the store takes when it imports', async () => {
  const { store } = memoryStore({ commitBytesMax: 1_000 })
  const read = () => readTranscript(digest, [encodeUtf8(log)])
  assert.is(codeOf(await importTranscript({ store, digest, ids: nodeIds() }, read)()), 'REQUEST_TOO_LARGE')
})

const at = <A>(all: readonly A[], index: number): A => {
  const found = all[index]
  if (found === undefined) throw new Error('the log is not as the test needs it')
  return found
}

const base64Of = (text: string): string => encodeBase64(encodeUtf8(text))

it.run()
