import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { long } from '../../long.ts'
import { folder, run, serve, type Ended, type RunOptions } from './run-cli.ts'

const it = suite('the flags of all commands')

const cli = (line: string, cwd: string, options: Partial<RunOptions> = {}): Promise<Ended> =>
  run(line.split(' ').filter(Boolean), { cwd, ...options })

it('finds without a flag what serve has made without a flag', async () => {
  const cwd = folder()
  const server = await serve(['--init'], { cwd })
  assert.is((await cli('request whoami', cwd)).code, 0)
  assert.match((await cli('export', cwd)).stdout, /"export":1,"events":2,/)
  assert.match((await cli('replay', cwd)).stdout, '"created": 1')
  assert.match((await cli('audit', cwd)).stdout, ': 2 events of 1 activities')
  await server.stop()
})

it('says what to do where nothing has been made yet, and makes nothing', async () => {
  const cwd = folder()
  const begin = 'begin with countersign serve --init'
  for (const [line, says] of [
    ['request whoami', `there is no file data/credentials.json, which is the default: name another with --credentials`],
    ['export', 'there is no store data/countersign.db, which is the default: name another with --store'],
    ['replay', 'there is no store data/countersign.db, which is the default: name another with --store'],
    ['audit', 'expected a file, or --store; the default, data/countersign.db, is not there'],
  ] as const) {
    const { code, stdout, stderr } = await cli(line, cwd)
    assert.match(stderr, /^countersign: [^\n]+\n$/)
    assert.match(stderr, says)
    if (line !== 'audit') assert.match(stderr, begin)
    assert.equal([code, stdout], [2, ''], line)
  }
  assert.not.ok(existsSync(join(cwd, 'data')))
})

it('takes the store, the credentials and the name from the same variables everywhere', async () => {
  const cwd = folder()
  const env = {
    COUNTERSIGN_STORE: 'sqlite:other.db',
    COUNTERSIGN_ORGANIZATION_NAME: 'Treasury',
    COUNTERSIGN_CREDENTIALS: 'c.json',
  }
  assert.is((await cli('init --credentials c.json', cwd, { env })).code, 0)
  assert.match((await cli('export', cwd, { env })).stdout, '"export":1')
  assert.match((await cli('replay', cwd, { env })).stdout, '"created": 1')
  await cli('export --out log.jsonl', cwd, { env })
  const server = await serve(['--init', '--credentials', 'c.json'], { cwd, env })
  assert.match((await cli('request whoami', cwd, { env })).stdout, '"Treasury"')
  await server.stop()
  const imported = { ...env, COUNTERSIGN_STORE: 'sqlite:copy.db' }
  assert.is((await cli('import log.jsonl', cwd, { env: imported })).code, 0)
  assert.match((await cli('audit', cwd, { env: imported })).stdout, ': 2 events of 1 activities')
  assert.ok(!existsSync(join(cwd, 'data')))
})

it('audits the file that is named, whatever the variable says, and never a file and a store', async () => {
  const cwd = folder()
  await cli('init --store sqlite:a.db --credentials c.json', cwd)
  await cli('export --store sqlite:a.db --out log.jsonl', cwd)
  const env = { COUNTERSIGN_STORE: 'sqlite:none.db' }
  assert.is((await cli('audit log.jsonl', cwd, { env })).code, 0)
  const both = await cli('audit log.jsonl --store sqlite:a.db', cwd)
  assert.equal([both.code, both.stderr], [2, 'countersign: expected a file, or --store, not both\n'])
})

long(it)('knows -h and -V after every command', async () => {
  const cwd = folder()
  const help = await cli('-h', cwd)
  assert.equal([help.code, help.stdout], [0, (await cli('--help', cwd)).stdout])
  const version = await cli('-V', cwd)
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  for (const [, command = ''] of help.stdout.matchAll(/^ {2}([a-z]+) .*$/gm)) {
    if (command === 'help') continue
    const [short, long, said] = await Promise.all(['-h', '--help', '-V'].map((flag) => cli(`${command} ${flag}`, cwd)))
    assert.equal([short?.code, short?.stdout], [0, long?.stdout], command)
    assert.equal([said?.code, said?.stdout, said?.stderr], [0, version.stdout, ''], command)
  }
})

it.run()
