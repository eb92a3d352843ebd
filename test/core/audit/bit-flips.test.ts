import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { decodeHex, decodeUtf8, encodeUtf8, equal } from '../../../core/bytes.ts'
import type { Finding } from '../../../core/log/finding.ts'
import { transcriptCheck } from '../../../core/log/transcript-check.ts'
import { decodeClosing } from '../../../core/log/transcript-line.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { world } from '../world/world.ts'
import { audited, closed, digest, eventfulLog, exported, linesOf } from './logs.ts'

const it = suite('damage to an export')

/** An export of 10 events, and one of 37. */
let small: Uint8Array
let large: Uint8Array
it.before(async () => {
  const { made, honest } = await eventfulLog()
  large = encodeUtf8(honest)
  await made.close()
  const { enrol, done, root, storage, close } = await world()
  await enrol('ada')
  for (const userTagName of ['one', 'two', 'three']) await done(root, 'create_user_tag', { userTagName, userIds: [] })
  small = encodeUtf8(await exported(storage.store))
  await close()
})

it('is found in every bit before the closing line: its hash is another one', () => {
  const text = small.slice()
  const { before, sha256 } = partsOf(text)
  assert.ok(before.length > 12_000)
  assert.ok(equal(digest.sha256(before), sha256))
  for (let at = 0; at < before.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      before[at] = (before[at] ?? 0) ^ (1 << bit)
      if (equal(digest.sha256(before), sha256)) throw new Error(`bit ${bit} of byte ${at} can be flipped`)
      before[at] = (before[at] ?? 0) ^ (1 << bit)
    }
  }
})

it('is found in every bit of the closing line', async () => {
  const { before } = partsOf(small)
  for (let at = before.length; at < small.length; at += 1)
    for (let bit = 0; bit < 8; bit += 1) assert.ok(await isFound(flipped(small, at, bit)), `bit ${bit} of byte ${at}`)
})

it('is found by the audit, wherever a bit is flipped', async () => {
  for (let nth = 0; nth < 60; nth += 1) {
    const at = Math.floor((large.length * (nth + 0.5)) / 60)
    assert.ok((await audited(flipped(large, at, nth % 8))).findings.length > 0, `byte ${at}`)
  }
})

it('is found in each line, even under a new closing line, but for the last event of a log', async () => {
  const lines = linesOf(decodeUtf8(large) ?? '')
  for (const [index, line] of lines.slice(0, -2).entries()) {
    const bytes = encodeUtf8(line)
    const at = (index * 131) % bytes.length
    // One bit of a character that stays ASCII, and no line feed.
    const changed = decodeUtf8(flipped(bytes, at, bytes[at] === 0x0b || bytes[at] === 0x08 ? 2 : 0)) ?? ''
    const text = closed(lines.with(index, changed))
    assert.ok((await audited(text)).findings.length > 0, `line ${index + 1}, byte ${at}`)
  }
})

it('is found when any line is missing, doubled, or swapped with any other', async () => {
  const text = decodeUtf8(small) ?? ''
  const lines = linesOf(text)
  const closing = text.split('\n').at(-2) ?? ''
  for (const [what, changed] of disorders(lines)) {
    assert.ok(await isFound(encodeUtf8(`${[...changed, closing].join('\n')}\n`)), what)
    // A part that is missing looks like one that was erased, and events at the end like events that never were.
    const isHidden = what.startsWith('without') && (/part/.test(what) || changed.at(-1) !== lines.at(-1))
    if (!isHidden) assert.ok(await isFound(encodeUtf8(closed(changed))), `${what}, under a new closing line`)
  }
})

it('is found wherever the end is cut off', async () => {
  for (let length = 0; length < small.length; length += 17)
    assert.ok(await isFound(small.subarray(0, length)), `${length} bytes`)
  assert.ok(await isFound(small.subarray(0, -1)))
})

/** Whether reading finds something, before anything is known of what the lines mean. */
const isFound = async (text: Uint8Array): Promise<boolean> => {
  const findings: Finding[] = []
  const check = transcriptCheck({ digest, ids: nodeIds() }, (finding) => findings.push(finding))
  for await (const entries of readTranscript(digest, [text])) for (const entry of entries) check.next(entry)
  return findings.length > 0
}

const partsOf = (text: Uint8Array): { before: Uint8Array; sha256: Uint8Array } => {
  const end = text.lastIndexOf(0x0a, -2) + 1
  const closing = decodeClosing(text.subarray(end, -1))
  return { before: text.subarray(0, end), sha256: decodeHex(closing?.sha256 ?? '') ?? new Uint8Array(0) }
}

const flipped = (bytes: Uint8Array, at: number, bit: number): Uint8Array => {
  const copy = bytes.slice()
  copy[at] = (copy[at] ?? 0) ^ (1 << bit)
  return copy
}

type Disorder = readonly [what: string, lines: readonly string[]]

function* disorders(lines: readonly string[]): Generator<Disorder> {
  for (const [index, line] of lines.entries()) {
    const name = `${line.startsWith('{"part"') ? 'part' : 'line'} ${index + 1}`
    yield [`without ${name}`, lines.toSpliced(index, 1)]
    yield [`${name} twice`, lines.toSpliced(index, 0, line)]
    for (let other = index + 1; other < lines.length; other += 1) {
      yield [`${name} and ${other + 1} swapped`, swapped(lines, index, other)]
    }
  }
}

const swapped = (lines: readonly string[], one: number, other: number): readonly string[] =>
  lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '')

it.run()
