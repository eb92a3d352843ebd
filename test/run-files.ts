/**
 * The inside of a test process: imports one test file after the other, runs its suites, and tells the runner on file descriptor 3 what
 * happened, a JSON line at a time. The files are its arguments; without any, it asks for each and reads its path on descriptor 4.
 * Started by `run.ts`.
 */
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { existsSync, readFileSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { relative } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** What a test process says. A process that ends without `end` has died, whatever its exit code. */
export type Report =
  | { readonly at: 'next' }
  | { readonly at: 'test'; readonly file: string; readonly name: string }
  | {
      readonly at: 'suite'
      readonly file: string
      readonly passed: number
      readonly skipped: number
      /** The names of the tests that failed; the text of a hook's failure where uvu does not know a name. */
      readonly failed: readonly string[]
      /** What uvu says about them. */
      readonly errors: string
    }
  | { readonly at: 'silent'; readonly file: string }
  /** The processor's time is that of the process, and of its children that have ended. */
  | { readonly at: 'done'; readonly file: string; readonly processorMs: number }
  /** All files have ended. The process stays as long as these resources of Node are open; of sockets, it also says who has the other end. */
  | { readonly at: 'end'; readonly open: readonly string[] }
  /** The process begins with what tests do at its exit. */
  | { readonly at: 'exit' }

type Suite = () => Promise<readonly [errors: string | true, passed: number, skipped: number, total: number]>

// What uvu's own runner and its suites use between them (see uvu/run): a queue of suites.
const uvu = globalThis as typeof globalThis & { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: Suite[][] }

let file = ''

// Synchronous: the name of a test must be out before a test that never returns.
const report = (message: Report): void => {
  writeSync(3, `${JSON.stringify(message)}\n`)
}

const main = async (paths: readonly string[]): Promise<void> => {
  uvu.UVU_DEFER = 1
  nameTests()
  for await (const path of paths.length > 0 ? paths : asked()) await runFile(path)
  process.prependOnceListener('exit', () => report({ at: 'exit' })) // before what tests do there
  report({ at: 'end', open: [...process.getActiveResourcesInfo(), ...[...sockets].map(endsOf)] })
}

/** The sockets that are open. */
const sockets = new Set<Socket>()
for (const channel of ['net.client.socket', 'net.server.socket'])
  subscribe(channel, (message) => {
    const { socket } = message as { readonly socket: Socket } // as Node says
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

const endsOf = ({ localPort = 0, remoteAddress = '', remotePort = 0 }: Socket): string =>
  `socket ${localPort} to ${remoteAddress}:${remotePort}`

const runFile = async (path: string): Promise<void> => {
  file = relative(process.cwd(), path)
  process.env['COUNTERSIGN_TEST_FILE'] = file
  report({ at: 'test', file, name: 'the import of the file' })
  const before = processorMs()
  const suites: Suite[] = []
  uvu.UVU_QUEUE = [suites]
  uvu.UVU_INDEX = 0
  await import(pathToFileURL(path).href)
  if (suites.length === 0) report({ at: 'silent', file })
  for (const suite of suites) {
    const [errors, passed, skipped, total] = await suite()
    const failed = [...String(errors).matchAll(/^ *FAIL .*?"(.*)"$/gm)].map((match) => match[1] ?? '')
    // uvu swallows what a hook throws, and what a test throws that is not an Error: no report names such a test, but it
    // is missing among those that passed. So what has not passed has failed.
    while (passed + failed.length < total) failed.push('a hook threw, or a test threw what is not an Error')
    report({ at: 'suite', file, passed, skipped, failed, errors: errors === true ? '' : errors })
  }
  report({ at: 'done', file, processorMs: processorMs() - before })
}

const processorMs = (): number => {
  if (!existsSync('/proc/self/stat')) return process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * 10 // a tick is a hundredth of a second
}

/** The paths that the runner sends. While a test runs, the connection must not keep a process alive that waits for nothing. */
async function* asked(): AsyncGenerator<string> {
  const runner = new Socket({ fd: 4 })
  const lines = createInterface({ input: runner })
  const ended = once(lines, 'close')
  for (;;) {
    runner.ref()
    const line = once(lines, 'line')
    report({ at: 'next' })
    const next = await Promise.race([line, ended])
    if (next[0] === undefined) return
    runner.unref()
    yield String(next[0])
  }
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

// What tests do at the exit is done then. It is a signal that no test of a command sends, and the runner has counted the failure.
process.once('SIGUSR2', () => process.exit(0))

await main(process.argv.slice(2))
