import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { folder, run, serve, type Ended } from './run-cli.ts'

const it = suite('files that the command makes')

/** Without a umask, everything is made with all rights that it asks for. */
const through = ['sh', '-c', 'umask 0 && exec "$@"', 'sh']
const modes = (cwd: string): readonly (readonly [name: string, mode: string])[] =>
  readdirSync(cwd, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => [name, (statSync(join(cwd, name)).mode & 0o777).toString(8)])
/** Whether nothing in the folder can be used by others, and its folders not at all. */
const arePrivate = (cwd: string): void => {
  for (const [name, mode] of modes(cwd)) assert.is(mode, statSync(join(cwd, name)).isDirectory() ? '700' : '600', name)
}

it('are for their owner alone, with the folders that are made for them, whatever the umask', async () => {
  if (process.platform === 'win32') return
  const cwd = folder()
  const cli = async (line: string): Promise<void> => {
    const { code, stderr } = await run(line.split(' '), { cwd, through })
    assert.is(code, 0, stderr)
    arePrivate(cwd)
  }
  const flags = ['--store', 'sqlite:a/b/store.db', '--init', '--credentials', 'c/d/root.json']
  const server = await serve(flags, { cwd, through })
  arePrivate(cwd)
  await cli('request whoami --credentials c/d/root.json')
  await cli('export --store sqlite:a/b/store.db --out e/f/log.jsonl')
  await server.stop()
  arePrivate(cwd)
  for (const beside of ['-wal', '-shm']) rmSync(join(cwd, `a/b/store.db${beside}`), { force: true })
  const again = await serve(flags, { cwd, through })
  await cli('audit --store sqlite:a/b/store.db')
  await again.stop('SIGKILL')
  await cli('audit --store sqlite:a/b/store.db')
  await cli('import e/f/log.jsonl --store sqlite:g/h/store.db')
  await cli('init --store sqlite:i/j/store.db --credentials k/l/root.json')
  await cli('keygen --out m/n/key.json')
  const made = modes(cwd).map(([name]) => name)
  for (const name of ['a/b/store.db.lock', 'c/d/root.json', 'e/f/log.jsonl', 'g/h/store.db', 'k/l', 'm/n/key.json'])
    assert.ok(made.includes(name), name)
})

it('are named at the start where others have rights on them, and stay as they are', async () => {
  if (process.platform === 'win32') return
  const cwd = folder()
  mkdirSync(join(cwd, 'data'))
  chmodSync(join(cwd, 'data'), 0o755)
  const warning = /others than the owner have rights on \/\S+\/data \(mode 755\), \/\S+\/data\/store\.db \(mode 644\)/
  const names = ({ stderr }: Ended): void => assert.match(stderr, warning)
  await closed(await right(openSqliteStore({ path: join(cwd, 'data/store.db'), onNotice: () => undefined })))
  chmodSync(join(cwd, 'data/store.db'), 0o644)

  const options = ['--store', 'sqlite:data/store.db', '--credentials', 'c.json']
  const began = await run(['init', ...options], { cwd })
  assert.is(began.code, 0)
  names(began)
  const server = await serve(['--store', 'sqlite:data/store.db', '--init', '--credentials', 'c.json'], { cwd })
  const served = await server.stop()
  names(served)
  for (const line of served.stderr.trimEnd().split('\n'))
    assert.is((JSON.parse(line) as { readonly level: number }).level, 40)
  await run(['export', '--store', 'sqlite:data/store.db', '--out', 'log.jsonl'], { cwd })
  rmSync(join(cwd, 'data/store.db'))
  for (const beside of ['-wal', '-shm']) rmSync(join(cwd, `data/store.db${beside}`), { force: true })
  const imported = await run(['import', 'log.jsonl', '--store', 'sqlite:data/store.db'], { cwd })
  assert.equal([imported.code, existsSync(join(cwd, 'data/store.db'))], [0, true])
  assert.match(
    imported.stderr,
    /^countersign: others than the owner have rights on \S+\/data \(mode 755\), where [^\n]*\n$/,
  )
  assert.is(statSync(join(cwd, 'data')).mode & 0o777, 0o755)
})

it.run()
