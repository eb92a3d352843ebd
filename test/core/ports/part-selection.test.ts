import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { partSelection, selectsPart } from '../../../core/ports/part-selection.ts'

const it = suite('selection of parts by name')

for (const [list, selected, others] of [
  [['request'], ['request'], ['requests', 'request.x', 'Request', 'personal:request', '']],
  [
    ['personal:'],
    ['personal:', 'personal:x', 'personal::'],
    ['personal', 'personal.x', 'personalx', 'personal;', 'request'],
  ],
  [['personal.'], ['personal.', 'personal.x'], ['personal', 'personal:x', 'personal/x']],
  [['personal'], ['personal'], ['personal:x', 'personal.x', 'persona']],
  [
    ['a', 'b:', 'c.'],
    ['a', 'b:x', 'c.x'],
    ['a:x', 'b', 'c', 'ax'],
  ],
  [[], [], ['request', '', 'personal:x']],
] as const)
  it(`selects by ${list.join(' and ') || 'nothing'}`, () => {
    for (const name of selected) assert.ok(selectsPart(list, name), name)
    for (const name of others) assert.not.ok(selectsPart(list, name), name)
  })

it('takes a list apart into names and beginnings of names', () => {
  assert.equal(partSelection(['a', 'b:', 'c.', 'd:e']), { names: ['a', 'd:e'], prefixes: ['b:', 'c.'] })
})

it.run()
