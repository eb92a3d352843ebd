import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right } from '../world/world.ts'
import { closed, digest, eventful, exported, linesOf, neighbour, trio, type Trio } from '../audit/logs.ts'

const it = suite('import of a spoilt transcript')

let made: Trio
let lines: readonly string[] = []
it.before(async () => {
  made = await trio()
  await eventful(made)
  await neighbour(made)
  lines = linesOf(await exported(made.storage.store))
})
it.after(() => made.close())

/** One thing that is done to the lines. The closing line is made anew afterwards: hashes of the whole find nothing. */
type Edit = {
  readonly way: 'drop' | 'double' | 'swap' | 'characters' | 'member'
  readonly at: number
  readonly to: number
  readonly put: string
}

const anyEdit: fc.Arbitrary<Edit> = fc.record({
  way: fc.constantFrom('drop', 'double', 'swap', 'characters', 'member'),
  at: fc.nat(999),
  to: fc.nat(999),
  put: fc.oneof(
    fc.constantFrom('"', '{', '}', ',', '0', 'null', '\\u0000', '"sequence":"1",', '{"part":', '{"export":1', '-1'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  ),
})

const edited = (before: readonly string[], { way, at, to, put }: Edit): readonly string[] => {
  const [from, into] = [at % before.length, to % before.length]
  const line = before[from] ?? ''
  const place = to % (line.length + 1)
  const by: Readonly<Record<Edit['way'], () => readonly string[]>> = {
    drop: () => before.toSpliced(from, 1),
    double: () => before.toSpliced(into, 0, line),
    swap: () => before.with(from, before[into] ?? '').with(into, line),
    characters: () => before.with(from, line.slice(0, place) + put + line.slice(place + put.length)),
    member: () =>
      before.with(from, line.replace(/"[a-z]+":(?:"[^"]*"|\d+)/, `"${put.replaceAll(/["\\]/g, '')}":${to}`)),
  }
  return by[way]()
}

it('refuses with a line number and writes nothing, or takes what is still whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEdit, { minLength: 1, maxLength: 3 }), async (edits) => {
      const spoilt = edits.reduce(edited, lines).map((line) => line.replaceAll('\n', ' '))
      const text = closed([...spoilt])
      const { store } = memoryStore()
      const outcome = await importTranscript({ store, digest, ids: nodeIds() }, () =>
        readTranscript(digest, [encodeUtf8(text)]),
      )()
      if (E.isRight(outcome)) {
        assert.is(await exported(store), text, 'what was taken is what was given')
        return
      }
      assert.is(codeOf(outcome), 'STORE_UNREADABLE')
      assert.match(outcome.left.message, /line \d+/)
      assert.is(right(await store.lastPosition()()), 0n)
    }),
    { numRuns: 300 },
  )
})

it.run()
