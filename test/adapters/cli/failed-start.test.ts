import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { inMemory } from '../../file-systems.ts'
import { world } from '../../core/world/world.ts'
import { forged } from '../../core/audit/forgery.ts'
import { exported, neighbour } from '../../core/audit/logs.ts'
import { folder, run, runProcess, serve, type Ended } from './run-cli.ts'

const it = suite('a start that fails')

const taken = createServer()
let port = ''
/** An export of a store with an organization. */
let log = ''
it.before(async () => {
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  port = String((taken.address() as AddressInfo).port) // it listens, and not on a pipe
  const cwd = folder()
  assert.is((await run(['init', '--store', 'sqlite:store.db', '--credentials', 'c.json'], { cwd })).code, 0)
  log = (await run(['export', '--store', 'sqlite:store.db'], { cwd })).stdout
})
it.after(() => void taken.close())

/** Everything in a folder, with what is in it. */
const everything = (cwd: string): readonly (readonly [name: string, text: string])[] =>
  readdirSync(cwd, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => [path, tryRead(path)])
/** More than a small disk takes. */
const longLog = async (): Promise<string> => {
  const made = await world()
  for (let i = 0; i < 400; i++) await neighbour(made)
  const text = await exported(made.storage.store, 1000)
  await made.close()
  return text
}
const tryRead = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return 'a folder'
  }
}
const prepared = (): string => {
  const cwd = folder()
  mkdirSync(join(cwd, 'there'))
  mkdirSync(join(cwd, 'taken.json.pending.tmp/kept'), { recursive: true }) // where `taken.json.pending` is written first
  writeFileSync(join(cwd, 'text'), 'text')
  writeFileSync(join(cwd, 'cut.jsonl'), log.slice(0, -100))
  writeFileSync(join(cwd, 'log.jsonl'), log)
  return cwd
}

/** A name that a file can have, but not the one beside it in which it is written first. */
const LONG = 'x'.repeat(245)

const failing: readonly (readonly [line: string, says: RegExp])[] = [
  ['serve --port TAKEN', /the port is in use/],
  ['serve --port TAKEN --init --credentials there/c.json', /the port is in use/],
  ['serve --port 0 --host 192.0.2.1', /does not have that address/],
  ['serve --port 0 --trusted-proxy nobody', /--trusted-proxy/],
  ['serve --port 0 --log-level loud', /--log-level/],
  ['serve --port 0 --init --credentials text', /text is not a credentials file/],
  ['serve --port 0 --init --credentials there', /it is a directory/],
  ['serve --port 0 --init --credentials text/c.json', /not a directory/],
  [`serve --port 0 --init --credentials new/${LONG}`, /cannot write new\/x+\.pending: /],
  [
    `serve --port 0 --init --credentials c.json --organization-name ${'x'.repeat(300)}`,
    /--organization-name: .* label/,
  ],
  ['init --credentials text', /text is not a credentials file/],
  [`init --credentials new/${LONG}`, /cannot write new\/x+\.pending: /],
  ['init --credentials taken.json', /cannot write taken\.json\.pending: /],
  ['import none.jsonl', /there is no such file/],
  ['import there', /it is a directory/],
  ['import text', /nothing can be imported/],
  ['import cut.jsonl', /nothing can be imported/],
]

/** Whether it fails after a store was opened, or may do so: then it matters more which folders were there. */
const isInside = (line: string): boolean => /new\/x|taken\.json/.test(line)

for (const [line, says] of failing) {
  it(`leaves nothing behind: ${line.replace(LONG, '…').replace(/x{300}/, '…')}`, async () => {
    const cwd = prepared()
    const before = everything(cwd)
    for (const store of isInside(line) ? ['store.db', 'a/b/store.db', 'there/a/b/store.db'] : ['there/a/b/store.db']) {
      const words = line.replace('TAKEN', port).split(' ')
      const { code, stdout, stderr } = await run([...words, '--store', `sqlite:${store}`], { cwd })
      assert.match(stderr, says)
      assert.equal([code, stdout], [2, ''])
      assert.equal(everything(cwd), before)
    }
  })
}

it('leaves what was there as it was, also a store with nothing in it', async () => {
  const cwd = prepared()
  await closed(await right(openSqliteStore({ path: join(cwd, 'empty.db'), onNotice: () => undefined })))
  writeFileSync(join(cwd, 'blank.db'), '')
  writeFileSync(join(cwd, 'foreign.db'), 'no database '.repeat(100))
  assert.is((await run(['init', '--store', 'sqlite:begun.db', '--credentials', 'c.json'], { cwd })).code, 0)
  const namesIn = (): readonly string[] => readdirSync(cwd).filter((name) => !/-(?:wal|shm)$/.test(name)) // SQLite's own
  const names = namesIn()
  const before = ['foreign.db', 'c.json', 'text', 'log.jsonl'].map((name) => tryRead(join(cwd, name)))
  for (const store of ['empty.db', 'blank.db', 'begun.db', 'foreign.db'])
    for (const line of [
      `serve --port 0 --init --credentials ${LONG}`,
      `init --credentials ${LONG}`,
      'import cut.jsonl',
    ]) {
      const { code } = await run([...line.split(' '), '--store', `sqlite:${store}`], { cwd })
      assert.ok(code === 1 || code === 2)
      assert.equal(namesIn(), names, `${store}: ${line}`)
    }
  assert.equal(
    ['foreign.db', 'c.json', 'text', 'log.jsonl'].map((name) => tryRead(join(cwd, name))),
    before,
  )
  const audited = await run(['audit', '--store', 'sqlite:begun.db'], { cwd })
  assert.match(audited.stdout, '2 events')
})

it('leaves what it made where that has something of value', async () => {
  const cwd = folder()
  mkdirSync(join(cwd, 'c.json.tmp/kept'), { recursive: true }) // so that the organization is begun, and its file cannot be written
  const flags = ['--store', 'sqlite:a/store.db', '--init', '--credentials', 'c.json']
  const failed = await run(['serve', '--port', '0', ...flags], { cwd })
  assert.match(failed.stderr, /countersign: cannot write c\.json: [^\n]+\n$/)
  assert.is(failed.code, 2)
  assert.match((await run(['audit', '--store', 'sqlite:a/store.db'], { cwd })).stdout, '2 events')
  rmdirSync(join(cwd, 'c.json.tmp/kept'))
  rmdirSync(join(cwd, 'c.json.tmp'))
  const server = await serve(flags, { cwd })
  assert.is((await run(['request', 'whoami', '--credentials', 'c.json'], { cwd })).code, 0)
  await server.stop()
})

it('leaves no half of a copy where the disk is full', async () => {
  const small = await inMemory(1)
  if (small === undefined) return console.log('   left out: no file system can be mounted here')
  try {
    const cwd = folder()
    const { path, through, shell } = small
    writeFileSync(join(cwd, 'log.jsonl'), await longLog())
    const { code, stderr } = await run(['import', 'log.jsonl', '--store', `sqlite:${path}/a/store.db`], {
      cwd,
      through,
    })
    assert.match(stderr, /countersign: the import stopped at line \d+: the disk of the store is full/)
    assert.is(code, 2)
    assert.is(shell(`ls ${path}`), '')
  } finally {
    small.remove()
  }
})

it('is not one that imports an export of nothing', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'empty.jsonl'), forged([]))
  const imported = await run(['import', 'empty.jsonl', '--store', 'sqlite:a/store.db'], { cwd })
  assert.equal([imported.code, imported.stderr], [0, ''])
  assert.match((await run(['replay', '--store', 'sqlite:a/store.db'], { cwd })).stdout, '"events": 0')
})

it('takes nothing from another start of the same moment', async () => {
  const cwd = folder()
  const flags = [
    '--store',
    'sqlite:a/b/store.db',
    '--init',
    '--credentials',
    'a/c.json',
    '--port',
    '0',
    '--log-level',
    'warn',
  ]
  const fails = (): Promise<Ended> => runProcess(['serve', ...flags, '--init', '--credentials', `a/${LONG}`], { cwd })
  const all = [fails(), fails(), serve(flags, { cwd }).catch(String), fails()] as const
  const server = await all[2]
  for (const one of await Promise.all([all[0], all[1], all[3]])) assert.is(one.code, 2)
  if (typeof server === 'string') {
    assert.match(server, /another process writes|cannot/) // one of the others was there first, for its moment
    return
  }
  const asked = await run(['request', 'whoami', '--credentials', 'a/c.json'], { cwd })
  assert.is(asked.code, 0)
  assert.is((await server.stop()).code, 0)
  const { stdout } = await run(['audit', '--store', 'sqlite:a/b/store.db'], { cwd })
  assert.match(stdout, '2 events')
})

it.run()
