import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8, equal } from '../../../core/bytes.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { world } from '../world/world.ts'
import { audited, digest, exported, linesOf } from './logs.ts'

const it = suite('an export of 200 events')

/** The export, and where each of its lines begins. */
let text: Uint8Array
let lines: readonly Uint8Array[]
it.before(async () => {
  const { done, root, storage, close } = await world()
  for (let n = 1; n < 100; n += 1) await done(root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
  text = encodeUtf8(await exported(storage.store))
  lines = linesOf(decodeUtf8(text) ?? '').map(encodeUtf8)
  await close()
})

it('has as many', async () => {
  const { counts, findings } = await audited(text)
  assert.is(counts.events, 200)
  assert.equal(findings, [])
})

// The reader compares the closing line with the hash of all bytes before it. That hash is fed line by line, so that a bit
// of a line is seen exactly if the line with it has another hash; feeding all bytes three million times would take days.
it('has no line in which a bit can be flipped and its hash stays', () => {
  let bits = 0
  for (const line of lines) {
    const hash = sha256(line)
    for (let at = 0; at < line.length; at += 1) {
      const byte = line[at] ?? 0
      for (let bit = 0; bit < 8; bit += 1) {
        line[at] = byte ^ (1 << bit)
        if (equal(sha256(line), hash)) throw new Error(`bit ${bit} of byte ${at} can be flipped`)
        bits += 1
      }
      line[at] = byte
    }
  }
  assert.is(
    bits,
    lines.reduce((sum, { length }) => sum + 8 * length, 0),
  )
  assert.ok(bits > 1_000_000)
})

it('is found damaged by reader or audit, whichever of its lines has a bit flipped', async () => {
  let start = 0
  for (const [index, line] of lines.entries()) {
    const damaged = text.slice()
    const at = start + ((index * 131) % line.length)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (index % 8))
    assert.ok(await isFound(damaged), `line ${index + 1}`)
    start += line.length + 1
  }
})

it('is found damaged by the audit', async () => {
  for (let nth = 0; nth < 20; nth += 1) {
    const damaged = text.slice()
    const at = Math.floor((text.length * (nth + 0.5)) / 20)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (nth % 8))
    assert.ok((await audited(damaged)).findings.length > 0, `byte ${at}`)
  }
})

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

/** Whether reading alone finds something: what is no line, or a closing line that does not fit. */
const isFound = async (bytes: Uint8Array): Promise<boolean> => {
  for await (const entries of readTranscript(digest, [bytes]))
    if (entries.some((entry) => entry._tag !== 'event' && entry._tag !== 'part' && entry._tag !== 'closing'))
      return true
  return (await audited(bytes)).findings.length > 0
}

it.run()
