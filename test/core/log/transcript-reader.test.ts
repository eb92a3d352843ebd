import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat, decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import { decodeLine, encodePartLine, LINE_BYTES_MAX } from '../../../core/log/transcript-line.ts'
import { readTranscript, type TranscriptEntry } from '../../../core/log/transcript-reader.ts'
import { closed, digest, eventful, exported, linesOf, trio } from '../audit/logs.ts'

const it = suite('transcript reader')

let text = ''
it.before(async () => {
  const made = await trio()
  await eventful(made)
  text = await exported(made.storage.store)
  await made.close()
})

it('reads what was written: each line as itself, the closing line last', async () => {
  const entries = await read([encodeUtf8(text)])
  const written = entries.map((entry) => {
    if (entry._tag === 'event') return decodeUtf8(entry.bytes)
    return entry._tag === 'part' ? decodeUtf8(encodePartLine(entry.of, entry.part)) : entry._tag
  })
  assert.equal(written, [...linesOf(text), 'closing'])
  assert.equal(
    entries.map(({ line }) => line),
    written.map((_, index) => index + 1),
  )
})

it('reads the same in whatever chunks the text comes', async () => {
  const whole = await read([encodeUtf8(text)])
  const cuts = fc.array(fc.nat(encodeUtf8(text).length), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => assert.equal(await read(cut(encodeUtf8(text), at)), whole)),
    { numRuns: 20 },
  )
  const bytes = encodeUtf8(text)
  assert.equal(await read(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))), whole)
})

it('hands on each line with the chunk that completes it, and does not wait for more', async () => {
  const [one = '', two = '', three = ''] = linesOf(text)
  let given = 0
  const chunks = function* (): Generator<Uint8Array> {
    for (const chunk of [`${one}\n${two.slice(0, 50)}`, two.slice(50), `\n`, `${three}\n`]) {
      given += 1
      yield encodeUtf8(chunk)
    }
  }
  const handedOn: (readonly [number, readonly number[]])[] = []
  for await (const batch of readTranscript(digest, chunks())) handedOn.push([given, batch.map(({ line }) => line)])
  assert.equal(handedOn, [
    [1, [1]],
    [3, [2]],
    [4, [3]],
    [4, [4]], // that there is no closing line
  ])
})

it('feeds every byte before the closing line to the hash, once and in order', async () => {
  const fed: Uint8Array[] = []
  const spy = {
    sha256Stream: () => {
      const running = digest.sha256Stream()
      return { ...running, update: (bytes: Uint8Array) => void fed.push(bytes.slice()) }
    },
  }
  const bytes = encodeUtf8(text)
  const entries: unknown[] = []
  for await (const batch of readTranscript(spy, cut(bytes, [1, 500, 501, 502, 5000, 9000, bytes.length - 20])))
    entries.push(...batch)
  assert.is(entries.length, linesOf(text).length + 1)
  assert.is(decodeUtf8(concat(fed)), text.slice(0, text.lastIndexOf('{"export"')))
})

it('never throws, whatever the bytes', async () => {
  const rubbish = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.string({ unit: 'binary', maxLength: 500 }).map(encodeUtf8),
    fc.json({ maxDepth: 8 }).map(encodeUtf8),
    fc
      .constantFrom(
        '{"part":',
        '{"export":1',
        '{"organization":"',
        '{"part":null}\n',
        '{"export":1}\n',
        '\n\n',
        '[1]\n',
      )
      .map(encodeUtf8),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(rubbish, { maxLength: 6 }), async (pieces) => {
      const entries = await read(pieces)
      assert.ok(entries.every(({ line }) => line >= 1))
      assert.ok(entries.some(({ _tag }) => _tag === 'unreadable'))
    }),
    { numRuns: 1000 },
  )
})

it('finds whatever is done to a text', async () => {
  const bytes = encodeUtf8(text)
  const damage = fc.record({ at: fc.nat(bytes.length), remove: fc.nat(20), insert: fc.uint8Array({ maxLength: 20 }) })
  await fc.assert(
    fc.asyncProperty(damage, async ({ at, remove, insert }) => {
      const damaged = concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)])
      fc.pre(decodeUtf8(damaged) !== text)
      assert.ok((await read([damaged])).some(({ _tag }) => _tag === 'unreadable'))
    }),
    { numRuns: 150 },
  )
})

it('gives parts back as they were written', () => {
  const parts = fc.record({ name: fc.string({ unit: 'grapheme' }), salt: fc.uint8Array(), bytes: fc.uint8Array() })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), parts, (of, part) => {
      assert.equal(decodeLine(encodePartLine(of, part)), {
        _tag: 'part',
        of,
        part: { ...part, salt: part.salt, bytes: part.bytes },
      })
    }),
  )
})

const spellings: readonly (readonly [string, (line: string) => string])[] = [
  ['a space', (line) => line.replace('":"', '": "')],
  ['an escape that is not needed', (line) => line.replace('"salt"', String.raw`"s\u0061lt"`)],
  ['members in another order', (line) => line.replace(/("of":"[^"]*"),("salt":"[^"]*")/, '$2,$1')],
  ['a member that is not known', (line) => line.replace('{"part"', '{"part":"request","part"')],
  ['another alphabet', (line) => line.replace(/"salt":"..../, '"salt":"-_-_')],
  ['no padding', (line) => line.replace('="', '"')],
  ['bits behind the last byte', (line) => line.replace(/("salt":"[^"]*)[A-Za-z0-9+/]=/, '$19=')],
]
for (const [name, respell] of spellings) {
  it(`does not read a part with ${name}`, () => {
    const line =
      decodeUtf8(encodePartLine('e', { name: 'request', salt: new Uint8Array(32), bytes: new Uint8Array(3) })) ?? ''
    assert.is.not(respell(line), line)
    assert.is(decodeLine(encodeUtf8(respell(line)))._tag, 'unreadable')
  })
}

it('does not read an event that is spelled otherwise', () => {
  const [line = ''] = linesOf(text)
  assert.is(decodeLine(encodeUtf8(line))._tag, 'event')
  for (const respelt of [
    line.replace('":"', '": "'),
    line.replace('"version":1', '"version":1.0'),
    line.replace('"version":1', '"extra":0,"version":1'),
  ])
    assert.is(decodeLine(encodeUtf8(respelt))._tag, 'unreadable')
})

it('says of an event of a later version that it is unknown', async () => {
  const [line = ''] = linesOf(text)
  const entry = decodeLine(encodeUtf8(line.replace('"version":1', '"version":2')))
  assert.is(entry._tag === 'unreadable' && entry.code, 'EVENT_UNKNOWN')
})

it('reads on behind a line that is too long, and keeps none of it, not its end either', async () => {
  const [line = ''] = linesOf(text)
  const megabyte = new Uint8Array(2 ** 20).fill(0x61)
  const long = Array.from({ length: LINE_BYTES_MAX / 2 ** 20 + 1 }, () => megabyte)
  for (const end of ['', line]) {
    const entries = await read([...long, encodeUtf8(`${end}\n${line}\n`)])
    assert.equal(
      entries.map(({ line, _tag }) => [line, _tag]),
      [
        [1, 'unreadable'],
        [2, 'event'],
        [3, 'unreadable'],
      ],
    )
  }
})

it('does not read a part whose line is too long, in however many chunks it comes', async () => {
  const part = { name: 'request', salt: new Uint8Array(32), bytes: new Uint8Array((LINE_BYTES_MAX / 4) * 3) }
  const line = concat([encodePartLine('e', part), encodeUtf8('\n')])
  for (const chunks of [[line], cut(line, [10])]) {
    const tags = (await read(chunks)).map(({ _tag }) => _tag)
    assert.equal(tags, ['unreadable', 'unreadable'])
  }
})

it('does not follow a nesting that would end the stack', () => {
  const deep = `{"organization":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  assert.is(decodeLine(encodeUtf8(deep))._tag, 'unreadable')
})

it('says what is wrong with the closing line', async () => {
  const codes = async (from: string) =>
    (await read([encodeUtf8(from)])).flatMap((entry) => (entry._tag === 'unreadable' ? [entry.code] : []))
  assert.equal(await codes(closed([])), [])
  assert.equal(await codes(''), ['CLOSING_MISSING'])
  assert.equal(await codes(closed([]).slice(0, -1)), ['CLOSING_MISSING'])
  assert.equal(await codes(closed([]).replace('"events":0', '"events":1')), ['CLOSING_DIFFERS'])
  assert.equal(await codes(closed([]).replace('"events":0', '"events":00')), ['CLOSING_DIFFERS'])
  assert.equal(await codes(`${closed([])}${closed([])}`), ['CLOSING_NOT_LAST', 'LINE_UNREADABLE'])
  assert.equal(await codes(`${closed([])} `), ['CLOSING_NOT_LAST'])
  // Once, however much stands there.
  assert.equal(await codes(`${closed([])}{}\n{}\n `), ['CLOSING_NOT_LAST', 'LINE_UNREADABLE', 'LINE_UNREADABLE'])
})

it('says where a source of bytes broke off', async () => {
  const entries = await read(breakingOff())
  assert.is(entries.at(-1)?._tag, 'unreadable')
})

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield encodeUtf8(text.slice(0, 3000))
  await Promise.reject(new Error('the network is gone'))
}

const read = async (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<readonly TranscriptEntry[]> => {
  const entries: TranscriptEntry[] = []
  for await (const batch of readTranscript(digest, chunks)) entries.push(...batch)
  return entries
}

const cut = (bytes: Uint8Array, at: readonly number[]): readonly Uint8Array[] => {
  const ends = [...at.toSorted((a, b) => a - b), bytes.length]
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

it.run()
