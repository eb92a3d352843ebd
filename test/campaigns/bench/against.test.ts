import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../temporary-folder.ts'
import { measureAgainst } from './against.ts'
import { otherCommit } from './other-commit.ts'

const it = suite('the bench against another commit')

/** A repository with a bench that says a number which its build leaves in a file, and writes down each run. */
const repository = async () => {
  const { path, remove } = await temporaryFolder()
  const runs = join(path, 'runs')
  const root = join(path, 'repository')
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    })
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const commit = (speed: number): void => {
    write('speed', String(speed))
    git('add', '.')
    git('commit', '--quiet', '-m', `A speed of ${speed}`)
  }
  const build = `node -e "fs.mkdirSync('dist', { recursive: true }); fs.copyFileSync('speed', 'dist/speed')"`
  write('package.json', JSON.stringify({ name: 'measured', version: '1.0.0', type: 'module', scripts: { build } }))
  write('package-lock.json', lockFile('1.0.0'))
  write('.gitignore', 'node_modules\ndist\n')
  write('test/campaigns/bench/run.ts', benchProgram(runs))
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'), 'junction')
  git('init', '--quiet')
  return { root, git, write, commit, remove, runs: () => readFileSync(runs, 'utf8').trim().split('\n') }
}

const lockFile = (version: string): string =>
  JSON.stringify({ name: 'measured', version, lockfileVersion: 3, packages: { '': { name: 'measured', version } } })

const benchProgram = (runs: string): string => `
  import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
  const args: readonly string[] = process.argv.slice(2)
  const speed = readFileSync('dist/speed', 'utf8')
  appendFileSync(${JSON.stringify(runs)}, [speed, args[1], ...args.slice(6, -2)].join(' ') + '\\n')
  const table = { title: args[1], says: '', columns: ['what', 'per second'], rows: [['work', speed]] }
  writeFileSync(args.at(-1) ?? '', JSON.stringify({ tables: [table] }))`

const quiet = (): void => undefined

it('measures both in turns, section by section, each by its own bench on what its own build made', async () => {
  const { root, write, commit, git, runs, remove } = await repository()
  commit(100)
  commit(400)
  write('dist/speed', '300') // the working tree is built already, and need not be committed
  const options = { ref: 'HEAD~1', sections: ['requests', 'log'] as const, rounds: 2, sizes: ['--short'] }
  const { says, tables } = await measureAgainst(root, options, quiet)

  const turns = (section: string): string[] =>
    ['100', '300', '300', '100'].map((speed) => `${speed} ${section} --short`)
  assert.equal(runs(), [...turns('requests'), ...turns('log')])
  assert.equal(
    tables.map(({ title, rows }) => [title, rows]),
    ['requests', 'log'].map((section) => [section, [['work', '3.00']]]),
  )
  assert.match(says, `this working tree ÷ HEAD~1 (${git('rev-parse', 'HEAD~1').slice(0, 7)})`)
  assert.match(says, 'differ by at most 5 %')
  await remove()
})

it('leaves no worktree behind, and its own dependencies whole', async () => {
  const { root, commit, git, remove } = await repository()
  commit(1)
  const other = await otherCommit(root, 'HEAD', quiet)
  assert.ok(lstatSync(join(other.root, 'node_modules')).isSymbolicLink())
  await other.remove()
  assert.not(existsSync(other.root))
  assert.is(git('worktree', 'list').trim().split('\n').length, 1)
  assert.ok(readdirSync(join(root, 'node_modules')).includes('tsx'))
  await remove()
})

it('installs the dependencies of a commit with another lock file', async () => {
  const { root, commit, write, remove } = await repository()
  commit(1)
  write('package-lock.json', lockFile('2.0.0'))
  const other = await otherCommit(root, 'HEAD', quiet)
  assert.not(lstatSync(join(other.root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
  assert.ok(existsSync(join(other.root, 'dist', 'speed')))
  await other.remove()
  await remove()
})

it('never follows a link to dependencies that a commit has brought with it', async () => {
  const { root, commit, write, remove } = await repository()
  const theirs = join(dirname(root), 'theirs')
  mkdirSync(join(theirs, 'precious'), { recursive: true })
  rmSync(join(root, 'node_modules'))
  symlinkSync(theirs, join(root, 'node_modules'), 'junction')
  write('.gitignore', 'dist\n')
  commit(1)
  write('package-lock.json', lockFile('2.0.0'))
  await (await otherCommit(root, 'HEAD', quiet)).remove()
  assert.equal(readdirSync(theirs), ['precious'])
  await remove()
})

it('refuses a commit that is not there, and removes what does not build', async () => {
  const { root, commit, write, git, remove } = await repository()
  commit(1)
  await rejects(otherCommit(root, 'nowhere', quiet), 'nowhere')
  await rejects(otherCommit(root, '--help', quiet), 'exit code')
  write('package.json', '{ "scripts": { "build": "echo it does not compile; exit 1" } }')
  commit(2)
  await rejects(otherCommit(root, 'HEAD', quiet), 'it does not compile')
  assert.is(git('worktree', 'list').trim().split('\n').length, 1)
  await remove()
})

const rejects = async (work: Promise<unknown>, expected: string): Promise<void> => {
  const message = await work.then(
    () => 'it did not reject',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )
  assert.match(message, expected)
}

it.run()
