import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reading } from '../../../adapters/audit/reading.ts'
import { Stop, stopOf } from '../../../adapters/cli/stop.ts'
import { transcriptFile } from '../../../adapters/cli/transcript-file.ts'
import { failure } from '../../../core/failure.ts'
import { world } from '../../core/world/world.ts'
import { exported, neighbour, trio } from '../../core/audit/logs.ts'
import { folder, run, type Ended } from './run-cli.ts'

const it = suite('reading that breaks off')

const cwd = folder()
const at = (name: string): string => join(cwd, name)
const cli = (line: string): Promise<Ended> => run(line.split(' '), { cwd })
/** It says nothing about the log: there is no report, and no finding. */
const saysNothing = ({ code, stdout, stderr }: Ended, says: RegExp): void => {
  assert.match(stderr, says)
  assert.match(stderr, /^countersign: [^\n]+\n$/)
  assert.equal([code, stdout], [2, ''])
}
/** What the command says where these chunks break off. */
const stopOfReading = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const { entries, broken } = reading(chunks)
  for await (const batch of entries) assert.ok(batch.length > 0)
  const error = broken()?.error
  return error instanceof Stop && error.exitCode === 2 ? error.message : ''
}
/** They wait for approvals, with 160 KB each. */
const longPolicies = (n: number) =>
  Array.from({ length: 8 }, (_, i) => ({
    policyName: `${n} ${i}`,
    effect: 'EFFECT_ALLOW',
    condition: 'false',
    consensus: 'true',
    notes: 'x'.repeat(16_000),
  }))
const commands = ['audit', 'audit --json', 'import --store sqlite:new.db']
const isWindows = process.platform === 'win32'

it.before(async () => {
  const made = await world()
  for (let i = 0; i < 100; i++) await neighbour(made)
  writeFileSync(at('log.jsonl'), await exported(made.storage.store, 1000))
  await made.close()
  assert.is((await cli('import log.jsonl --store sqlite:store.db')).code, 0)
})

it('is no finding where a file cannot be read at all', async () => {
  mkdirSync(at('directory'))
  for (const command of commands)
    saysNothing(await cli(`${command} directory`), /cannot read directory: it is a directory\n$/)
  if (process.platform !== 'linux') return
  for (const command of commands)
    saysNothing(await cli(`${command} /proc/self/mem`), /cannot read \/proc\/self\/mem: the device does not read/)
})

it('is no finding where it fails only when it begins: a socket, which nobody can open as a file', async () => {
  if (isWindows) return
  const server = createServer().listen(at('socket'))
  for (const command of commands.slice(0, 2)) saysNothing(await cli(`${command} socket`), /cannot read socket: /)
  server.close()
})

it('is no finding where it had begun: a directory has taken the place of the file', async () => {
  writeFileSync(at('replaced'), readFileSync(at('log.jsonl')))
  const { chunks } = await transcriptFile(at('replaced'))
  rmSync(at('replaced'))
  mkdirSync(at('replaced'))
  assert.match(await stopOfReading(chunks(() => undefined)), /^cannot read \S+replaced: it is a directory$/)
})

it('is no finding where it had begun: the file became shorter', async () => {
  const log = readFileSync(at('log.jsonl'))
  writeFileSync(at('long'), Buffer.concat(Array.from({ length: Math.ceil(4e6 / log.length) }, () => log)))
  const { chunks } = await transcriptFile(at('long'))
  const shortened = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks(() => undefined)) {
      truncateSync(at('long'), 1000)
      yield chunk
    }
  }
  assert.match(await stopOfReading(shortened()), /^cannot read \S+long: it became shorter while it was read$/)
})

it('is a finding where all was read, and no closing line is there: somebody has cut the file', async () => {
  writeFileSync(at('cut.jsonl'), readFileSync(at('log.jsonl')).subarray(0, -100))
  const { code, stdout, stderr } = await cli('audit cut.jsonl')
  assert.match(stdout, /^line \d+  CLOSING_MISSING /m)
  assert.equal([code, stderr], [1, ''])
})

it('is no finding where there is no room for temporary files, which an audit of large requests needs', async () => {
  const made = await trio()
  for (let n = 0; n < 36; n += 1) await made.done(made.root, 'create_policies', { policies: longPolicies(n) })
  writeFileSync(at('large.jsonl'), await exported(made.storage.store, 1))
  await made.close()
  const audit = (to: string): Promise<Ended> => run(['audit', 'large.jsonl'], { cwd, env: { TMPDIR: at(to) } })
  mkdirSync(at('room'))
  const whole = await audit('room')
  assert.equal([whole.code, whole.stderr, readdirSync(at('room'))], [0, '', []])
  saysNothing(
    await audit('nowhere'),
    /cannot keep temporary files in \S+nowhere: there is no such file or directory\n$/,
  )
})

it('is no finding where a store ends too early, or holds something else in its middle', async () => {
  const bytes = readFileSync(at('store.db'))
  const middle = Math.floor(bytes.length / 8192) * 4096
  const spoilt = Buffer.from(bytes)
  spoilt.fill(0xff, middle, middle + 20 * 4096)
  for (const [name, content] of [
    ['cut.db', bytes.subarray(0, middle)],
    ['spoilt.db', spoilt],
  ] as const) {
    writeFileSync(at(name), content)
    for (const command of ['audit', 'audit --json', 'replay', 'export'])
      saysNothing(
        { ...(await cli(`${command} --store sqlite:${name}`)), stdout: '' },
        /the store file is damaged|the disk of the/,
      )
    assert.is((await cli(`audit --store sqlite:${name}`)).stdout, '')
  }
})

it('is no finding where the store fails as nobody has foreseen', () =>
  assert.is(stopOf(failure('INTERNAL', 'the store failed in an unexpected way')).exitCode, 2))

it('is none where a pipe brings a whole log, which is read once', async () => {
  if (isWindows) return
  const through = ['bash', '-c', 'exec "$@" <(cat log.jsonl)', 'bash']
  const whole = await run(['audit'], { cwd, through })
  assert.equal([whole.code, whole.stderr], [0, ''])
  // A reader sees no difference between a writer that died and one that had no more to say.
  const cut = await run(['audit'], {
    cwd,
    through: [...through.slice(0, 2), 'exec "$@" <(head -c 5000 log.jsonl; kill -9 $BASHPID)', 'bash'],
  })
  assert.match(cut.stdout, 'CLOSING_MISSING')
  assert.is(cut.code, 1)
  execFileSync('mkfifo', [at('pipe')])
  saysNothing(await cli('import pipe --store sqlite:new.db'), /pipe can be read only once/)
  assert.not.ok(existsSync(at('new.db')))
  assert.ok(statSync(at('pipe')).isFIFO())
})

it.run()
