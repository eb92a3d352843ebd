import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../run-files.ts'
import { mutated, type Mutant } from './operators.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** How tests took a mutant: the tests that found it, or that none did. */
export type Outcome = { readonly foundBy: string } | 'survived'

/** A copy of the project, in which mistakes are made one at a time. */
export type Sandbox = {
  /**
   * Makes a mistake, and runs tests until one fails: those of the file, then those of its folder, then `wide`. Takes it back.
   *
   * @throws where the text to be changed is not there
   */
  readonly outcomeOf: (
    mutant: Pick<Mutant, 'file' | 'start' | 'end' | 'put'>,
    wide: readonly string[],
  ) => Promise<Outcome>
  /** Runs tests without any mistake. @returns the first that failed */
  readonly firstFailure: (filters: readonly string[]) => Promise<string | undefined>
  readonly remove: () => void
}

export const sandbox = (): Sandbox => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mutants-'))
  for (const name of readdirSync(ROOT)) {
    if (name === 'node_modules') symlinkSync(join(ROOT, name), join(folder, name))
    else if (!name.startsWith('.')) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.test.ts'))
    .toSorted()

  return {
    outcomeOf: async (mutant, wide) => {
      const path = join(folder, mutant.file)
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, mutated(text, mutant))
      try {
        for (const stage of stagesOf(tests, mutant.file, wide)) {
          const foundBy = await firstFailureIn(folder, stage)
          if (foundBy !== undefined) return { foundBy }
        }
        return 'survived'
      } finally {
        writeFileSync(path, text)
      }
    },
    firstFailure: (filters) =>
      firstFailureIn(
        folder,
        tests.filter((test) => filters.some((filter) => test.includes(filter))),
      ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The tests to be run, those first that are the most likely to fail. */
const stagesOf = (tests: readonly string[], file: string, wide: readonly string[]): readonly (readonly string[])[] => {
  const own = `test/${file.replace(/\.ts$/, '.test.ts')}`
  const beside = tests.filter((test) => test.startsWith(`test/${dirname(file)}/`) && test !== own)
  const others = tests.filter(
    (test) => wide.some((filter) => test.includes(filter)) && test !== own && !beside.includes(test),
  )
  return [tests.filter((test) => test === own), beside, others].filter(({ length }) => length > 0)
}

/** A mistake can make a test wait for ever: one that takes longer counts as failed, which fails nothing here. */
const TEST_MS = 120_000
const FILES_MAX = 12

/** Runs test files in a few processes, one after the other. */
const firstFailureIn = async (folder: string, files: readonly string[]): Promise<string | undefined> => {
  for (let from = 0; from < files.length; from += FILES_MAX) {
    const failure = await failureOf(folder, files.slice(from, from + FILES_MAX))
    if (failure !== undefined) return failure
  }
  return undefined
}

const failureOf = async (folder: string, files: readonly string[]): Promise<string | undefined> => {
  const vectors = process.env['COUNTERSIGN_VECTORS'] ?? join(ROOT, '../shared/vectors')
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'test/run-files.ts', ...files.map((file) => join(folder, file))],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true, // so that what it starts can be ended with it
      env: { ...process.env, ...(existsSync(vectors) ? { COUNTERSIGN_VECTORS: vectors } : {}) },
    },
  )
  const ended = once(child, 'exit')
  let [current, failure, isEnded] = ['the start of the process', '', false]
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  const fail = (why: string): void => {
    failure ||= why
    kill()
  }
  let timer = setTimeout(() => undefined, 0)
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    clearTimeout(timer)
    timer = setTimeout(() => fail(`${current} hangs`), TEST_MS)
    const report = JSON.parse(line) as Report // run-files.ts writes it
    if (report.at === 'test') current = `${report.file}: ${report.name}`
    if (report.at === 'suite' && report.failed[0] !== undefined) fail(`${report.file}: ${report.failed[0]}`)
    isEnded ||= report.at === 'end'
    if (isEnded || failure !== '') break
  }
  clearTimeout(timer)
  kill()
  await ended
  return failure !== '' ? failure : isEnded ? undefined : `${current} ends the process`
}
