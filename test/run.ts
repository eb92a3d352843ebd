/**
 * The test runner: a process per folder of `test/`, a few at a time, each with a timeout, so that a test that hangs, kills
 * its process or throws after its end is counted and named. The last line is always `N passed, N failed`.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Report } from './run-folder.ts'

const HELP = `Usage: npm test -- [filter ...] [--timeout <seconds>] [--long] [--again] [--verbose]

Runs test/**/*.test.ts, a process per folder.

  filter       part of a path, such as core/policy or parser; several are alternatives
  --long       only files with tests that are left out otherwise because they take long, with all of their tests
  --processes  how many folders run at a time; 3 if not given
  --timeout    how long a test may take before its process is killed; 60 seconds if not given
  --again      runs a folder in which something failed once more, alone, and counts that run; what passed then is named
  --slowest    how many of the slowest tests are named at the end, each with its time; none if not given
  --verbose    shows the output of folders that pass, too`

type Options = {
  readonly filters: readonly string[]
  readonly timeoutMs: number
  readonly processes: number
  readonly long: boolean
  readonly again: boolean
  readonly slowest: number
  readonly verbose: boolean
}
type Outcome = {
  passed: number
  skipped: number
  readonly failures: string[]
  failed: number
  output: string
  ms: number
  /** How long each test took. */
  readonly times: Timed[]
}
type Timed = { readonly test: string; readonly ms: number }

/** One more than a small machine has cores: some tests wait for most of their time. */
const PROCESSES = 3
/** How long a process may stay after its last test; what keeps it was not closed. */
const LINGER_MS = 10_000

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      timeout: { type: 'string', default: '60' },
      processes: { type: 'string', default: String(PROCESSES) },
      long: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      slowest: { type: 'string', default: '0' },
      verbose: { type: 'boolean', default: false },
    },
  })
  const timeoutMs = Number(values.timeout) * 1000
  const slowest = Number(values.slowest)
  const processes = Number(values.processes)
  if (values.help || !(timeoutMs > 0) || !(slowest >= 0) || !(processes >= 1)) {
    console.log(HELP)
    return values.help ? 0 : 1
  }

  process.env['COUNTERSIGN_LONG'] = values.long ? '1' : '0' // see `long.ts`
  const options = {
    filters: positionals,
    long: values.long,
    timeoutMs,
    processes,
    again: values.again,
    slowest,
    verbose: values.verbose,
  }
  const folders = [...testFolders(process.cwd(), options)]
  const first = await runAll([...folders], options)
  const outcomes = options.again ? await failedAgain(folders, first, options) : [...first.values()]

  if (slowest > 0) printSlowest(outcomes, slowest)
  const failures = outcomes.flatMap((outcome) => outcome.failures)
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join('\n')}`)
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const [passed, failed, skipped] = [sum((o) => o.passed), sum((o) => o.failed), sum((o) => o.skipped)]
  if (passed + failed === 0) console.log('\nNo test ran.')
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed === 0 && passed > 0 ? 0 : 1
}

/** What a file imports that has tests which the suite leaves out. */
const HAS_LONG = /^import .*\/long\.ts'$/m

const testFolders = (root: string, { filters, long }: Pick<Options, 'filters' | 'long'>): Map<string, string[]> => {
  const folders = new Map<string, string[]>()
  if (!existsSync(join(root, 'test'))) return folders
  for (const entry of readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = join('test', entry)
    if (!file.endsWith('.test.ts') || file.includes('node_modules')) continue
    if (filters.length > 0 && !filters.some((filter) => file.includes(filter))) continue
    if (long && !HAS_LONG.test(readFileSync(join(root, file), 'utf8'))) continue
    const folder = dirname(file)
    folders.set(folder, [...(folders.get(folder) ?? []), join(root, file)])
  }
  return folders
}

const runAll = async (
  folders: (readonly [string, readonly string[]])[],
  options: Options,
): Promise<ReadonlyMap<string, Outcome>> => {
  const outcomes = new Map<string, Outcome>()
  const worker = async (): Promise<void> => {
    for (let next = folders.shift(); next !== undefined; next = folders.shift()) {
      const [folder, files] = next
      const outcome = await runFolder(files, options)
      outcomes.set(folder, outcome)
      print(folder, outcome, options.verbose)
    }
  }
  await Promise.all(Array.from({ length: options.processes }, worker))
  return outcomes
}

/** On a busy machine a test can be too slow for itself. What fails twice, the second time alone, has failed. */
const failedAgain = async (
  folders: readonly (readonly [string, readonly string[]])[],
  first: ReadonlyMap<string, Outcome>,
  options: Options,
): Promise<readonly Outcome[]> => {
  const outcomes = new Map(first)
  const unsteady: string[] = []
  for (const [folder, files] of folders) {
    const before = first.get(folder)
    if (before === undefined || before.failed === 0) continue
    console.log(`\nOnce more, alone: ${folder}`)
    const outcome = await runFolder(files, options)
    outcomes.set(folder, outcome)
    print(folder, outcome, options.verbose)
    unsteady.push(...before.failures.filter((line) => !outcome.failures.includes(line)))
  }
  if (unsteady.length > 0)
    console.log(`\nPassed only the second time:\n${unsteady.map((line) => `  ${line}`).join('\n')}`)
  return [...outcomes.values()]
}

const print = (folder: string, { passed, failed, skipped, output, ms }: Outcome, verbose: boolean): void => {
  const counts = [`${passed} passed`, failed > 0 ? `${failed} FAILED` : '', skipped > 0 ? `${skipped} skipped` : '']
  console.log(`${folder.padEnd(40)} ${counts.filter(Boolean).join(', ')}  (${(ms / 1000).toFixed(1)} s)`)
  if (failed > 0 || skipped > 0 || verbose) console.log(`${output.trimEnd()}\n`)
}

const printSlowest = (outcomes: readonly Outcome[], count: number): void => {
  const all = outcomes.flatMap(({ times }) => times).toSorted((a, b) => b.ms - a.ms)
  console.log('\nSlowest:')
  for (const { test, ms } of all.slice(0, count)) console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${test}`)
}

const running = new Set<ChildProcess>()

const runFolder = async (files: readonly string[], { timeoutMs }: Options): Promise<Outcome> => {
  const outcome: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], output: '', ms: 0, times: [] }
  const startedAt = performance.now()
  const child = start(files)
  let settled = false
  let current = `${relative(process.cwd(), files[0] ?? '')}: the start of the process`

  const fail = (line: string): void => {
    outcome.failed += 1
    outcome.failures.push(line)
  }
  let timer: NodeJS.Timeout | undefined
  const expectWithin = (ms: number, failure: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      fail(`${current}: ${failure}`)
      settled = true
      endGroup(child)
    }, ms)
  }
  const expectProgress = (): void => expectWithin(timeoutMs, `no end after ${timeoutMs / 1000} s; killed`)

  let currentAt = startedAt
  const heard = (report: Report): void => {
    const now = performance.now()
    outcome.times.push({ test: current, ms: now - currentAt })
    currentAt = now
    if (report.at === 'test') {
      current = `${report.file}: ${report.name}`
      expectProgress()
    } else if (report.at === 'suite') {
      outcome.passed += report.passed
      outcome.skipped += report.skipped
      for (const name of report.failed) fail(`${report.file}: ${name}`)
    } else if (report.at === 'silent') {
      fail(`${report.file}: no suite ran; it needs a .run() at its end`)
    } else {
      settled = true
      current = files.map((file) => relative(process.cwd(), file)).join(', ')
      expectWithin(LINGER_MS, 'something stays open after the last test; killed')
    }
  }
  expectProgress()
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => heard(JSON.parse(line) as Report)) // ours
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (outcome.output += chunk.toString()))

  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(timer)
  const exit = signal ?? `exit code ${code}`
  if (!settled) fail(`${current}: the process ended before its tests (${exit})`)
  else if (code !== 0 && outcome.failed === 0) fail(`${current}: thrown after the end of the tests (${exit})`)
  return { ...outcome, ms: performance.now() - startedAt }
}

const start = (files: readonly string[]): ChildProcess => {
  const inside = fileURLToPath(new URL('run-folder.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', inside, ...files], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined }, // what uvu prints is read, too
    detached: true, // its own process group: what a test started ends with it
  })
  running.add(child)
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
    for (const child of running) endGroup(child)
    process.exit(1)
  })

process.exitCode = await main()
