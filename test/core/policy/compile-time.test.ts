import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { languageOf, TEXT_LENGTH_MAX, type Clause } from '../../../core/policy/expression.ts'

/* The longest texts, written to make parsing and checking slow: refused or not, compiling ends. The bench measures how soon. */
const it = suite('time of compiling')

/** As many parts as a text may hold. */
const filled = (before: string, part: (at: number) => string, after: string): string => {
  let text = before
  for (let at = 0; text.length + part(at).length + after.length <= TEXT_LENGTH_MAX; at += 1) text += part(at)
  return text + after
}

const member = (at: number): string => `a${at.toString(36)}:1,`
const wide = (characters: number): string => {
  let text = ''
  for (let at = 0; text.length < characters; at += 1) text += member(at)
  return `{${text.slice(0, -1)}}`
}

const texts: readonly (readonly [what: string, text: string, clause?: Clause])[] = [
  ['names that do not exist', filled('', (at) => `x${at} == 1 || `, 'true')],
  ['fields that do not exist', filled('', (at) => `eth.tx.max_fee_per_gaz${at} == 1 || `, 'true')],
  ['a long name', `${'gas_'.repeat(4000)} == 1`],
  ['long names', filled('', (at) => `max_priority_fee_per_gazs_${at} == 1 || `, 'true')],
  ['parentheses', '('.repeat(TEXT_LENGTH_MAX)],
  ['brackets', '['.repeat(TEXT_LENGTH_MAX)],
  ['braces', filled('', () => '{a:', '')],
  ['a large struct', filled('{', member, 'b: 1} == {a: 1}')],
  ['two large structs', `${wide(8000)} == ${wide(8000)}`],
  ['many large structs', `[${wide(1500)}${`,${wide(1500)}`.repeat(9)}].count() == 1`],
  ['a large struct compared often', filled(`[${wide(8000)}].any(x, `, () => 'x == x && ', 'x == x)')],
  [
    'two large structs compared often',
    filled(`[${wide(4000)}].any(x, [${wide(4000)}].any(y, `, () => 'x == y && ', 'x == y))'),
  ],
  ['lists of large structs', filled(`[${wide(4000)}].any(x, [`, () => 'x, ', 'x].count() == 1)')],
  ['variables', `${'[1].any(x, '.repeat(40)}true${')'.repeat(40)}`],
  ['numbers', filled('[', (at) => `${at}, `, '1].count() == 1')],
  ['a long number', '9'.repeat(TEXT_LENGTH_MAX)],
  ['a chain', `approvers${filled('', () => '.filter(u, true)', '')}`.slice(0, TEXT_LENGTH_MAX), 'consensus'],
  ['spans', filled('', () => `CronSpan('* * * * *','1m','UTC') || `, 'true'), 'time'],
  ['a long span', `CronSpan('${'1,'.repeat(8000)}1 * * * *','1m','UTC')`, 'time'],
  ['a long zone', `CronSpan('1 * * * *','1m','${'A/'.repeat(8000)}A')`, 'time'],
  ['timestamps', filled('', () => "time.now < Timestamp('2026-01-31T09:00:00Z') && ", 'true'), 'time'],
  ['a long timestamp', `time.now < Timestamp('2026-01-31T09:00:00.${'1'.repeat(16_000)}Z')`, 'time'],
  ['wrong timestamps', filled('', () => "Timestamp('') || ", 'true'), 'time'],
  ['line ends', '\n'.repeat(TEXT_LENGTH_MAX - 1) + 'x'],
  ['problems far behind', `${'\n'.repeat(8000)}${filled('', (at) => `x${at}||`, 'true').slice(0, 8000)}true`],
  ['strings', "''".repeat(8000)],
]

for (const [what, text, clause = 'condition'] of texts)
  it(`ends for ${what}`, () => {
    assert.ok(text.length <= TEXT_LENGTH_MAX, `${text.length}`)
    languageOf({})[clause](text)
  })

it.run()
