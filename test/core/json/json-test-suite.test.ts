import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseStrict } from '../../../core/json/strict-json.ts'
import { E } from '../../../core/prelude.ts'
import { vectorFolder } from '../../vectors.ts'

const it = suite('JSONTestSuite')

/** Files that a parser of RFC 8259 must accept, and that we refuse because two readers may understand them differently. */
const refusedAlthoughJson: Record<string, string> = {
  'y_object_duplicated_key.json': 'two members of the same name',
  'y_object_duplicated_key_and_value.json': 'two members of the same name',
}

/** Of the files that a parser may accept or refuse, those that we accept: numbers lose precision, but stay numbers. */
const acceptedThoughFree = [
  'i_number_double_huge_neg_exp.json',
  'i_number_real_underflow.json',
  'i_number_too_big_neg_int.json',
  'i_number_too_big_pos_int.json',
  'i_number_very_big_negative_int.json',
]

const verdicts = (prefix: string): ReadonlyMap<string, boolean> | undefined => {
  const path = vectorFolder('json-test-suite')
  if (path === undefined) return undefined
  const folder = join(path, 'test_parsing')
  const files = readdirSync(folder)
    .filter((file) => file.startsWith(prefix))
    .toSorted()
  return new Map(files.map((file) => [file, E.isRight(parseStrict(readFileSync(join(folder, file))))]))
}
const those = (files: ReadonlyMap<string, boolean>, isAccepted: boolean): readonly string[] =>
  [...files].filter(([, accepted]) => accepted === isAccepted).map(([file]) => file)

it('accepts what a parser must accept, but for the files named here', () => {
  const files = verdicts('y_')
  if (files === undefined) return
  assert.is(files.size, 95)
  assert.equal(those(files, false), Object.keys(refusedAlthoughJson))
})

it('refuses what a parser must refuse', () => {
  const files = verdicts('n_')
  if (files === undefined) return
  assert.is(files.size, 188)
  assert.equal(those(files, true), [])
})

it('accepts of what is left open only the files named here', () => {
  const files = verdicts('i_')
  if (files === undefined) return
  assert.is(files.size, 35)
  assert.equal(those(files, true), acceptedThoughFree)
})

it.run()
