import { publicQueries } from '../../core/world/with-host.ts'
import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureCodes, type FailureCode } from '../../../core/failure-codes.ts'
import { publicOperations } from '../../core/world/with-host.ts'
import { run } from '../../adapters/cli/run-cli.ts'
import { SYMBOLS } from '../../../core/policy/lexer.ts'
import { languageOf, problemsOf } from '../../../core/policy/expression.ts'
import { CONSTRUCTORS, FUNCTIONS } from '../../../core/policy/parser.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import { policyWarnings } from '../../../core/resources/policy/policy-warnings.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { EXAMPLES, GUARDED } from './policy-language-page.ts'
import { SAFE_CONDITIONS } from './transactions-section.ts'
import { referencePages } from './reference-pages.ts'

const it = suite('the reference')

let pages: ReadonlyMap<string, string> = new Map()
it.before(async () => {
  pages = await referencePages((await run(['serve', '--help'], { cwd: '.' })).stdout)
})

it('is what the definitions give', () => {
  for (const [path, text] of pages) {
    const written = existsSync(path) ? readFileSync(path, 'utf8') : ''
    assert.is(written === text, true, `${path} is old: npm run docs`)
  }
})

it('lists the failures that there are, with what each becomes over HTTP', () => {
  const rows = [
    ...(pages.get('docs/reference/failures.md') ?? '').matchAll(/^\| `([A-Z0-9_]+)` \| (\d+) \|.* \| (.*) \|$/gm),
  ]
  assert.equal(
    rows.map(([, code]) => code),
    Object.keys(failureCodes),
  )
  for (const [, code, status, meaning] of rows) {
    assert.is(failureCodes[code as FailureCode].http, Number(status)) // those that there are
    assert.match(meaning ?? '', /^\w.*\.$/, `core/failure.ts says what ${code} means`)
  }
})

it('has a section for each operation and query', () => {
  for (const { path } of publicOperations)
    assert.match(pages.get('docs/reference/operations.md') ?? '', `\n## \`${path}\`\n`)
  for (const { path } of publicQueries) assert.match(pages.get('docs/reference/queries.md') ?? '', `\n## \`${path}\`\n`)
})

it('shows each symbol and function of the policy language, in examples that compile', () => {
  const language = languageOf({})
  const examples = EXAMPLES.flatMap(([, some]) => some)
  for (const text of examples)
    assert.equal(problemsOf(/time\.|CronSpan/.test(text) ? 'time' : 'condition', text, language), [], text)
  for (const word of [...SYMBOLS, ...FUNCTIONS, ...CONSTRUCTORS])
    assert.ok(
      examples.some((text) => text.includes(word)),
      word,
    )
})

it('shows a condition of a policy that denies, of which nobody is warned', () => {
  const known = catalogue(publicApi)
  if (known._tag === 'Left') throw new Error(known.left.message)
  for (const text of [GUARDED, ...Object.values(SAFE_CONDITIONS)])
    assert.equal(problemsOf('condition', text, known.right.language), [], text)
  assert.equal(policyWarnings(known.right).of({ effect: 'EFFECT_DENY', condition: GUARDED, consensus: '' }), [])
})

it('explains every option', () => {
  const text = pages.get('docs/reference/configuration.md') ?? ''
  const empty = text.split('\n').filter((line) => /\|\s*\|$/.test(line))
  assert.equal(empty, [])
  assert.match(text, '`COUNTERSIGN_STORE`')
})

it.run()
