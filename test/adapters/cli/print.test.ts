import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { shellWord } from '../../../adapters/cli/shell.ts'
import { HOSTILE, seenOnly } from './hostile.ts'
import { folder, json, run, serve, type Ended, type RunOptions } from './run-cli.ts'

const it = suite('what the command prints')

/** A name that a file can have, on a line that seems to be another one. */
const FILE = `${HOSTILE}\ncountersign: everything holds`

const cwd = folder()
/** Runs the command. Whatever it prints, a terminal shows as it is. */
const cli = async (args: readonly string[], options: Partial<RunOptions> = {}): Promise<Ended> => {
  const ended = await run(args, { cwd, ...options })
  shown(ended)
  return ended
}
const shown = ({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): void => {
  assert.ok(seenOnly(stdout), JSON.stringify(stdout))
  assert.ok(seenOnly(stderr), JSON.stringify(stderr))
}

it.before(async () => {
  const name = 'Treasury \u202e(sdloh gnihtyreve)\u2066'
  const { code } = await cli([
    'init',
    '--store',
    'sqlite:store.db',
    '--credentials',
    'c.json',
    '--organization-name',
    name,
  ])
  assert.is(code, 0)
})

it('says each mistake in one line, whatever the names and values in it', async () => {
  writeFileSync(join(cwd, 'hostile.mjs'), `throw new Error(${JSON.stringify(`${HOSTILE} in a module`)})`)
  writeFileSync(join(cwd, FILE), '{}')
  const mistakes: readonly (readonly string[])[] = [
    [FILE],
    ['serve', `--${FILE}`],
    ['serve', '--log-level', FILE],
    ['serve', '--store', 'memory:', '--host', FILE],
    ['serve', '--store', 'memory:', '--init', '--credentials', FILE],
    ['init', '--store', `sqlite:${FILE}`, '--credentials', FILE],
    ['keygen', '--credentials', FILE],
    ['keygen', '--out', `store.db/${FILE}`],
    ['request', FILE, '--credentials', 'c.json'],
    ['request', 'whoami', '--credentials', `${FILE} that is not there`],
    ['request', 'whoami', '--credentials', 'c.json', '--url', `http://${FILE}`],
    ['request', 'whoami', '--credentials', 'c.json', '--url', FILE],
    ['export', '--store', `sqlite:there is no ${FILE}`],
    ['export', '--store', 'sqlite:store.db', '--out', `store.db/${FILE}`],
    ['import', FILE, '--store', 'sqlite:none.db'],
    ['replay', '--store', 'sqlite:store.db', '--at', FILE],
    ['replay', '--store', 'sqlite:store.db', '--organization', FILE],
    ['audit', `there is no ${FILE}`],
    ['audit', '--store', 'sqlite:store.db', '--operations', 'hostile.mjs'],
    ['audit', '--store', 'sqlite:store.db', '--operations', `./${FILE}`],
    ['audit', '--store', 'sqlite:store.db', '--pin', FILE],
  ]
  for (const args of mistakes) {
    const { code, stdout, stderr } = await cli(args)
    assert.match(stderr, /^countersign: [^\n]+\n$/, JSON.stringify(args))
    assert.equal([code, stdout], [2, ''], JSON.stringify(args))
  }
})

it('shows names out of a log as JSON that says the same', async () => {
  const { organizationId } = json(join(cwd, 'c.json'))
  const { stdout } = await cli(['replay', '--store', 'sqlite:store.db', '--organization', String(organizationId)])
  assert.match(stdout, '"Treasury \\u202e(sdloh gnihtyreve)\\u2066"')
  assert.match(JSON.stringify(JSON.parse(stdout)), 'Treasury \u202e(sdloh gnihtyreve)\u2066')
})

it('shows the findings of an audit, whatever the log calls things', async () => {
  await cli(['export', '--store', 'sqlite:store.db', '--out', 'log.jsonl'])
  const [created = '', part = '', completed = '', closing = ''] = readFileSync(join(cwd, 'log.jsonl'), 'utf8').split(
    '\n',
  )
  const named = JSON.stringify(FILE)
  const lines = [
    created.replace('"parts":{', `"parts":{${named}:"${'0'.repeat(64)}",`),
    part,
    completed.replace(/"type":"ACTIVITY[A-Z_]*"/, `"type":${named}`),
    created.replace(/"organization":"[^"]*"/, `"organization":${named}`),
    closing,
  ]
  writeFileSync(join(cwd, 'hostile.jsonl'), `${lines.join('\n')}\n`)
  const text = await cli(['audit', 'hostile.jsonl', '--erased-max', '0'])
  assert.match(text.stdout, 'the part \\u001b[2J\\u009b1A\\u202eeverything holds')
  assert.match(text.stdout, 'does not know the operation \\u001b[2J')
  assert.not.match(text.stdout, /^countersign|^everything holds/m)
  const report = await cli(['audit', 'hostile.jsonl', '--erased-max', '0', '--json'])
  assert.match(JSON.stringify(JSON.parse(report.stdout)), JSON.stringify(`the part ${FILE} was`).slice(1, -1))
  assert.equal([text.code, report.code], [1, 1])
})

it('shows what a server answers, also where that is no JSON', async () => {
  let answer = ''
  const server = createServer((_, response) => response.writeHead(502).end(answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens, and not on a pipe
  const asked = ['request', 'whoami', '--credentials', 'c.json', '--url', `http://127.0.0.1:${port}`]
  try {
    for (answer of [FILE, `<h1>\r\n${FILE}</h1>`, JSON.stringify({ message: FILE, [FILE]: 1 })]) {
      const { code, stdout, stderr } = await cli(asked)
      assert.is(code, 1)
      assert.match(stderr, /^As the holder of the key [^\n]+\ncountersign: the server refused whoami with 502[^\n]*\n$/)
      assert.not.match(stdout, /^countersign/m)
      const parsed: unknown = JSON.parse(stdout)
      assert.equal(parsed, answer.startsWith('{') ? JSON.parse(answer) : answer)
    }
  } finally {
    server.close()
  }
})

it('logs what a first start has done, whatever the names in it', async () => {
  const flags = ['--store', 'memory:', '--init', '--credentials', `${HOSTILE}.json`, '--log-level', 'info']
  const server = await serve(flags, { cwd })
  const ended = await server.stop()
  shown(ended)
  const logged = ended.stderr.trimEnd().split('\n')
  const messages = logged.map((line) => (JSON.parse(line) as { readonly msg: string }).msg) // so is each record
  assert.match(messages.join('\n'), `--credentials ${shellWord(`${HOSTILE}.json`)}`)
})

it('shows on a terminal what was done, and keeps an export away from it', async () => {
  const terminal = await inTerminal(['export', '--store', 'sqlite:store.db'])
  if (terminal === undefined) return console.log('   left out: there is no terminal here')
  assert.match(terminal.stdout, /^countersign: [^\n]*--out FILE[^\n]*\r\n$/)
  assert.is(terminal.code, 2)
  const written = await inTerminal(['export', '--store', 'sqlite:store.db', '--out', 'from-terminal.jsonl'])
  assert.is(written?.code, 0)
  assert.match(written?.stdout ?? '', /^Wrote 2 events of 1 organization, [\d.]+ kB, to from-terminal\.jsonl\.\r\n$/)
  const piped = await inTerminal(['export', '--store', 'sqlite:store.db', '|', 'tail', '-c', '20'])
  assert.match(piped?.stdout ?? '', /"\}\r\n$/)
})

it('ends without a word when its reader has gone', async () => {
  const through = ['sh', '-c', '"$@" | true', 'sh']
  assert.is((await run(['export', '--store', 'sqlite:store.db'], { cwd, through })).stderr, '')
})

/** Runs the command with a terminal for all of its streams, where there is `script` to make one. */
const inTerminal = async (words: readonly string[]): Promise<Ended | undefined> => {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/script')) return undefined
  const through = ['sh', '-c', `exec script -qec "$(printf '%s ' "$@")" /dev/null`, 'sh']
  return run(words, { cwd, through })
}

it.run()
