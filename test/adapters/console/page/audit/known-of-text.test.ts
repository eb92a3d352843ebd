import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { knownOfText } from '../../../../../adapters/console/page/audit/known-of-text.ts'
import { headsFileOf, headText } from '../../../../../core/audit/known-text.ts'
import { E } from '../../../../../core/prelude.ts'

const it = suite('heads and pins that are typed into the page')

const organization = '2d6db8bc-1dd8-4e6b-a3b8-be0c6185bf30'
const hash = 'ab'.repeat(32)
const head = { organization, sequence: 9_007_199_254_740_993n, hash }

it('are lines of heads and pins, in any order, or a file of heads', () => {
  const both = { heads: [head], pins: new Map([[organization, hash]]) }
  assert.equal(knownOfText(`\n ${headText(head)}\r\n${organization}=${hash}\t`), E.right(both))
  const file = JSON.stringify(headsFileOf([head]), undefined, 2)
  assert.equal(knownOfText(`\ufeff${file}\n`), E.right({ heads: [head], pins: new Map() }))
  assert.equal(knownOfText(' \n'), E.right({ heads: [], pins: new Map() }))
})

it('are refused with the place of what cannot be read', () => {
  assert.equal(knownOfText(`${headText(head)} ${organization}=9:${hash.slice(1)}`), E.left({ entry: 2 }))
  for (const file of ['{', '{"heads":[{}]}', '{"heads":[],"more":1}', '{"name":"x"}'])
    assert.equal(knownOfText(file), E.left('file'), file)
})

it.run()
