import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from './until.ts'

const it = suite('the test runner')

const passing = `
import { suite } from 'uvu'
const it = suite('passing')
it('holds', () => {})
it('holds, too', async () => {})
it.run()
`

it('counts what passes and exits with 0', async () => {
  const { code, last } = await run({ 'test/a/one.test.ts': passing, 'test/b/two.test.ts': passing })
  assert.equal(last, '4 passed, 0 failed')
  assert.is(code, 0)
})

it('names a file whose test fails, shows why, and exits with 1', async () => {
  const failing = passing.replace('() => {}', `() => { throw new Error('not so') }`)
  const { code, last, output } = await run({ 'test/a/one.test.ts': passing, 'test/b/two.test.ts': failing })
  assert.equal(last, '3 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, 'not so')
  assert.match(output, '  test/b/two.test.ts: holds\n')
})

it('kills a test that hangs, busy or waiting', async () => {
  const { code, last, output } = await run(hanging, '--timeout', '2')
  assert.equal(last, '0 passed, 2 failed')
  assert.is(code, 1)
  assert.is(output.match(/^ {2}test\/(a\/one|b\/two)\.test\.ts: .*: no end after 2 s; killed$/gm)?.length, 2)
})

it('says what runs when it is stopped', async () => {
  const runner = begin(hanging)
  await until(() => ['one', 'two'].every((name) => existsSync(join(runner.root, name))))
  runner.child.kill('SIGINT')
  const { code, output } = await runner.ended
  assert.is(code, 1)
  assert.match(output, 'Stopped at test/a/one.test.ts: spins\n')
  assert.match(output, 'Stopped at test/b/two.test.ts: waits\n')
})

it('tells a process whose exit hangs from one that waits for something', async () => {
  const stuck = `${passing}\nprocess.once('exit', () => { for (;;); })`
  const { code, last, output } = await run({ 'test/a/one.test.ts': stuck }, '--timeout', '2')
  assert.equal([code, last], [1, '2 passed, 1 failed'])
  assert.match(output, 'after test/a/one.test.ts: does not end, although its exit has begun; killed')
})

const hangs = (name: string, end: string): string => `
import { writeFileSync } from 'node:fs'
import { suite } from 'uvu'
const it = suite('hanging')
it('${name}', () => {
  ${end}
})
it.run()
`
const hanging = {
  'test/a/one.test.ts': hangs('spins', `writeFileSync('one', ''); for (;;);`),
  'test/b/two.test.ts': hangs(
    'waits',
    `writeFileSync('two', ''); return new Promise(() => setInterval(() => {}, 1000))`,
  ),
}

it('counts a test that waits for what nothing can bring as one that ends its process', async () => {
  const { last, output } = await run(
    {
      'test/a/one.test.ts': hangs('waits', `return new Promise(() => {})`),
      'test/b/two.test.ts': passing,
    },
    '--processes',
    '1',
  )
  assert.equal(last, '2 passed, 1 failed')
  assert.match(output, 'test/a/one.test.ts: waits: the process ended before its tests')
})

it('counts a throw after the end of the tests', async () => {
  const late = `${passing}\nprocess.on('beforeExit', () => { throw new Error('too late') })`
  const { code, last, output } = await run({ 'test/a/one.test.ts': late })
  assert.equal(last, '2 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, 'too late')
})

it('counts an unhandled rejection', async () => {
  const rejecting = passing.replace('() => {}', `() => { void Promise.reject(new Error('nobody listens')) }`)
  const { code, output } = await run({ 'test/a/one.test.ts': rejecting })
  assert.is(code, 1)
  assert.match(output, 'nobody listens')
})

it('counts a process that ends before its tests, even with code 0', async () => {
  const leaving = passing.replace('() => {}', '() => process.exit(0)')
  const { code, last, output } = await run({ 'test/a/one.test.ts': leaving })
  assert.equal(last, '0 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, 'test/a/one.test.ts: holds: the process ended before its tests')
})

it('counts the tests of a suite whose hook throws, which uvu keeps to itself', async () => {
  const hooked = passing.replace(`it('holds',`, `it.before(() => { throw new Error() })\nit('holds',`)
  const { code, last } = await run({ 'test/a/one.test.ts': hooked })
  assert.equal(last, '0 passed, 2 failed')
  assert.is(code, 1)
})

it('counts a test that throws what is not an Error', async () => {
  const throwing = passing.replace('async () => {}', `() => { throw 'a text' }`)
  const { code, last } = await run({ 'test/a/one.test.ts': throwing })
  assert.equal(last, '1 passed, 1 failed')
  assert.is(code, 1)
})

it('fails a file without .run()', async () => {
  const { code, last, output } = await run({
    'test/a/one.test.ts': passing.replace('it.run()', ''),
    'test/b/two.test.ts': passing,
  })
  assert.equal(last, '2 passed, 1 failed')
  assert.is(code, 1)
  assert.match(output, 'test/a/one.test.ts: no suite ran; it needs a .run() at its end')
})

it('fails a file that cannot be imported', async () => {
  const { code, last } = await run({ 'test/a/one.test.ts': `import './missing.ts'` })
  assert.equal(last, '0 passed, 1 failed')
  assert.is(code, 1)
})

it('runs what the filters name, and tells skipped tests', async () => {
  const skipping = passing.replace(`it('holds, too'`, `it.skip('holds, too'`)
  const { code, last } = await run({ 'test/a/one.test.ts': skipping, 'test/b/two.test.ts': passing }, 'a/on', 'nowhere')
  assert.equal(last, '1 passed, 0 failed, 1 skipped')
  assert.is(code, 0)
})

it('fails when no test ran', async () => {
  const { code, last } = await run({ 'test/a/one.test.ts': passing }, 'nowhere')
  assert.equal(last, '0 passed, 0 failed')
  assert.is(code, 1)
})

it('names the slowest tests and files where that is asked for', async () => {
  const { output, last } = await run({ 'test/a/one.test.ts': passing }, '--slowest', '9')
  const [, tests = '', files = ''] =
    /Slowest tests:\n([^]*?)\n\nFiles that use the processor most:\n([^]*?)\n\n/.exec(output) ?? []
  assert.match(tests, /^ +\d+\.\d s {2}test\/a\/one\.test\.ts: /m)
  assert.match(files, /^ +\d+\.\d s {2}test\/a\/one\.test\.ts$/m)
  assert.equal(last, '2 passed, 0 failed')
})

it('leaves out what takes long unless all tests are asked for', async () => {
  const files = {
    'test/a/one.test.ts': `import { long } from './long.ts'
${passing.replace(`it('holds, too'`, `long(it)('lasts'`)}`,
    'test/a/two.test.ts': passing,
    'test/a/long.ts': readFileSync('test/long.ts', 'utf8'),
  }
  assert.is((await run(files)).last, '3 passed, 0 failed, 1 skipped')
  assert.is((await run(files, '--all')).last, '4 passed, 0 failed')
})

it('runs the tests of a campaign when it has changed since they passed', async () => {
  const runner = begin(
    { 'test/campaigns/mutants/a.test.ts': passing, 'test/campaigns/proven.json': '{}' },
    ['--all'],
    'keep',
  )
  const rerun = async (...args: string[]): Promise<string> => (await begin({}, args, 'keep', runner.root).ended).last
  assert.is((await runner.ended).last, '2 passed, 0 failed')
  assert.is(await rerun('--all'), '0 passed, 0 failed')
  assert.is(await rerun('--all', '--harnesses'), '2 passed, 0 failed')
  assert.is(await rerun('mutants'), '2 passed, 0 failed')
  writeFileSync(join(runner.root, 'test/campaigns/mutants/operators.ts'), '')
  assert.is((await begin({}, ['--all'], 'remove', runner.root).ended).last, '2 passed, 0 failed')
})

it('goes on in another process after one that has died', async () => {
  const leaving = passing.replace('() => {}', '() => process.exit(0)')
  const { last } = await run({ 'test/a/one.test.ts': leaving, 'test/b/two.test.ts': passing }, '--processes', '1')
  assert.equal(last, '2 passed, 1 failed')
})

it('explains itself', async () => {
  const { code, output } = await run({}, '--help')
  assert.match(output, 'Usage: npm test')
  assert.is(code, 0)
})

type Ended = { readonly code: number | null; readonly last: string; readonly output: string }

const run = (files: Record<string, string>, ...args: string[]): Promise<Ended> => begin(files, args).ended

const begin = (
  files: Record<string, string>,
  args: readonly string[] = [],
  then: 'keep' | 'remove' = 'remove',
  root = mkdtempSync(join(tmpdir(), 'countersign-run-')),
) => {
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  if (!existsSync(join(root, 'node_modules'))) symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  // The runner's own option decides what runs, even inside of a run that has it.
  const env = { ...process.env, COUNTERSIGN_ALL: '1' }
  const child = spawn(process.execPath, ['--import', 'tsx', resolve('test/run.ts'), ...args], { cwd: root, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<Ended>((done) => {
    child.on('close', (code) => {
      if (then === 'remove') rmSync(root, { recursive: true, force: true })
      done({ code, output, last: output.trimEnd().split('\n').at(-1) ?? '' })
    })
  })
  return { root, child, ended }
}

it.run()
