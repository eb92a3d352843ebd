import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Table } from './figures.ts'
import { published } from './publish.ts'

const it = suite('publishing what the bench measured')

const table = (title: string, figure: string): Table => ({
  title,
  says: `About ${title}.`,
  columns: ['what', 'per second'],
  rows: [['work', figure]],
})

const PAGE = `# Benchmarks

What this page is.

## Measured on

- an older machine

## Aims

Words with | a bar.

## Replay

About Replay.

| what | per second |
| --- | ---: |
| work | 1 |

More about the replay of then.

## Audit

About Audit.
`

const published1 = published(PAGE, 'a machine\nNode', [table('Replay', '2'), table('Replay, 10 activities', '3')])

it('puts a table in the place of its section, and what it was measured on, too', () => {
  assert.match(published1, '## Measured on\n\n- a machine\n- Node\n\n## Aims\n')
  assert.match(published1, '| work | 2 |\n\n## Audit\n')
  for (const old of ['older machine', '| work | 1 |', 'of then']) assert.not.match(published1, old)
})

it('leaves every other section as it was', () => {
  assert.match(published1, '# Benchmarks\n\nWhat this page is.\n\n## Measured on')
  assert.match(published1, '## Aims\n\nWords with | a bar.\n\n## Replay\n')
  assert.match(published1, '## Audit\n\nAbout Audit.\n')
})

it('puts a new table at the end', () => assert.ok(published1.endsWith('| work | 3 |\n')))

it('changes nothing when the same is published again', () =>
  assert.is(
    published(published1, 'a machine\nNode', [table('Replay', '2'), table('Replay, 10 activities', '3')]),
    published1,
  ))

it.run()
