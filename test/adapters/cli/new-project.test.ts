import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folder, json, root, run, runProcess } from './run-cli.ts'

const it = suite('new')

const cwd = folder()
const project = join(cwd, 'my expenses/2026')

/** What a shell prints there, with the package linked as npm would link it. */
const shell = (line: string): string => execFileSync('sh', ['-euc', line], { cwd: project, encoding: 'utf8', env })

const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^COUNTERSIGN_|^NODE_TEST/.test(name))),
  COUNTERSIGN_PORT: '0',
  COUNTERSIGN_LOG_LEVEL: 'warn',
}

const contents = (path: string): readonly (readonly [name: string, text: string])[] =>
  readdirSync(path)
    .toSorted()
    .map((name) => [name, readFileSync(join(path, name), 'utf8')])

it('writes a project that depends on the package that wrote it, and says what comes next', async () => {
  const { code, stdout, stderr } = await run(['new', 'my expenses/2026'], { cwd })
  assert.equal([code, stdout], [0, ''])
  assert.match(stderr, "\n  cd 'my expenses/2026' && npm install && npm test && npm start\n")
  assert.equal(
    contents(project).map(([name]) => name),
    ['.gitignore', 'README.md', 'package.json', 'transfers.js', 'transfers.test.js'],
  )
  const { name, dependencies } = json(join(project, 'package.json')) as { name: string; dependencies: object }
  assert.is(name, '2026')
  const [dependency = ''] = Object.values(dependencies) as string[]
  assert.is(join(project, dependency.replace(/^file:/, '')), join(root, '.'))
})

it('writes into no folder that has files', async () => {
  const before = contents(project)
  const { code, stderr } = await run(['new', 'my expenses/2026'], { cwd })
  assert.equal([code, stderr], [2, 'countersign: my expenses/2026 is not empty: name a new folder\n'])
  assert.equal(contents(project), before)
})

for (const [what, words] of [
  ['the one that it runs in', ['.']],
  ['one behind a link', ['../link']],
  ['one that is named from the root', [join(cwd, 'empty')]],
] as const)
  it(`writes into a folder that is empty: ${what}`, async () => {
    const empty = join(cwd, 'empty')
    mkdirSync(empty)
    assert.is((await run(['new', ...words], { cwd: empty })).code, 0)
    assert.equal(contents(empty).length, contents(project).length)
    rmSync(empty, { recursive: true })
  })

it.before(() => {
  writeFileSync(join(cwd, 'file'), 'kept')
  symlinkSync('nowhere', join(cwd, 'dangling'))
  symlinkSync('empty', join(cwd, 'link'))
  mkdirSync(join(cwd, 'above/below'), { recursive: true })
})

for (const [name, says] of [
  ['My-Expenses', /My-Expenses: the folder names a package, so its name has to be of small letters/],
  ["it's", /it's: the folder names/],
  ['two words', /two words: the folder names/],
  ['.hidden', /\.hidden: the folder names/],
  ['a'.repeat(215), /a: the folder names/],
  ['/', /\/: the folder names/],
  ['node_modules', /node_modules: the folder names/],
  ['deep/countersign', /deep\/countersign: the folder names/],
  ['above/below/..', /above\/below\/\.\. is not empty/],
  ['file', /cannot write file: a part of the path is not a directory/],
  ['file/under', /cannot write file\/under: a part of the path is not a directory/],
  ['dangling', /cannot write dangling: there is no such file or directory/],
] as const)
  it(`writes nothing there, and says why: ${name.slice(0, 20)}`, async () => {
    const before = readdirSync(cwd, { recursive: true }).length
    const { code, stdout, stderr } = await run(['new', name], { cwd })
    assert.match(stderr, says)
    assert.match(stderr, /^countersign: [^\n]+\n$/)
    assert.equal([code, stdout, readdirSync(cwd, { recursive: true }).length], [2, '', before])
    assert.is(readFileSync(join(cwd, 'file'), 'utf8'), 'kept')
  })

it('leaves nothing if it cannot write all files', async () => {
  const limited = ['sh', '-c', 'ulimit -f 1 && trap "" XFSZ && exec "$@"', 'sh']
  const { code, stderr } = await runProcess(['new', 'deep/cut'], { cwd, through: limited })
  assert.match(stderr, /^countersign: cannot write deep\/cut: [^\n]+\n$/)
  assert.equal([code, existsSync(join(cwd, 'deep'))], [2, false])
})

it('makes what npm installs, whose test passes, and whose server answers the first request of its README', async () => {
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  symlinkSync(root, join(project, 'node_modules/countersign'))
  symlinkSync('../countersign/dist/bin/countersign.js', join(project, 'node_modules/.bin/countersign'))
  assert.match(shell('npm test'), /^# pass 2$/m)

  const readme = readFileSync(join(project, 'README.md'), 'utf8')
  const [, commands = ''] = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) => code)
  const server = spawn('npm', ['start'], { cwd: project, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    for await (const chunk of server.stdout) if (String(chunk).includes('listening on')) break
    assert.match(
      shell(commands),
      /"ACTIVITY_STATUS_COMPLETED"[^]*"leftCents": 99600[^]*^holds in what the log itself says/m,
    )
  } finally {
    process.kill(-(server.pid ?? 0), 'SIGTERM') // npm and the server
    await once(server, 'exit')
  }
  assert.equal(shell('git init -q && git add . && git ls-files').trim().split('\n').length, 5)
})

it.run()
