import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { concat, encodeUtf8 } from '../../../core/bytes.ts'
import { beforeFirst, hashOf, link, partHash, type Entry } from '../../../core/log/chain.ts'
import { digest } from '../audit/logs.ts'

const it = suite('chain of lines')

const ports = { digest, ids: nodeIds() }
const entry: Entry = {
  organization: '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d',
  activity: 'b1235103-ff80-8706-8980-45ebe2f9f13b',
  revision: 1n,
  at: '2026-01-01T00:00:00.000Z',
  payload: { type: 'ActivityStarted', data: { attempt: 1, resumeAt: '2026-01-01T00:01:00.000Z', revision: 1 } },
  parts: { request: encodeUtf8('{}'), other: encodeUtf8('{}') },
}

it('puts the hash of each line into the next', () => {
  const first = link(ports, beforeFirst, entry)
  const second = link(ports, first.tip, entry)
  assert.is(first.event.previous, '0'.repeat(64))
  assert.is(second.event.previous, digest.sha256Hex(first.record.line))
  assert.equal(second.tip, { sequence: 2n, hash: hashOf(digest, second.record.line) })
})

it('names parts by salts of 32 bytes, each its own: what was erased cannot be found by trying', () => {
  const { event, record } = link(ports, beforeFirst, entry)
  const [one, other] = record.parts
  assert.equal([one?.salt.length, other?.salt.length], [32, 32])
  assert.is.not(event.parts.request, event.parts.other)
  for (const part of record.parts) {
    assert.is(event.parts[part.name], partHash(digest, part))
    assert.is(event.parts[part.name], digest.sha256Hex(concat([part.salt, part.bytes])))
  }
})

it.run()
