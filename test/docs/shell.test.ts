/** Runs the shell of the documents, block after block, and compares what it prints with what the documents say. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blocksOf, pageOf, type Block } from './markdown.ts'

const it = suite('the shell in the documents')

const BEGUN = 'countersign init --store sqlite:data/countersign.db --out data/credentials.json'
const pages: readonly (readonly [path: string, before: string])[] = [
  ['docs/tutorials/first-approval.md', ''],
  ['docs/how-to/back-up-and-restore.md', BEGUN],
  ['docs/how-to/audit-a-log.md', BEGUN],
]

for (const [path, before] of pages) {
  it(`prints what ${path} says`, async () => {
    const blocks = blocksOf(pageOf(path))
    const { code, stdout, stderr } = await runShell(scriptOf(blocks, before))
    assert.is(code, 0, `${path}: ${stderr}`)
    const printed = new Map(stdout.split(/^@@/m).map((text) => [Number.parseInt(text, 10), text.replace(/^.*\n/, '')]))
    for (const [index, { language, code: expected, line }] of blocks.entries()) {
      if (language !== 'text') continue
      assert.match(printed.get(index - 1) ?? '', patternOf(expected), `${path}:${line}`)
    }
  })
}

const PRELUDE = 'countersign() { node dist/adapters/cli/main.js "$@"; }'

const scriptOf = (blocks: readonly Block[], before: string): string =>
  ['set -eu', PRELUDE, before, ...blocks.flatMap((block, index) => [`echo '@@${index}'`, commandOf(block)])].join('\n')

const commandOf = ({ language, code, note }: Block): string => {
  if (language !== 'sh' || note.startsWith('not run')) return ''
  if (note !== 'runs on') return code
  return `{ ${code.trim()} >server.out 2>server.err; } &\nfor _ in $(seq 200); do grep -q listening server.out && break; sleep 0.1; done`
}

const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trimEnd()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '[^]*?')}\\s*$`,
  )

type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

const runShell = async (script: string): Promise<Ran> => {
  const cwd = mkdtempSync(join(tmpdir(), 'countersign-shell-'))
  symlinkSync(resolve('dist'), join(cwd, 'dist'))
  const env = { ...process.env, COUNTERSIGN_PORT: '0', COUNTERSIGN_LOG_LEVEL: 'warn' }
  const shell = spawn('bash', [], { cwd, env, detached: true }) // a group of its own, to end with all that it started
  let [stdout, stderr] = ['', '']
  shell.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  shell.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  shell.stdin.end(script)
  const [code] = (await once(shell, 'exit')) as [number | null] // as Node says
  try {
    if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
  } catch {
    // nothing of it is left
  }
  rmSync(cwd, { recursive: true, force: true })
  return { code, stdout, stderr }
}

it.run()
