import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readFileSync } from 'node:fs'
import { knownMistakes, placeOf } from './known.ts'
import { sandbox, type Sandbox } from './sandbox.ts'

const it = suite('a place for mistakes')

let place: Sandbox
it.before(() => {
  place = sandbox()
})
it.after(() => place.remove())

const file = 'core/stamp/der.ts'
const change = (find: string, put: string) => placeOf({ name: '', file, find, put }, readFileSync(file, 'utf8'))

it('finds a mistake by the tests of its file', async () => {
  const found = await place.outcomeOf(change('signature.length - 2', 'signature.length - 1'), [])
  assert.ok(found !== 'survived' && found.foundBy.startsWith('test/core/stamp/der.test.ts'), JSON.stringify(found))
})

it('lets a change survive that is no mistake, and takes back what it made', async () => {
  assert.is(await place.outcomeOf(change('signature[0] !== SEQUENCE', 'SEQUENCE !== signature[0]'), []), 'survived')
})

it('knows where each known mistake can still be made', () => {
  for (const mistake of knownMistakes) placeOf(mistake, readFileSync(mistake.file, 'utf8'))
  assert.ok(knownMistakes.length > 20)
})

it.run()
