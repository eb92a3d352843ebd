/** Runs the shell of a document, block after block, and compares what it prints with what the document says. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as assert from 'uvu/assert'
import { freePort } from '../../adapters/free-port.ts'
import { until } from '../../until.ts'
import { blocksOf, pageOf, type Block, type Page } from './markdown.ts'

const BEGUN = 'countersign init --store sqlite:data/countersign.db --credentials data/credentials.json'

/** The pages whose shell runs, with what has to be there before. */
export const shellPages: readonly (readonly [path: string, before: string])[] = [
  ['docs/tutorials/first-approval.md', ''],
  ['docs/tutorials/sign-in-page.md', ''],
  ['docs/how-to/back-up-and-restore.md', BEGUN],
  ['docs/how-to/keep-keys.md', BEGUN],
  ['docs/how-to/move-a-log.md', BEGUN],
  ['docs/how-to/audit-a-log.md', BEGUN],
  ['docs/how-to/bring-a-wallet-and-take-it-away.md', ''],
  ['docs/how-to/decide-on-transactions.md', ''],
  ['docs/how-to/erase-a-person.md', ''],
  ['docs/how-to/give-each-user-an-organization.md', ''],
  ['docs/how-to/make-wallets-and-sign.md', ''],
  ['docs/how-to/receive-webhooks.md', ''],
  ['docs/how-to/require-a-second-factor.md', ''],
  ['docs/how-to/run-the-auth-proxy.md', ''],
  ['docs/how-to/sign-in.md', ''],
  ['docs/how-to/sign-up-by-code.md', ''],
  ['docs/how-to/try-a-policy.md', ''],
  ['docs/how-to/use-the-console.md', ''],
]

/** Where a page says what its reader sees in a browser. */
export type InBrowser = {
  /** What the program of this name has printed so far: of a block that `runs on`, or `runs on as NAME`. */
  readonly printed: (name?: string) => string
  /** What the page says that the browser shows. */
  readonly shows: RegExp
}

export type Running = {
  /** The folder of the built package. Without it, the page runs in a clone, and builds the package itself. */
  readonly dist?: string
  /** Makes a clone in a folder. */
  readonly clone?: (folder: string) => void
  /** What `countersign` runs there. */
  readonly command?: string
  /** What somebody does in a browser, until it shows what the page says. Without it, nobody does. */
  readonly inBrowser?: (place: InBrowser) => Promise<void>
}

/** Runs a page in a folder of its own. Each port that it names stands for a free one. */
export const runPage = async (path: string, before: string, running: Running): Promise<void> => {
  const { dist, clone, command = 'node dist/bin/countersign.js', inBrowser } = running
  const blocks = blocksOf(await withFreePorts(pageOf(path)))
  const cwd = mkdtempSync(join(tmpdir(), 'countersign-shell-'))
  clone?.(cwd)
  if (dist !== undefined) symlinkSync(resolve(dist), join(cwd, 'dist'))
  if (path.startsWith('docs/tutorials/')) for (const name of CLONED) symlinkSync(resolve(name), join(cwd, name))
  const shell = shellIn(cwd)
  try {
    shell.write(['set -eu', `countersign() { ${command} "$@"; }`, before].join('\n'))
    for (const [index, block] of blocks.entries()) {
      shell.write(`echo '@@${index}'`)
      if (block.note === IN_BROWSER && inBrowser !== undefined) {
        await shell.said(`@@${index}\n`)
        const printed = (name = SERVER): string => readFileSync(join(cwd, `${name}.out`), 'utf8')
        await inBrowser({ printed, shows: patternOf(block.code) })
      }
      shell.write(commandOf(block))
    }
    const { code, stdout, stderr } = await shell.end()
    assert.is(code, 0, `${path}: ${stderr}`)
    const left = inBrowser === undefined ? [IN_BROWSER, WITH_BROWSER] : [IN_BROWSER]
    comparePrinted(path, blocks, stdout, left)
  } finally {
    shell.kill()
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** What a tutorial needs besides `dist`: it begins in a clone. */
const CLONED = ['examples', 'node_modules', 'package.json']

/** The notes of blocks that say what a browser shows, and what a command prints if somebody has used one. */
const [IN_BROWSER, WITH_BROWSER] = ['in a browser', 'with a browser']

const SERVER = 'server'

const withFreePorts = async ({ path, text }: Page): Promise<Page> => {
  const named = [...text.matchAll(PORT)].map(([, , port = '']) => port)
  const free = new Map<string, number>()
  for (const port of named) free.set(port, free.get(port) ?? (await freePort()))
  return { path, text: text.replace(PORT, (_, at: string, port: string) => `${at}${free.get(port)}`) }
}

const PORT = /(--port |localhost:|127\.0\.0\.1:)([1-9]\d{3})\b/g

const comparePrinted = (path: string, blocks: readonly Block[], stdout: string, left: readonly string[]): void => {
  const printed = new Map(stdout.split(/^@@/m).map((text) => [Number.parseInt(text, 10), text.replace(/^.*\n/, '')]))
  for (const [index, { language, code: expected, line, note }] of blocks.entries()) {
    if (language !== 'text' || left.includes(note)) continue
    if (blocks[index - 1]?.language === 'ts') continue // `test/package/pages/run.ts` runs TypeScript
    assert.match(printed.get(index - 1) ?? '', patternOf(expected), `${path}:${line}`)
  }
}

/** What runs on says where it listens, or what to open. */
const commandOf = ({ language, code, note }: Block): string => {
  if (language !== 'sh' || note.startsWith('not run')) return ''
  const [runsOn, name = SERVER] = /^runs on(?: as (\w+))?$/.exec(note) ?? []
  if (runsOn === undefined) return code
  const saysWhere = `grep -qE '^(listening on|open) http' ${name}.out`
  return `{ ${code.trim()} >${name}.out 2>&1; } &\nuntil ${saysWhere} || ! kill -0 $!; do sleep 0.1; done`
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

const shellIn = (cwd: string) => {
  const env = { ...process.env, COUNTERSIGN_PORT: '0', COUNTERSIGN_LOG_LEVEL: 'warn' }
  const shell = spawn('bash', [], { cwd, env, detached: true }) // a group of its own, to end with all that it started
  let [stdout, stderr] = ['', '']
  shell.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  shell.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  shell.stdin.on('error', () => undefined) // it ends at the first command that fails
  const ended = once(shell, 'exit') as Promise<[number | null]> // as Node says
  return {
    write: (script: string) => void shell.stdin.write(`${script}\n`),
    /** Waits until it has printed a text. */
    said: async (text: string): Promise<void> => {
      await until(() => stdout.includes(text) || shell.exitCode !== null)
      assert.ok(stdout.includes(text), stderr)
    },
    end: async (): Promise<Ran> => {
      shell.stdin.end()
      const [code] = await ended
      return { code, stdout, stderr }
    },
    kill: (): void => {
      try {
        if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
      } catch {
        // nothing of it is left
      }
    },
  }
}
