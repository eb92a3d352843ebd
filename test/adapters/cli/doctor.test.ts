import { chmodSync, readdirSync, utimesSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkNode, spaceOf } from '../../../adapters/cli/doctor-checks.ts'
import { long } from '../../long.ts'
import { folder, run, serve, type Ended } from './run-cli.ts'

const it = suite('doctor')

const cwd = folder()
const FLAGS = ['--store', 'sqlite:data/store.db', '--credentials', 'data/c.json']
const doctor = (...args: readonly string[]): Promise<Ended> => run(['doctor', ...FLAGS, ...args], { cwd })

type Report = {
  readonly isWell: boolean
  readonly checks: readonly { readonly check: string; readonly state: string; readonly advice?: string }[]
}
const report = async (...args: readonly string[]): Promise<Report> =>
  JSON.parse((await doctor('--json', ...args)).stdout) as Report // what --json prints
const wrongIn = ({ checks }: Report): readonly string[] =>
  checks.filter(({ state }) => state === 'wrong').map(({ check }) => check)

it.before(async () => {
  await run(['init', '--store', 'sqlite:data/store.db', '--credentials', 'data/c.json'], { cwd })
})

it('finds nothing wrong with what serve has made, also while it runs', async () => {
  const free = await doctor('--port', '0')
  assert.match(free.stdout, /^ok {7}Node {9}Node [^\n]+\nok {7}store {8}data\/store\.db can be read and written/)
  assert.match(free.stdout, /^ok {7}port {9}port 0 of 127\.0\.0\.1 is free\nleft out [^\n]+: give --full\n$/m)
  assert.equal([free.code, free.stderr], [0, ''])
  const server = await serve(['--store', 'sqlite:data/store.db', '--init', '--credentials', 'data/c.json'], { cwd })
  const busy = await doctor('--port', new URL(server.url).port)
  await server.stop()
  assert.match(busy.stdout, 'Countersign answers at port')
  assert.is(busy.code, 0)
})

it('says what to do about files that others may read, a clock that is behind, and a port of somebody else', async () => {
  if (process.platform === 'win32') return
  const other = createServer((_, response) => response.writeHead(418).end('teapot'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo // it listens, and not on a pipe
  chmodSync(join(cwd, 'data/store.db'), 0o644)
  chmodSync(join(cwd, 'data/c.json'), 0o604)
  const later = new Date(Date.now() + 36_000_000)
  utimesSync(join(cwd, 'data/store.db'), later, later)
  const { stdout, code } = await doctor('--port', String(port))
  other.close()
  assert.match(
    stdout,
    /^wrong {4}store {8}others than the owner have rights on data\/store\.db\n {22}chmod go= 'data\/store\.db'$/m,
  )
  assert.match(stdout, /^ {22}chmod go= 'data\/c\.json'$/m)
  assert.match(stdout, /^wrong {4}clock .*, \d+ h behind what the store has already\n {22}set the clock/m)
  assert.match(
    stdout,
    /^wrong {4}port .*the port is in use, by another HTTP server \(status 418\)\n {22}choose another/m,
  )
  assert.is(code, 1)
})

it('says what is missing, and makes nothing', async () => {
  const nothing = folder()
  const { stdout, code } = await run(['doctor', '--json', '--port', '0'], { cwd: nothing })
  const found = JSON.parse(stdout) as Report
  assert.equal(wrongIn(found), ['store'])
  assert.is(found.checks.find(({ check }) => check === 'credentials')?.state, 'warning') // nobody has named them
  assert.equal(readdirSync(nothing), [])
  assert.is(code, 1)
  assert.is((await report('--port', '0')).isWell, false) // the files of the test before
})

long(it)('tries the contract in files beside the store, which it removes', async () => {
  const trial = folder()
  await run(['init', '--store', 'sqlite:data/store.db', '--credentials', 'data/c.json'], { cwd: trial })
  const before = readdirSync(join(trial, 'data')).toSorted()
  const args = ['doctor', '--full', '--store', 'sqlite:data/store.db', '--credentials', 'data/c.json', '--port', '0']
  const { stdout, code, stderr } = await run(args, { cwd: trial })
  assert.match(stdout, /^ok {7}contract {5}1\d\d promises of the contract kept, \d+ not meant for this store$/m)
  assert.not.match(stdout, 'left out')
  assert.equal([code, stderr], [0, ''])
  assert.equal(readdirSync(join(trial, 'data')).toSorted(), before)
})

it('prints each check when it is done, before those that take long', async () => {
  const trial = folder()
  await run(['init', '--store', 'sqlite:data/store.db', '--credentials', 'data/c.json'], { cwd: trial })
  const env = { COUNTERSIGN_CRASH_AT: 'before-append' } // in the scratch store
  const { signal, stdout } = await run(['doctor', '--full', ...FLAGS, '--port', '0'], { cwd: trial, env })
  assert.is(signal, 'SIGKILL')
  assert.match(stdout, /^ok {7}Node [^]*\nok {7}port {9}port 0 of 127\.0\.0\.1 is free\n$/)
})

it('refuses what it cannot examine, in one line', async () => {
  for (const [args, line] of [
    [['--store', 'memory:'], 'a store in memory is gone with its process'],
    [['--store', 'nothing:hunter2'], 'unknown scheme'],
    [['--store', 'sqlite:data/store.db', '--ddl'], 'only a PostgreSQL store'],
  ] as const) {
    const { stdout, stderr, code } = await run(['doctor', ...args], { cwd })
    assert.match(stderr, new RegExp(`^countersign: [^\n]*${line}[^\n]*\n$`))
    assert.equal([stdout, code], ['', 2])
    assert.not.match(stderr, 'hunter2')
  }
})

it('asks for a new enough Node, and for room', () => {
  const states = (versions: readonly string[]) => versions.map((version) => checkNode(version).state)
  assert.equal(states(['18.20.0', '20.18.9', '20.19.0', '24.0.0']), ['wrong', 'wrong', 'ok', 'ok'])
  assert.equal(
    [0, 99e6, 999e6, 1e12].map((free) => spaceOf(free).state),
    ['wrong', 'wrong', 'warning', 'ok'],
  )
})

it.run()
