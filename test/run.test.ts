import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

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

it('runs a folder in which something failed once more where that is asked for, and names what passed only then', async () => {
  const unsteady = `import { existsSync, writeFileSync } from 'node:fs'
${passing.replace('() => {}', `() => { if (existsSync('met')) return; writeFileSync('met', ''); throw new Error('busy') }`)}`
  const failing = passing.replace('() => {}', `() => { throw new Error('not so') }`)
  const files = { 'test/a/one.test.ts': unsteady, 'test/b/two.test.ts': passing }
  const steadied = await run(files, '--again')
  assert.equal([steadied.last, steadied.code], ['4 passed, 0 failed', 0])
  assert.match(steadied.output, 'Passed only the second time:\n  test/a/one.test.ts: holds\n')

  const failed = await run({ ...files, 'test/b/two.test.ts': failing }, '--again')
  assert.equal([failed.last, failed.code], ['3 passed, 1 failed', 1])
  assert.match(failed.output, 'Failed:\n  test/b/two.test.ts: holds\n')

  assert.is((await run(files)).last, '3 passed, 1 failed')
})

it('kills a test that hangs, busy or waiting, and names it', async () => {
  const busy = passing.replace(
    `'holds, too', async () => {}`,
    `'spins', () => { for (const end = Date.now() + 20_000; Date.now() < end; ); }`,
  )
  const waiting = passing.replace(`async () => {}`, `() => new Promise(() => setInterval(() => {}, 1000))`)
  const { code, last, output } = await run(
    { 'test/a/one.test.ts': busy, 'test/b/two.test.ts': waiting },
    '--timeout',
    '3',
  )
  assert.equal(last, '0 passed, 2 failed')
  assert.is(code, 1)
  assert.match(output, 'test/a/one.test.ts: spins: no end after 3 s; killed')
  assert.match(output, 'test/b/two.test.ts: holds, too: no end after 3 s; killed')
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

it('names the slowest tests where that is asked for, the slowest one first', async () => {
  const slow = passing.replace(`async () => {}`, `() => new Promise((resolve) => setTimeout(resolve, 1500))`)
  const { output, last } = await run({ 'test/a/one.test.ts': slow, 'test/b/two.test.ts': passing }, '--slowest', '1')
  assert.match(output, /Slowest:\n +\d+\.\d s {2}test\/a\/one\.test\.ts: holds, too\n\n/)
  assert.equal(last, '4 passed, 0 failed')
})

it('leaves out what takes long, and runs all of the files that have such tests where that is asked for', async () => {
  const lasting = `import { long } from './long.ts'
${passing.replace(`it('holds, too'`, `long(it)('lasts'`)}`
  const files = {
    'test/a/one.test.ts': lasting,
    'test/a/two.test.ts': passing,
    'test/a/long.ts': readFileSync('test/long.ts', 'utf8'),
  }
  assert.is((await run(files)).last, '3 passed, 0 failed, 1 skipped')
  assert.is((await run(files, '--long')).last, '2 passed, 0 failed')
})

it('explains itself', async () => {
  const { code, output } = await run({}, '--help')
  assert.match(output, 'Usage: npm test')
  assert.is(code, 0)
})

const run = (
  files: Record<string, string>,
  ...args: string[]
): Promise<{ code: number | null; last: string; output: string }> => {
  const root = mkdtempSync(join(tmpdir(), 'countersign-run-'))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return new Promise((done) => {
    // The runner's own option decides what runs, even inside of a run that has it.
    const env = { ...process.env, COUNTERSIGN_LONG: '1' }
    const child = spawn(process.execPath, ['--import', 'tsx', resolve('test/run.ts'), ...args], { cwd: root, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('close', (code) => {
      rmSync(root, { recursive: true, force: true })
      done({ code, output, last: output.trimEnd().split('\n').at(-1) ?? '' })
    })
  })
}

it.run()
