/**
 * The test runner: a few processes, each of which runs one file of `test/` after the other, the longest first. A test that hangs, kills its
 * process or throws after its end is counted and named. The last line is always `N passed, N failed`.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { isProven, remember } from './harnesses.ts'
import { runProcess, type Outcome, type Run, type Timed } from './run-process.ts'
import { isLater, LONGEST } from './tiers.ts'

const HELP = `Usage: npm test -- [filter ...] [--all] [--verbose]

Runs test/**/*.test.ts, the longest files first. Without a filter, it leaves out what test/tiers.ts names.

  filter       part of a path, such as core/policy or parser; several are alternatives
  --all        runs all tests, also of the files that it runs otherwise; tests of harnesses only if their harness has changed
  --harnesses  runs the tests of all harnesses, too, and with --all each test that kills servers: otherwise every second one, by the commit
  --processes  how many files run at a time; 3 if not given
  --timeout    after how many seconds a test counts as hanging, so that its process is killed; 600 if not given
  --slowest    how many of the slowest tests and files are named at the end, each with its time; none if not given
  --verbose    shows what files print that pass, too`

type Options = Run['options'] & {
  readonly filters: readonly string[]
  readonly all: boolean
  readonly harnesses: boolean
  readonly processes: number
  readonly slowest: number
  readonly verbose: boolean
}

/** One more than a small machine has cores: some tests wait for most of their time. */
const PROCESSES = 3

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      all: { type: 'boolean', default: false },
      harnesses: { type: 'boolean', default: false },
      timeout: { type: 'string', default: '600' },
      processes: { type: 'string', default: String(PROCESSES) },
      slowest: { type: 'string', default: '0' },
      verbose: { type: 'boolean', default: false },
    },
  })
  const options: Options = {
    ...values,
    filters: positionals,
    timeoutMs: Number(values.timeout) * 1000,
    processes: Number(values.processes),
    slowest: Number(values.slowest),
  }
  if (values.help || !(options.timeoutMs > 0) || !(options.slowest >= 0) || !(options.processes >= 1)) {
    console.log(HELP)
    return values.help ? 0 : 1
  }

  process.env['COUNTERSIGN_ALL'] = options.all ? '1' : '0' // see `long.ts`
  process.env['COUNTERSIGN_HARNESSES'] = options.harnesses ? '1' : '0'
  const record = mkdtempSync(join(tmpdir(), 'countersign-record-'))
  process.env['COUNTERSIGN_RECORD'] = record
  const files = testFiles(options)
  const run: Run = {
    options,
    files: [...files],
    outcomes: new Map(),
    failures: [],
    times: [],
    ended: tellOfFolders(files, options),
  }
  const work = async (): Promise<void> => {
    while (run.files.length > 0) await runProcess(run) // another one, where one has ended too early
  }
  await Promise.all(Array.from({ length: Math.min(options.processes, files.length) }, work))
  if (isAccounted(run)) run.failures.push(...(await account(record)))
  rmSync(record, { recursive: true })
  return sumUp(run, options)
}

const CONFORMANCE = 'test/system/conformance'

/** Whether the run saw all that the account of the public API tells of, on the store for which it tells it. */
const isAccounted = ({ outcomes, failures }: Run): boolean => {
  if (failures.length > 0 || process.env['COUNTERSIGN_TEST_STORE'] !== undefined || !existsSync(CONFORMANCE))
    return false
  const files = readdirSync(CONFORMANCE).filter((file) => file.endsWith('.test.ts'))
  return files.every((file) => outcomes.has(join(CONFORMANCE, file)))
}

/** Writes the account, if that is asked for; otherwise says where it is not true. */
const account = async (record: string): Promise<readonly string[]> => {
  const { faultsOfAccount, writeAccount } = await import('./system/conformance/account.ts')
  if (process.env['COUNTERSIGN_ACCOUNT'] !== 'write') return faultsOfAccount(record)
  writeAccount(record)
  return []
}

const sumUp = ({ outcomes, failures, times }: Run, options: Options): number => {
  if (options.slowest > 0) printSlowest(outcomes, times, options.slowest)
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join('\n')}`)
  const { passed, failed: failedTests, skipped } = sum([...outcomes.values()])
  const failed = Math.max(failedTests, failures.length) // what is found after the tests is no test
  if (passed + failed === 0) console.log('\nNo test ran.')
  if (options.all) remember([...outcomes].filter(([, outcome]) => outcome.failed === 0).map(([file]) => file))
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed === 0 && passed > 0 ? 0 : 1
}

const sum = (outcomes: readonly Outcome[]): Omit<Outcome, 'output'> => {
  const of = (value: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + value(one), 0)
  return {
    passed: of((o) => o.passed),
    failed: of((o) => o.failed),
    skipped: of((o) => o.skipped),
    ms: of((o) => o.ms),
    processorMs: of((o) => o.processorMs),
  }
}

const testFiles = ({ filters, all, harnesses }: Options): string[] => {
  const root = process.cwd()
  if (!existsSync(join(root, 'test'))) return []
  const isChosen = (file: string): boolean =>
    filters.length > 0
      ? filters.some((filter) => file.includes(filter))
      : (all || !isLater(file)) && (harnesses || !isProven(file))
  const place = (file: string): number => (LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length)
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((entry) => join('test', entry))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules') && isChosen(file))
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
}

/** @returns what prints a folder when the last of its files has ended */
const tellOfFolders = (files: readonly string[], options: Options): Run['ended'] => {
  const left = new Map<string, number>()
  const outcomes = new Map<string, Outcome[]>()
  for (const file of files) left.set(dirname(file), (left.get(dirname(file)) ?? 0) + 1)
  return (file, outcome) => {
    const folder = dirname(file)
    const ended = [...(outcomes.get(folder) ?? []), outcome]
    outcomes.set(folder, ended)
    if (ended.length === left.get(folder)) print(folder, ended, options)
  }
}

const print = (folder: string, outcomes: readonly Outcome[], { verbose }: Options): void => {
  const { passed, failed, skipped, ms } = sum(outcomes)
  const counts = [`${passed} passed`, failed > 0 ? `${failed} FAILED` : '', skipped > 0 ? `${skipped} skipped` : '']
  console.log(`${folder.padEnd(50)} ${counts.filter(Boolean).join(', ')}  (${(ms / 1000).toFixed(1)} s)`)
  for (const { failed: failures, skipped: leftOut, output } of outcomes) {
    const shown = failures > 0 || verbose ? output : leftOut > 0 ? output.replaceAll(UVU_SAYS, '') : ''
    if (shown.trim() !== '') console.log(`${shown.trimEnd()}\n`)
  }
}

/** The names of suites and the dots of tests that pass. The rest says what is left out, and why. */
const UVU_SAYS = /^ .*(\(\d+ \/ \d+\)|[•✘] ?)\n|^[• ]*\(\d+ \/ \d+\)\n/gm

const printSlowest = (outcomes: ReadonlyMap<string, Outcome>, times: readonly Timed[], count: number): void => {
  const files = [...outcomes].map(([what, { processorMs }]) => ({ what, ms: processorMs }))
  const print = (title: string, timed: readonly Timed[]): void => {
    console.log(`\n${title}:`)
    for (const { what, ms } of timed.toSorted((a, b) => b.ms - a.ms).slice(0, count))
      console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${what}`)
  }
  print('Slowest tests', times)
  print('Files that use the processor most', files)
}

process.exitCode = await main()
