import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blocksOf, pageOf } from './markdown.ts'

const it = suite('the tutorial on an operation of a host')

const file = blocksOf(pageOf('docs/tutorials/your-own-operation.md'))
  .filter(({ language, note }) => language === 'ts' && !note.startsWith('not run'))
  .map(({ code }) => code)
  .join('\n')

it('is one file of less than 120 lines, in which nobody needs to know fp-ts', () => {
  assert.ok(file.split('\n').length < 120, `${file.split('\n').length} lines`)
  assert.not.match(file, /await .*\)\(\)|isRight|isLeft|pipe/)
})

it('runs as it stands', () => {
  const host = mkdtempSync(join(tmpdir(), 'countersign-tutorial-'))
  try {
    mkdirSync(join(host, 'node_modules'))
    symlinkSync(resolve('.'), join(host, 'node_modules/countersign'))
    writeFileSync(join(host, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(host, 'expenses.ts'), file)
    const tsx = pathToFileURL(resolve('node_modules/tsx/dist/loader.mjs')).href
    const printed = execFileSync(process.execPath, ['--import', tsx, 'expenses.ts'], { cwd: host, encoding: 'utf8' })
    assert.match(printed, /^paid 1, and again after each of \d\d deaths\n$/)
  } finally {
    rmSync(host, { recursive: true, force: true })
  }
})

it.run()
