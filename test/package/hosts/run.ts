/**
 * Runs the programs of docs/how-to/mount.md for Next, Bun and Deno on the real ones from npm: `npm run check:hosts`. They are large, so they
 * are no dependencies: this program installs them into a folder of its own. What cannot be installed is skipped, and said.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as assert from 'uvu/assert'
import {
  addressesIn,
  asksAll,
  asksTooLate,
  beginIn,
  running,
  writeFiles,
  type Change,
} from '../../system/docs/mounted-host.ts'

const HELP = `Usage: npm run check:hosts -- [host ...] [--folder <path>]

Installs Next, Bun and Deno from npm (some 600 MB), and runs the programs of docs/how-to/mount.md on them.

  host       next, bun or deno; all if not given
  --folder   where to install, and to find what was installed there before; default: a folder that is removed afterwards`

type Host = {
  readonly name: string
  readonly packages: readonly string[]
  /** The files of the page that are run. */
  readonly files: readonly string[]
  /** Has the program begin the organization, if it does not use the store that `engine.ts` opens. */
  readonly begins?: Change
  /** Has the program read bodies before. */
  readonly tooLate: Change
  readonly own: { readonly path: string; readonly says: string }
  /** Files of the host, and what has to be run before it starts. */
  readonly prepare?: (folder: string) => void
  /** Whether the log then has the address of the caller. */
  readonly tellsAddress?: boolean
  readonly command: string
  readonly args: readonly string[]
}

const READ = 'await request.text()'
const BEGIN = `const begin = JSON.parse(Deno.readTextFileSync('begin.json'))
await engine.createOrganization({ ...begin, body: Uint8Array.from(begin.body), address: null })
`
const ROUTE = 'app/countersign/[[...path]]/route.ts'

const hosts: readonly Host[] = [
  {
    name: 'bun',
    packages: ['bun@1.4.5'],
    files: ['engine.ts', 'bun.js'],
    tooLate: { of: 'bun.js', from: '    return (', to: `    ${READ}\n    return (` },
    own: { path: '/orders', says: '/orders' },
    tellsAddress: true,
    command: 'node_modules/.bin/bun',
    args: ['bun.js'],
  },
  {
    name: 'deno',
    packages: ['deno@2.9.6'],
    files: ['deno.js'],
    // It keeps nothing on disk, so it begins the organization itself.
    begins: { of: 'deno.js', from: 'Deno.serve(', to: `${BEGIN}Deno.serve(` },
    tooLate: { of: 'deno.js', from: '  return (', to: `  ${READ}\n  return (` },
    own: { path: '/orders', says: '/orders' },
    command: 'node_modules/.bin/deno',
    args: ['run', '--allow-all', '--no-check', 'deno.js'],
  },
  {
    name: 'next',
    packages: ['next@16.4.6', 'react@19', 'react-dom@19', 'typescript@5', '@types/react@19', '@types/node@20'],
    files: ['engine.ts', 'next.config.ts', ROUTE],
    tooLate: { of: ROUTE, from: '  return (await handler', to: `  ${READ}\n  return (await handler` },
    own: { path: '/orders', says: '{"ordered":{"a":1}}' },
    prepare: (folder) => {
      mkdirSync(join(folder, 'app/orders'), { recursive: true })
      writeFileSync(join(folder, 'app/orders/route.ts'), ORDERS)
      run(folder, 'node_modules/.bin/next', ['build'])
    },
    command: 'node_modules/.bin/next',
    args: ['start'],
  },
]

const ORDERS = 'export const POST = async (request: Request) => Response.json({ ordered: await request.json() })\n'

const run = (cwd: string, command: string, args: readonly string[]): string => {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

const main = async (): Promise<number> => {
  const options = { help: { type: 'boolean', short: 'h' }, folder: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const unknown = positionals.filter((name) => !hosts.some((host) => host.name === name))
  if (values.help === true || unknown.length > 0) {
    console.log(HELP)
    return values.help === true ? 0 : 1
  }
  const folder =
    values.folder === undefined ? mkdtempSync(join(tmpdir(), 'countersign-hosts-')) : resolve(values.folder)
  try {
    if (!isInstalled(folder)) return 0
    const failed: string[] = []
    for (const host of hosts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
      if (!(await passes(folder, host))) failed.push(host.name)
    }
    if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`)
    return failed.length === 0 ? 0 : 1
  } finally {
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Installs the package as a host would. False if npm cannot install here. */
const isInstalled = (folder: string): boolean => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "host", "private": true, "type": "module" }')
  const packed = run(process.cwd(), 'npm', [
    'pack',
    '--silent',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ]).trim()
  try {
    run(folder, 'npm', [...INSTALL, `./${packed}`])
  } catch {
    console.log('SKIPPED, all hosts: npm cannot install here. Where it can reach a registry: npm run check:hosts')
    return false
  }
  return true
}

const INSTALL = ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline']

const passes = async (folder: string, host: Host): Promise<boolean> => {
  const { name, packages, files, tooLate, own, prepare, command, args } = host
  const begins = host.begins === undefined ? [] : [host.begins]
  try {
    if (!existsSync(join(folder, command))) run(folder, 'npm', [...INSTALL, ...packages])
    run(folder, command, ['--version'])
  } catch {
    console.log(
      `${name}: SKIPPED, because npm cannot install ${packages.join(' ')} here. Where it can: npm run check:hosts -- ${name}. ` +
        'Or install it into a folder yourself, and name that folder: npm run check:hosts -- --folder PATH',
    )
    return true
  }
  try {
    const program = { command: join(folder, command), args, folder }
    const startedAt = performance.now()
    const owner = await beginIn(folder)
    writeFiles(folder, files, begins)
    prepare?.(folder)
    await running(program, ({ url }) => asksAll(url, owner, own))
    if (host.tellsAddress === true) assert.equal(addressesIn(folder), ['127.0.0.1'])
    writeFiles(folder, files, [...begins, tooLate])
    prepare?.(folder)
    await running(program, (running) => asksTooLate(running, owner))
    console.log(`${name}: passed (${((performance.now() - startedAt) / 1000).toFixed(0)} s)`)
    return true
  } catch (error) {
    console.log(`${name}: FAILED`, error)
    return false
  } finally {
    for (const file of files) rmSync(join(folder, file), { force: true }) // Next checks all files of its folder
  }
}

process.exitCode = await main()
