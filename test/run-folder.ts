/**
 * The inside of one test process: imports the test files that its arguments name, lets uvu run them, and tells the
 * runner on file descriptor 3 what happened, a JSON line at a time. Started by `run.ts`.
 */
import { writeSync } from 'node:fs'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What a test process says. A process that ends without `end` has died, whatever its exit code. */
export type Report =
  | { readonly at: 'test'; readonly file: string; readonly name: string }
  | {
      readonly at: 'suite'
      readonly file: string
      readonly passed: number
      readonly skipped: number
      /** The names of the tests that failed; the text of a hook's failure where uvu does not know a name. */
      readonly failed: readonly string[]
    }
  | { readonly at: 'silent'; readonly file: string }
  | { readonly at: 'end' }

type Suite = () => Promise<readonly [errors: string | true, passed: number, skipped: number, total: number]>

// What uvu's own runner and its suites use between them (see uvu/run): a queue of suites per file.
const uvu = globalThis as typeof globalThis & {
  UVU_DEFER?: number
  UVU_INDEX?: number
  UVU_QUEUE?: (Suite | string)[][]
}

const main = async (paths: readonly string[]): Promise<void> => {
  const queue: (Suite | string)[][] = []
  uvu.UVU_QUEUE = queue
  uvu.UVU_DEFER = 1
  nameTests()
  const { exec } = await import('uvu')

  for (const path of paths) {
    file = relative(process.cwd(), path)
    report({ at: 'test', file, name: 'the import of the file' })
    const suites: (Suite | string)[] = [file]
    uvu.UVU_INDEX = queue.push(suites) - 1
    await import(pathToFileURL(path).href)
    if (suites.length === 1) report({ at: 'silent', file })
    for (const [index, suite] of suites.entries()) if (typeof suite === 'function') suites[index] = counted(file, suite)
  }
  await exec()
  report({ at: 'end' })
}

let file = ''

// Synchronous: the name of a test must be out before a test that never returns.
const report = (message: Report): void => {
  writeSync(3, `${JSON.stringify(message)}\n`)
}

// uvu writes the name of the running test into the suite's state, which only the suite sees, but which inherits from
// Object.prototype: a setter there is the one way to learn which test hangs.
const nameTests = (): void => {
  // oxlint-disable-next-line no-extend-native
  Object.defineProperty(Object.prototype, '__test__', {
    get: () => undefined,
    set: (name: string) =>
      report({ at: 'test', file, name: name === '' ? 'a hook, or what is outside of tests' : name }),
  })
}

const counted =
  (of: string, suite: Suite): Suite =>
  async () => {
    file = of
    const result = await suite()
    const [errors, passed, skipped, total] = result
    const failed = [...String(errors).matchAll(/^ *FAIL .*?"(.*)"$/gm)].map((match) => match[1] ?? '')
    // uvu swallows what a hook throws, and what a test throws that is not an Error: no report names such a test, but it
    // is missing among those that passed. So what has not passed has failed.
    while (passed + failed.length < total) failed.push('a hook threw, or a test threw what is not an Error')
    report({ at: 'suite', file, passed, skipped, failed })
    return result
  }

await main(process.argv.slice(2))
