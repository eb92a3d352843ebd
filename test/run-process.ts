import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Report } from './run-files.ts'

/** What came of one file. */
export type Outcome = {
  passed: number
  skipped: number
  failed: number
  output: string
  ms: number
  processorMs: number
}
export type Timed = { readonly what: string; readonly ms: number }
export type Run = {
  readonly options: { readonly timeoutMs: number }
  /** The files that no process has taken yet. */
  readonly files: string[]
  readonly outcomes: Map<string, Outcome>
  readonly failures: string[]
  /** How long each test took. */
  readonly times: Timed[]
  /** Is called once for each file. */
  readonly ended: (file: string, outcome: Outcome) => void
}

/** When it is said what a process waits for after its last test. */
const LINGERS_MS = 5000

/** How long a process that is killed has for ending what it has started. */
const GRACE_MS = 1000

/** The processes that run, each with what says where it is. */
const running = new Map<ChildProcess, () => string>()

/** Runs the files that are left in a process, until none is left or the process has ended. */
export const runProcess = async (run: Run): Promise<void> => {
  const { options, files, failures, times } = run
  const child = start()
  let file = 'the start of a process'
  let outcome = none()
  let isEnded = true // of the file: what fails between two files is counted for the one before
  let isOver = false
  let hasFailed = false
  let current = file
  running.set(child, () => current)
  let fileAt = performance.now()
  let testAt = fileAt
  let timer: NodeJS.Timeout | undefined
  let lingers: NodeJS.Timeout | undefined

  const fail = (line: string): void => {
    outcome.failed += 1
    hasFailed = true
    failures.push(line)
  }
  const expectProgress = (failure: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      fail(`${current}: ${failure}; killed`)
      isOver = true
      child.kill('SIGUSR2') // it ends the servers that it has started, which are in groups of their own
      timer = setTimeout(() => endGroup(child), GRACE_MS)
    }, options.timeoutMs)
  }
  const begin = (next: string | undefined): void => {
    const paths = child.stdio[4] as Writable // a pipe
    if (next === undefined) return void paths.end()
    file = next
    outcome = none()
    isEnded = false
    fileAt = performance.now()
    testAt = fileAt
    run.outcomes.set(file, outcome)
    paths.write(`${join(process.cwd(), file)}\n`)
  }
  const end = (): void => {
    if (isEnded) return
    isEnded = true
    outcome.ms = performance.now() - fileAt
    run.ended(file, outcome)
  }
  const heard = (report: Report): void => {
    if (report.at === 'next') begin(files.shift())
    else if (report.at === 'test') {
      const now = performance.now()
      times.push({ what: current, ms: now - testAt })
      testAt = now
      current = `${report.file}: ${report.name}`
      expectProgress(`no end after ${options.timeoutMs / 1000} s`)
    } else if (report.at === 'suite') {
      outcome.passed += report.passed
      outcome.skipped += report.skipped
      if (report.errors !== '') outcome.output += `\n${report.errors}\n`
      for (const name of report.failed) fail(`${report.file}: ${name}`)
    } else if (report.at === 'silent') {
      fail(`${report.file}: no suite ran; it needs a .run() at its end`)
    } else if (report.at === 'done') {
      current = `after ${report.file}`
      outcome.processorMs = report.processorMs
      end()
    } else if (report.at === 'exit') {
      if (!hasFailed) expectProgress('does not end, although its exit has begun')
    } else {
      const open = report.open.join(', ')
      isOver = true
      if (hasFailed) return endGroup(child) // a test that fails may leave open what it would have closed
      expectProgress(`something stays open after the last test (${open})`)
      lingers = setTimeout(() => console.log(`${current}: waits for what is open: ${open}`), LINGERS_MS)
    }
  }
  expectProgress(`no end after ${options.timeoutMs / 1000} s`)
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => heard(JSON.parse(line) as Report)) // ours
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (outcome.output += chunk.toString()))

  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(timer)
  clearTimeout(lingers)
  const isTold = isEnded
  if (!isOver) fail(`${current}: the process ended before its tests (${signal ?? `exit code ${code}`})`)
  else if (code !== 0 && signal === null) fail(`${current}: thrown after the end of the tests (exit code ${code})`)
  if (outcome.failed > 0) run.outcomes.set(file, outcome) // also where it ended before its first file
  end()
  if (isTold && outcome.failed > 0) console.log(outcome.output)
}

const none = (): Outcome => ({ passed: 0, failed: 0, skipped: 0, output: '', ms: 0, processorMs: 0 })

const start = (): ChildProcess => {
  const inside = fileURLToPath(new URL('run-files.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', inside], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined }, // what uvu says is read, too
    detached: true, // its own process group: what a test started ends with it
  })
  child.stdio[4]?.on('error', () => undefined) // its end is told by `close`
  child.on('exit', () => {
    running.delete(child)
    endGroup(child) // or a process that a test left behind holds the pipes open
  })
  return child
}

const endGroup = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // nothing of it is left
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const [child, where] of running) {
      console.log(`Stopped at ${where()}`)
      endGroup(child)
    }
    process.exit(1)
  })
