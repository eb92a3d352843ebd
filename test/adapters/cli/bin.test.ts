import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { BIN } from '../../package/built.ts'
import { program, root, serve, folder, run } from './run-cli.ts'

const it = suite('the bundle of the command line')

const bin = join(root, BIN)
const cwd = folder()

/** Where `dist/` is older than the sources, these run, and not the bundle. */
const itRuns = program.includes(bin) ? it : it.skip

/** An operation of a host that reads a state of the library, and has a codec of its own in its intent. */
const CENSUS = `
const { operation, resource } = library
const { fields, Label } = library.t
const countUsers = operation({
  type: 'ACTIVITY_TYPE_COUNT_USERS', path: 'count_users', summary: 'Counts the users.', resource: 'USER', action: 'READ',
  intent: fields({ census: t.type({ ofTheYear: t.literal('2026') }), name: Label }), result: fields({ count: t.number }), change: fields({}),
  execute: (intent, { organization }) => ({ result: { count: users.of(organization).size }, change: {} }),
  evolve: () => undefined,
})`
const MODULES = {
  'census.mjs': `import * as library from 'countersign'\nimport { users } from 'countersign/api'\nimport * as t from 'io-ts'${CENSUS}
export const census = resource({ name: 'census', operations: [countUsers] })`,
  'census.cjs': `const library = require('countersign')\nconst { users } = require('countersign/api')\nconst t = require('io-ts')${CENSUS}
exports.census = resource({ name: 'census', operations: [countUsers] })`,
}

it.before(() => {
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules/countersign'))
  symlinkSync(join(root, 'node_modules/io-ts'), join(cwd, 'node_modules/io-ts'))
  for (const [name, text] of Object.entries(MODULES)) writeFileSync(join(cwd, name), text)
})

for (const module of Object.keys(MODULES))
  itRuns(`gives a host's module the library that runs: ${module}`, async () => {
    const server = await serve(
      ['--store', 'memory:', '--init', '--credentials', `${module}.json`, '--resources', module],
      { cwd },
    )
    const body = JSON.stringify({
      type: 'ACTIVITY_TYPE_COUNT_USERS',
      parameters: { census: { ofTheYear: '2026' }, name: 'a' },
    })
    const counted = await run(['request', 'submit/count_users', body, '--credentials', `${module}.json`], { cwd })
    assert.match(counted.stdout, /"count": 1/)
    const described = await (await fetch(`${server.url}/openapi.json`)).text()
    assert.match(described, /"ofTheYear":\{"const":"2026"\}/)
    assert.is((await server.stop()).code, 0)
  })

itRuns('names source files in stack traces', () => {
  const throwing = `process.stdout.write = () => { process.stderr.write(new Error('of the stream').stack); process.exit(3) }`
  const hook = `data:text/javascript,${encodeURIComponent(throwing)}`
  let told = ''
  try {
    execFileSync(process.execPath, ['--import', hook, bin, '--help'], { stdio: 'pipe' })
  } catch (error) {
    told = String(error instanceof Error && 'stderr' in error ? error.stderr : error)
  }
  assert.match(told, /adapters\/cli\/print\.ts:\d+/)
  assert.match(told, /adapters\/cli\/command-line\.ts:\d+/)
})

itRuns('has the license of each package that is in it', () => {
  const licenses = readFileSync(join(root, 'dist/bin/licenses.txt'), 'utf8')
  for (const name of [
    'fp-ts',
    'io-ts',
    'commander',
    'pino',
    '@noble/curves',
    '@simplewebauthn/server',
    'preact',
    'htm',
  ])
    assert.match(licenses, new RegExp(`^${name} [\\d.]+ \\((MIT|Apache-2.0)\\)$`, 'm'))
})

it.run()
