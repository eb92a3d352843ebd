import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { erased, leaver } from './leaver.ts'
import { rootClient } from './root-client.ts'
import { folder, run, runProcess, serve, type Ended } from './run-cli.ts'

const it = suite('scrub')

const cwd = folder()
const at = (name: string): string => join(cwd, name)
const read = (name: string): string => readFileSync(at(name), 'utf8')
const cli = (line: string): Promise<Ended> => run(line.split(' '), { cwd })
const scrub = (line: string): Promise<Ended> => cli(`scrub ${line} --store sqlite:store.db`)

it.before(async () => {
  const server = await serve(['--store', 'sqlite:store.db', '--init', '--credentials', 'root.json', '--erasure'], {
    cwd,
  })
  const root = await rootClient(at('root.json'))
  const { userId } = await leaver(root, 'Mallory Meier')
  await cli('export --store sqlite:store.db --out old.jsonl')
  await erased(root, userId, 'NAMING')
  await cli('export --store sqlite:store.db --out new.jsonl')
  await server.stop()
})

it('writes an export again without what was erased: the beginning of a new export, which audits', async () => {
  assert.match(read('old.jsonl'), /"part":"personal:/)
  const line = 'scrub old.jsonl --out scrubbed.jsonl --store sqlite:store.db'
  const { code, stdout, stderr } = await runProcess(line.split(' '), { cwd })
  assert.equal([code, stdout], [0, ''])
  assert.match(
    stderr,
    /^Wrote 6 events without 2 parts that the store has erased since, [\d.]+ kB, to scrubbed\.jsonl\.\n$/,
  )
  const [scrubbed, fresh] = [read('scrubbed.jsonl').trimEnd().split('\n'), read('new.jsonl').trimEnd().split('\n')]
  assert.equal(scrubbed.slice(0, -1), fresh.slice(0, scrubbed.length - 1))
  assert.match(scrubbed.at(-1) ?? '', /^\{"export":1,"events":6,/)
  assert.is(statSync(at('scrubbed.jsonl')).mode & 0o777, 0o600)
  assert.is((await cli('import scrubbed.jsonl --store sqlite:copy.db')).code, 0)
  assert.is((await cli('export --store sqlite:copy.db')).stdout, read('scrubbed.jsonl'))
})

it('writes the same bytes as the export of now if no event came since', async () => {
  const { code, stdout } = await scrub('new.jsonl --out again.jsonl --json')
  const { size } = statSync(at('again.jsonl'))
  assert.is(read('again.jsonl'), read('new.jsonl'))
  assert.is(code, 0)
  const { events, parts, erased, ...more } = JSON.parse(stdout) as { readonly [name: string]: unknown }
  assert.equal([events, erased, more], [9, 0, { bytes: size, file: 'again.jsonl' }])
  assert.is(typeof parts, 'number')
})

it('replaces a file only if it is told to, also the export itself', async () => {
  writeFileSync(at('mine.jsonl'), read('old.jsonl'))
  const refused = await scrub('mine.jsonl --out mine.jsonl')
  assert.match(refused.stderr, /^countersign: mine\.jsonl is there already: /)
  assert.equal([refused.code, read('mine.jsonl')], [2, read('old.jsonl')])
  assert.is((await scrub('mine.jsonl --out mine.jsonl --force')).code, 0)
  assert.is(read('mine.jsonl'), read('scrubbed.jsonl'))
  const own = await scrub('old.jsonl --out store.db --force')
  assert.equal([own.code, own.stderr], [2, 'countersign: store.db belongs to the store itself\n'])
})

it('refuses what is not of the store, or damaged, and leaves nothing behind', async () => {
  await cli('init --store sqlite:other.db --credentials other.json')
  await cli('export --store sqlite:other.db --out other.jsonl')
  writeFileSync(at('cut.jsonl'), read('old.jsonl').slice(0, -120))
  writeFileSync(at('count.jsonl'), read('old.jsonl').replace('"events":6', '"events":7'))
  for (const [file, code, says] of [
    [
      'other.jsonl',
      1,
      /^countersign: the export is not one of this store: line 1: the store has another event there, sequence 1 of [0-9a-f-]+\n$/,
    ],
    ['cut.jsonl', 2, /^countersign: the export is damaged: line \d+: [^\n]+\n$/],
    ['count.jsonl', 2, /^countersign: the export is damaged: line \d+: there are 6 events and \d+ parts [^\n]+\n$/],
    ['none.jsonl', 2, /^countersign: cannot read none\.jsonl: there is no such file or directory\n$/],
  ] as const) {
    const ended = await scrub(`${file} --out never.jsonl`)
    assert.match(ended.stderr, says)
    assert.equal([ended.code, ended.stdout], [code, ''], file)
  }
  assert.not.ok(existsSync(at('never.jsonl')))
  assert.equal(
    readdirSync(cwd).filter((name) => name.endsWith('.tmp')),
    [],
  )
})

it('needs a file to write, and a store that is there', async () => {
  const [noOut, noStore] = [await scrub('old.jsonl'), await cli('scrub old.jsonl --out never.jsonl')]
  assert.match(noOut.stderr, /required option '--out <file>'/)
  assert.match(noStore.stderr, /^countersign: there is no store data\/countersign\.db, which is the default: /)
  assert.equal([noOut.code, noStore.code], [2, 2])
})

it('says when replaying that parts are erased', async () => {
  const { state } = JSON.parse((await cli('replay --store sqlite:store.db')).stdout) as {
    readonly state: { readonly organizations: readonly { readonly organizationId: string }[] }
  }
  const organization = state.organizations[0]?.organizationId ?? ''
  const replayed = await cli(`replay --store sqlite:store.db --organization ${organization}`)
  const { erased } = JSON.parse(replayed.stdout) as { readonly erased: readonly { readonly name: string }[] }
  assert.equal(
    erased.map(({ name }) => name.split(':')[0]),
    ['personal'],
  )
  const before = await cli(`replay --store sqlite:store.db --organization ${organization} --at 2`)
  assert.not.match(before.stdout, '"erased"')
})

it.run()
