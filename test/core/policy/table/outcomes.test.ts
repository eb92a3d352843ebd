import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { evaluate, languageOf, type Facts } from '../../../../core/policy/expression.ts'
import { anyFacts } from '../any.ts'
import { facts } from './made-up-facts.ts'
import { OPERATORS } from './operator-outcomes.ts'
import { EXAMPLES } from './example-outcomes.ts'

/* What expressions are worth, written down by hand. */
const it = suite('outcomes of expressions')

const language = languageOf({})

const outcome = (text: string, given: Facts): string => {
  const clause = /approvers|credentials/.test(text) ? 'consensus' : /time\.|CronSpan/.test(text) ? 'time' : 'condition'
  const compiled = language[clause](text)
  if (compiled._tag === 'Left') return 'refused'
  const evaluated = evaluate(compiled.right, given)
  return evaluated._tag === 'value' ? `${evaluated.value}` : 'error'
}

/** Values of parameters, whose types nobody knows before. */
const VALUES = { n: 7, d: '7', t: 'a', x: '0xAb', f: true, l: [7], s: { a: 1 }, z: null, h: 0.5 }
const withValues = anyFacts({ activity: { params: VALUES } })
const LETTERS = Object.keys(VALUES)
const WORDS = { T: 'true', F: 'false', E: 'error', '-': 'refused' } as const

const isLetter = (letter: string): letter is keyof typeof WORDS => Object.hasOwn(WORDS, letter)

for (const row of OPERATORS.trim().split('\n')) {
  const [form = '', letters = ''] = row.split('=>').map((part) => part.trim())
  for (const [at, letter] of [...letters.replaceAll(' ', '')].entries()) {
    const text = form.replaceAll('@', `activity.params.${LETTERS[at]}`).replaceAll('$', 'activity.params.')
    it(`${text} is ${letter}`, () => {
      assert.is(outcome(text, withValues), isLetter(letter) ? WORDS[letter] : letter)
    })
  }
}

for (const [text, expected] of EXAMPLES)
  it(`${text} is ${expected}`, () => assert.is(outcome(text, facts), `${expected}`))

it('is an error where nothing of an activity is there, for each example that reads it', () => {
  const reading = EXAMPLES.filter(
    ([text, expected]) => /\b(eth|solana|tron|tempo|bitcoin|wallet)\b/.test(text) && expected !== 'refused',
  )
  assert.ok(reading.length > 50)
  for (const [text] of reading) assert.is(outcome(text, anyFacts()), 'error', text)
})

it.run()
