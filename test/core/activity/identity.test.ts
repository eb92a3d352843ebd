import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeDigest } from '../../../adapters/digest/node-digest.ts'
import { activityIdOf, resourceIds } from '../../../core/activity/identity.ts'

const it = suite('identity')

/** As RFC 9562 says it, section 5.8: on the bytes. */
const uuid8 = (text: string): string => {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

it('makes UUIDs of version 8 of what it hashes', () =>
  fc.assert(
    fc.property(fc.uuid(), fc.string({ unit: 'grapheme' }), (one, other) => {
      const next = resourceIds(nodeDigest(), one)
      assert.is(activityIdOf(nodeDigest(), one, other), uuid8(`${one}\n${other}`))
      assert.equal([next(), next()], [uuid8(`${one}\n1`), uuid8(`${one}\n2`)])
    }),
  ))

it.run()
