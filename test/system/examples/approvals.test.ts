import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const it = suite('the example of approvals')

it('shows the main job in one screen, and leaves nothing behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-example-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const output = execFileSync(process.execPath, ['--import', 'tsx', 'examples/approvals.ts'], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: folder },
  })
  const lines = output.trimEnd().split('\n')
  assert.ok(lines.length <= 40, `${lines.length} lines`)
  assert.equal(
    lines.filter((line) => /^\d\. /.test(line)).map((line) => line.slice(0, 2)),
    ['1.', '2.', '3.', '4.', '5.', '6.', '7.'],
  )
  assert.match(output, 'Charles asks to let Alan in: consensus-needed')
  assert.match(output, 'these can approve: Ada, Grace, Edsger, Root')
  assert.match(output, 'Ada approves: consensus-needed')
  assert.match(output, 'Grace approves: completed')
  assert.match(output, /position \d+: ACTIVITY_STATUS_COMPLETED, votes: 3/)
  assert.match(output, '7 stamps, 7 decisions and 5 executions hold')
  assert.match(output, 'findings: 0')
  assert.match(
    output,
    /One bit flipped in what Charles asked for, audited again:\n {3}line \d+: this part does not have the hash/,
  )
  assert.equal(
    readdirSync(folder).filter((name) => name.startsWith('countersign-approvals-')),
    [],
  )
})

it.run()
