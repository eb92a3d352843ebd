/** Runs the shell of a document, block after block, and compares what it prints with what the document says. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as assert from 'uvu/assert'
import { blocksOf, pageOf, type Block } from './markdown.ts'

const BEGUN = 'countersign init --store sqlite:data/countersign.db --out data/credentials.json'

/** The pages whose shell runs, with what has to be there before. */
export const shellPages: readonly (readonly [path: string, before: string])[] = [
  ['docs/tutorials/first-approval.md', ''],
  ['docs/how-to/back-up-and-restore.md', BEGUN],
  ['docs/how-to/keep-keys.md', BEGUN],
  ['docs/how-to/move-a-log.md', BEGUN],
  ['docs/how-to/audit-a-log.md', BEGUN],
  ['docs/how-to/bring-a-wallet-and-take-it-away.md', ''],
  ['docs/how-to/erase-a-person.md', ''],
  ['docs/how-to/give-each-user-an-organization.md', ''],
  ['docs/how-to/make-wallets-and-sign.md', ''],
  ['docs/how-to/receive-webhooks.md', ''],
  ['docs/how-to/require-a-second-factor.md', ''],
  ['docs/how-to/sign-in.md', ''],
  ['docs/how-to/sign-up-by-code.md', ''],
  ['docs/how-to/try-a-policy.md', ''],
]

/**
 * Runs a page in a folder of its own.
 *
 * @param dist  the folder of the built package
 * @param command  what `countersign` runs there
 */
export const runPage = async (
  path: string,
  before: string,
  dist: string,
  command = 'node dist/bin/countersign.js',
): Promise<void> => {
  const blocks = blocksOf(pageOf(path))
  const { code, stdout, stderr } = await runShell(scriptOf(blocks, [preludeOf(command), before]), dist)
  assert.is(code, 0, `${path}: ${stderr}`)
  const printed = new Map(stdout.split(/^@@/m).map((text) => [Number.parseInt(text, 10), text.replace(/^.*\n/, '')]))
  for (const [index, { language, code: expected, line }] of blocks.entries()) {
    if (language !== 'text' || blocks[index - 1]?.language === 'ts') continue // `test/package/pages/run.ts` runs TypeScript
    assert.match(printed.get(index - 1) ?? '', patternOf(expected), `${path}:${line}`)
  }
}

const preludeOf = (command: string): string => `countersign() { ${command} "$@"; }`

const scriptOf = (blocks: readonly Block[], before: readonly string[]): string =>
  ['set -eu', ...before, ...blocks.flatMap((block, index) => [`echo '@@${index}'`, commandOf(block)])].join('\n')

const commandOf = ({ language, code, note }: Block): string => {
  if (language !== 'sh' || note.startsWith('not run')) return ''
  if (note !== 'runs on') return code
  return `{ ${code.trim()} >server.out 2>server.err; } &\nuntil grep -q listening server.out || ! kill -0 $!; do sleep 0.1; done`
}

/** What a block of text says: `…` stands for anything. */
export const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trimEnd()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '[^]*?')}\\s*$`,
  )

type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

const runShell = async (script: string, dist: string): Promise<Ran> => {
  const cwd = mkdtempSync(join(tmpdir(), 'countersign-shell-'))
  symlinkSync(resolve(dist), join(cwd, 'dist'))
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
