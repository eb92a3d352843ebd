import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fileScratch } from '../../../adapters/scratch/file-scratch.ts'

const it = suite('file scratch')

it('gives back what was put, in any order', () =>
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 20 }), (all) => {
      const scratch = fileScratch()
      const places = all.map((bytes) => scratch.put(bytes))
      for (const [index, place] of [...places.entries()].toReversed()) assert.equal(scratch.get(place), all[index])
      scratch.close()
    }),
    { numRuns: 50 },
  ))

it('leaves no file behind, also while it is in use', () => {
  const ours = (): number => readdirSync(tmpdir()).filter((name) => name.startsWith('countersign-')).length
  const before = ours()
  const scratch = fileScratch()
  scratch.put(new Uint8Array(10))
  assert.is(ours(), before)
  scratch.close()
})

it.run()
