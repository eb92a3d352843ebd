import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { LINE_DEPTH_MAX } from '../../../core/log/nesting.ts'
import { decodeLine } from '../../../core/log/transcript-line.ts'

const it = suite('nesting')

/** How a line is read in which an event changes this. */
const read = (change: Json): string => {
  const event = {
    organization: '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d',
    sequence: '2',
    activity: 'b1235103-ff80-8706-8980-45ebe2f9f13b',
    revision: '2',
    type: 'ActivityCompleted',
    version: 1,
    id: '019ab2c3-0d4e-7f50-8a61-72839405a6b7',
    at: '2026-01-01T00:00:00.000Z',
    previous: '0'.repeat(64),
    data: { type: 't', result: null, change, revision: 1 },
    parts: {},
  }
  return decodeLine(encodeUtf8(JSON.stringify(event)))._tag
}

const nested = (depth: number, inmost: Json): Json =>
  depth === 0 ? inmost : depth % 2 === 0 ? [0, nested(depth - 1, inmost)] : { a: 0, b: nested(depth - 1, inmost) }

/** The event itself, and its data. */
const AROUND = 2

it('of an event may go as deep as the bound, and no deeper', () => {
  assert.is(read(nested(LINE_DEPTH_MAX - AROUND, 1)), 'event')
  assert.is(read(nested(LINE_DEPTH_MAX - AROUND + 1, 1)), 'unreadable')
})

it('is told by its depth, and not by how many lists and objects there are', () => {
  assert.is(read(Array.from({ length: 10 * LINE_DEPTH_MAX }, (_, n) => (n % 2 === 0 ? [] : { n }))), 'event')
  const deepAtTheEnd = [...Array.from({ length: LINE_DEPTH_MAX }, () => ({})), nested(LINE_DEPTH_MAX, 1)]
  assert.is(read(deepAtTheEnd), 'unreadable')
})

it.run()
