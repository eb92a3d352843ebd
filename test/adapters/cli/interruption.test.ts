import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { interruption } from '../../../adapters/cli/interruption.ts'
import { Stop } from '../../../adapters/cli/stop.ts'
import { folder, run, start } from './run-cli.ts'

const it = suite('a command that is interrupted')

const cwd = folder()
const GOLDEN = join(import.meta.dirname, '../../system/golden/log.jsonl')

it('ends an audit of a pipe at a signal, although it goes on waiting for what comes', async () => {
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  const writer = await open(join(cwd, 'pipe'), 'r+') // the other end stays open, and no more comes
  const { child, ended } = start(['audit', 'pipe'], { cwd })
  await writer.writeFile(readFileSync(GOLDEN).subarray(0, 200_000)) // more than a pipe holds: when it is written, the audit reads
  child.kill('SIGINT')
  assert.is((await ended).signal, 'SIGINT')
  await writer.close()
})

it('leaves no half of a file behind when an export is interrupted', async () => {
  assert.is((await run(['import', GOLDEN, '--store', 'sqlite:store.db'], { cwd })).code, 0)
  const before = readdirSync(cwd).toSorted()
  const interrupt = (name: string | symbol): void => {
    if (name !== 'SIGTERM') return
    process.off('newListener', interrupt)
    queueMicrotask(() => process.emit('SIGTERM', 'SIGTERM')) // as soon as the command watches for it
  }
  process.on('newListener', interrupt)
  const { code, stderr } = await run(['export', '--store', 'sqlite:store.db', '--out', 'made/log.jsonl'], { cwd })
  assert.equal([code, stderr], [143, 'countersign: stopped by SIGTERM: nothing was kept\n'])
  assert.not(existsSync(join(cwd, 'made')))
  assert.equal(readdirSync(cwd).toSorted(), before)
})

it('ends at once at a second signal, unless npm has passed the first one on', () => {
  const killed: (readonly [number, unknown])[] = []
  const { kill } = process
  process.kill = (pid, signal) => {
    killed.push([pid, signal])
    return true
  }
  let atMs = 0
  const { check, end } = interruption(() => atMs)
  try {
    check()
    process.emit('SIGTERM', 'SIGTERM')
    assert.throws(check, (error: unknown) => error instanceof Stop && error.exitCode === 143)
    for (atMs of [0, 999, 1_000]) process.emit('SIGINT', 'SIGINT')
    assert.equal(killed, [])
    atMs = 1_001
    process.emit('SIGINT', 'SIGINT')
    assert.equal(killed, [[process.pid, 'SIGINT']])
  } finally {
    process.kill = kill
    end()
  }
})

it.run()
