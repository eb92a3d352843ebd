import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { languageOf } from '../../../core/policy/expression.ts'

/*
 * Each construct with operands of each type. What is to be accepted is told here by sets of types, and nothing of the
 * checker is used for that.
 */
const it = suite('policy checker')

type Kind = 'number' | 'text' | 'decimal' | 'boolean' | 'time' | 'dynamic' | 'struct' | 'given' | 'list' | 'map'
type Operand = { readonly text: string; readonly kind: Kind; readonly items?: Kind }

const operands: readonly Operand[] = [
  { text: '1', kind: 'number' },
  { text: 'approvers.count()', kind: 'number' },
  { text: "'a'", kind: 'text' },
  { text: "'1'", kind: 'decimal' },
  { text: 'activity.type', kind: 'decimal' }, // a text that may be digits
  { text: 'true', kind: 'boolean' },
  { text: '(1 == 1)', kind: 'boolean' },
  { text: 'activity.params.any', kind: 'dynamic' },
  { text: 'approvers[0]', kind: 'struct' },
  { text: '[1]', kind: 'list', items: 'number' },
  { text: "['a']", kind: 'list', items: 'text' },
  { text: '[true]', kind: 'list', items: 'boolean' },
  { text: '[]', kind: 'list', items: 'dynamic' },
  { text: '[[1]]', kind: 'list', items: 'list' },
  { text: 'approvers', kind: 'list', items: 'struct' },
  { text: 'approvers[0].tags', kind: 'list', items: 'text' },
  { text: 'eth.tx.contract_call_args', kind: 'map' },
  { text: "eth.tx.contract_call_args['a']", kind: 'dynamic' },
  { text: 'activity.params.transfer', kind: 'dynamic' },
  { text: "secret.static_properties['a']", kind: 'decimal' },
  { text: 'wallet', kind: 'struct' },
  { text: 'eth.tx.value', kind: 'number' },
  { text: 'wallet.imported', kind: 'boolean' },
  { text: '{ a: 1 }', kind: 'given' },
  { text: '[{ a: 1 }]', kind: 'list', items: 'given' },
  { text: 'time.now', kind: 'time' },
  { text: "Timestamp('2026-01-31T09:00:00Z')", kind: 'time' },
  { text: '[time.now]', kind: 'list', items: 'time' },
  { text: "CronSpan('0 9 * * *', '8h', 'UTC')", kind: 'boolean' },
]

const NUMBERS: readonly Kind[] = ['number', 'dynamic']
const TEXTS: readonly Kind[] = ['text', 'decimal']
const SCALARS: readonly Kind[] = [...NUMBERS, ...TEXTS, 'boolean', 'time', 'given']
const itemsOf = ({ kind, items }: Operand): Kind | undefined => (kind === 'dynamic' ? 'dynamic' : items)

const areAlike = (a: Kind, b: Kind): boolean =>
  SCALARS.includes(a) &&
  SCALARS.includes(b) &&
  (a === b || [a, b].includes('dynamic') || (TEXTS.includes(a) && TEXTS.includes(b)))
const areComparable = (a: Kind, b: Kind): boolean =>
  areAlike(a, b) || (a === 'number' && b === 'decimal') || (a === 'decimal' && b === 'number')

/** Lets an expression of any type stand where a boolean has to. */
const wrapped = (text: string): string => `[${text}].count() == 1`

const language = languageOf({})
const WORDS = {
  condition: /activity|eth\.|secret|solana|wallet/,
  consensus: /approvers/,
  time: /time\.|Timestamp|CronSpan/,
}
const CLAUSES = ['condition', 'consensus', 'time'] as const

/** In each clause whose words it uses, and in all if it uses none. */
const check = (text: string, isAccepted: boolean): void => {
  const used = CLAUSES.filter((clause) => WORDS[clause].test(text))
  if (used.length > 1) return // nothing speaks of both
  for (const clause of used.length === 1 ? used : CLAUSES)
    assert.is(language[clause](text)._tag, isAccepted ? 'Right' : 'Left', `${clause}: ${text}`)
}

it('compares numbers with numbers, and times with times', () => {
  for (const a of operands)
    for (const b of operands)
      for (const operator of ['<', '<=', '>', '>='])
        check(
          `${a.text} ${operator} ${b.text}`,
          (NUMBERS.includes(a.kind) && NUMBERS.includes(b.kind)) || (a.kind === 'time' && b.kind === 'time'),
        )
})

it('finds equal what has one type, and a number and its digits', () => {
  for (const a of operands)
    for (const b of operands)
      for (const operator of ['==', '!=']) check(`${a.text} ${operator} ${b.text}`, areComparable(a.kind, b.kind))
})

it('looks in lists for what they can hold', () => {
  for (const a of operands)
    for (const list of operands) {
      const items = itemsOf(list)
      const isAccepted = items !== undefined && areAlike(a.kind, items)
      check(`${a.text} in ${list.text}`, isAccepted)
      check(`${list.text}.contains(${a.text})`, isAccepted)
    }
})

it('joins and negates booleans alone', () => {
  for (const a of operands)
    for (const operator of ['&&', '||']) {
      check(`${a.text} ${operator} true`, a.kind === 'boolean')
      check(`true ${operator} ${a.text}`, a.kind === 'boolean')
      check(`!${a.text}`, a.kind === 'boolean')
      check(`[1].all(item, ${a.text})`, a.kind === 'boolean')
      check(a.text, a.kind === 'boolean')
    }
})

it('counts, filters and asks lists, and what may be one', () => {
  for (const one of operands) {
    const isList = itemsOf(one) !== undefined
    check(`${one.text}.count() == 1`, isList)
    for (const ask of ['any', 'all']) check(`${one.text}.${ask}(item, true)`, isList)
    check(`${one.text}.filter(item, true).count() == 1`, isList)
  }
})

it('takes fields of what has them', () => {
  for (const one of operands) {
    check(wrapped(`${one.text}.id`), one.kind === 'struct')
    check(wrapped(`${one.text}.count`), itemsOf(one) !== undefined)
    check(wrapped(`${one.text}.length`), false)
  }
})

it('takes items and slices of lists and texts by numbers, and members of maps by texts of the policy', () => {
  for (const of of operands) {
    const hasItems = itemsOf(of) !== undefined || TEXTS.includes(of.kind)
    for (const at of operands) {
      const isAccepted = hasItems && NUMBERS.includes(at.kind)
      const isKey = ['dynamic', 'map'].includes(of.kind) && at.text.startsWith("'")
      check(wrapped(`${of.text}[${at.text}]`), isAccepted || isKey)
      check(wrapped(`${of.text}[${at.text}..1]`), isAccepted)
      check(wrapped(`${of.text}[0..${at.text}]`), isAccepted)
    }
  }
})

it('knows of a condition that nobody approves yet', () => {
  assert.is(language.condition('approvers.count() == 0')._tag, 'Left')
  assert.is(language.condition('activity.params.any == 0')._tag, 'Right')
})

it.run()
