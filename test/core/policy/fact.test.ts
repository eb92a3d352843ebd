import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { factsOf } from '../../../core/policy/approvers.ts'
import { evaluate, languageOf } from '../../../core/policy/expression.ts'
import { onceEach } from '../../../core/policy/fact.ts'
import { right } from '../world/world.ts'

const it = suite('facts of resources')

const language = languageOf({ keywords: { first: 'dynamic', second: 'dynamic' } })
const activity = { type: 'T', kind: 'K', resource: 'R', action: 'A', params: {} }
const valueOf = (text: string, facts: ReturnType<typeof onceEach>) =>
  evaluate(right(language.condition(text)), factsOf(activity, [], facts))

it('are looked for once, when an expression first reads them', () => {
  const asked: string[] = []
  const facts = onceEach({
    first: () => {
      asked.push('first')
      return 10n ** 30n
    },
    second: () => {
      asked.push('second')
      return 'two'
    },
  })
  assert.equal(valueOf("activity.kind == 'K'", facts), { _tag: 'value', value: true })
  assert.equal(asked, [])
  assert.equal(valueOf('first > 1000000000000000000 && first < first', facts), { _tag: 'value', value: false })
  assert.equal(valueOf("first > 1 && second == 'two'", facts), { _tag: 'value', value: true })
  assert.equal(asked, ['first', 'second'])
})

it('hide nothing of the activity', () => {
  assert.equal(valueOf("activity.kind == 'K'", { activity: { kind: 'other' } }), { _tag: 'value', value: true })
})

it.run()
