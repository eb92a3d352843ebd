import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folder, program, run } from './run-cli.ts'

const it = suite('a command that is interrupted')

const cwd = folder()
const GOLDEN = join(import.meta.dirname, '../../system/golden/rules-1/log.jsonl')

type Started = { readonly child: ChildProcess; readonly ended: Promise<number | string | null> }

/** Starts the command, with a pipe as its input that stays open. */
const start = (args: readonly string[]): Started => {
  const child = spawn(process.execPath, [...program, ...args], { cwd, stdio: ['pipe', 'ignore', 'ignore'] })
  return { child, ended: once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string) } // as Node says
}

it('ends an audit of a pipe at a signal', async () => {
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  const writer = openSync(join(cwd, 'pipe'), 'r+') // the other end stays open, and nothing comes
  const { child, ended } = start(['audit', 'pipe'])
  await setTimeout(2_500)
  child.kill('SIGINT')
  child.kill('SIGINT')
  assert.is(await ended, 'SIGINT')
  closeSync(writer)
})

/** Whether the export ends with its count and its hash. */
const isWhole = (waitMs: number): boolean =>
  readFileSync(join(cwd, `made-${waitMs}`, 'log.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.includes('sha256') === true

it('leaves no half of a file behind when an export is interrupted, also by a signal that comes twice', async () => {
  assert.is((await run(['import', GOLDEN, '--store', 'sqlite:store.db'], { cwd })).code, 0)
  const before = readdirSync(cwd).toSorted()
  for (const waitMs of [200, 600, 1_000]) {
    const { child, ended } = start(['export', '--store', 'sqlite:store.db', '--out', `made-${waitMs}/log.jsonl`])
    await setTimeout(waitMs)
    child.kill('SIGTERM')
    child.kill('SIGTERM')
    const code = await ended
    const made = readdirSync(cwd).filter((name) => name.startsWith('made') && readdirSync(join(cwd, name)).length > 0)
    if (code === 0) continue // it was sooner than the signal
    const left = made.includes(`made-${waitMs}`) ? readdirSync(join(cwd, `made-${waitMs}`)) : []
    if (left.length > 0) assert.equal([left, isWhole(waitMs)], [['log.jsonl'], true]) // the signal came behind the end
    assert.ok(code === 143 || code === 'SIGTERM', String(code)) // SIGTERM: the signal came before the command knew of signals
  }
  assert.equal(
    readdirSync(cwd)
      .filter((name) => !name.startsWith('made'))
      .toSorted(),
    before,
  )
})

it.run()
