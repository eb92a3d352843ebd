import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folder, json, run, serve, type Ended, type Served } from './run-cli.ts'

const it = suite('export, import, replay and audit')

const cwd = folder()
const at = (name: string): string => join(cwd, name)
const cli = (line: string): Promise<Ended> => run(line.split(' '), { cwd })
const parsed = ({ stdout }: Ended): { readonly [member: string]: unknown } =>
  JSON.parse(stdout) as { readonly [member: string]: unknown }
let server: Served

it.before(async () => {
  server = await serve(['--store', 'sqlite:store.db', '--init', '--credentials', 'c.json'], { cwd })
  for (const name of ['one', 'two', 'three'])
    await run(['request', 'create_user_tag', `{"userTagName":"${name}","userIds":[]}`, '--credentials', 'c.json'], {
      cwd,
    })
})
it.after(async () => void (await server.stop()))

it('exports while a server runs, and what is imported exports to the same bytes', async () => {
  const [printed, written] = await Promise.all([
    cli('export --store sqlite:store.db'),
    cli('export --store sqlite:store.db --out log.jsonl'),
  ])
  assert.equal([printed.code, written.code, written.stdout], [0, 0, ''])
  assert.is(printed.stdout, readFileSync(at('log.jsonl'), 'utf8'))
  const said = /^Wrote 8 events of 1 organization, [\d.]+ kB, to (.*)\.\n$/
  assert.equal([said.exec(printed.stderr)?.[1], said.exec(written.stderr)?.[1]], ['standard output', 'log.jsonl'])
  assert.match(printed.stdout.trimEnd().split('\n').at(-1) ?? '', /^\{"export":1,"events":8,"parts":8,/)

  const imported = await cli('import log.jsonl --store sqlite:copy/store.db')
  assert.equal([imported.code, parsed(imported)['events']], [0, 8])
  const again = await cli('export --store sqlite:copy/store.db')
  assert.is(again.stdout, printed.stdout)

  const twice = await cli('import log.jsonl --store sqlite:copy/store.db')
  assert.match(twice.stderr, /^countersign: expected an empty store[^\n]*\n$/)
  assert.is(twice.code, 1)
})

it('says as JSON what it has written', async () => {
  const written = await cli('export --store sqlite:store.db --out said.jsonl --json')
  const { size } = statSync(at('said.jsonl'))
  assert.equal(parsed(written), { events: 8, organizations: 1, bytes: size, file: 'said.jsonl' })
  assert.equal([written.code, written.stderr], [0, ''])
  const mixed = await cli('export --store sqlite:store.db --json')
  assert.equal([mixed.code, mixed.stdout], [2, ''])
  assert.match(mixed.stderr, /^countersign: --json: expected --out FILE/)
})

it('does not import what is not whole', async () => {
  await cli('export --store sqlite:store.db --out whole.jsonl')
  const text = readFileSync(at('whole.jsonl'), 'utf8')
  writeFileSync(at('cut.jsonl'), text.slice(0, -200))
  const { code, stderr } = await cli('import cut.jsonl --store sqlite:none.db')
  assert.match(stderr, /^countersign: nothing can be imported: line \d+: [^\n]+\n$/)
  assert.is(code, 2)
  assert.not.ok(existsSync(at('none.db')))
})

it('audits a file and a running store, and names each finding', async () => {
  const { organizationId } = json(at('c.json'))
  const store = await cli('audit --store sqlite:store.db')
  assert.match(store.stdout, /: 8 events of 4 activities\n4 stamps, 4 decisions .* hold; 0 parts are erased\n/)
  assert.match(store.stdout, /\nholds in what the log itself says; .* compared with nothing from elsewhere\n$/)
  assert.equal([store.code, store.stderr], [0, ''])

  await cli('export --store sqlite:store.db --out audited.jsonl')
  const genesis = /begins with ([0-9a-f]{64})/.exec(store.stdout)?.[1] ?? ''
  const pinned = await cli(`audit audited.jsonl --pin ${String(organizationId)}=${genesis}`)
  assert.match(
    pinned.stdout,
    /compared with the pin[^]*\nholds in what the log itself says; 1 of 1 organizations was compared with a pin alone\n$/,
  )
  assert.is(pinned.code, 0)
  const mispinned = await cli(`audit audited.jsonl --pin ${String(organizationId)}=${'0'.repeat(64)}`)
  assert.match(mispinned.stdout, 'GENESIS_DIFFERS')
  assert.is(mispinned.code, 1)

  const unerased = await cli('audit audited.jsonl --erased-max 0')
  assert.is(unerased.code, 0)
  const misspelled = await cli('audit audited.jsonl --erased-max many')
  assert.match(misspelled.stderr, 'Expected a whole number')
  assert.is(misspelled.code, 2)

  writeFileSync(at('forged.jsonl'), readFileSync(at('audited.jsonl'), 'utf8').replaceAll('"three"', '"thief"'))
  const forged = await cli('audit forged.jsonl')
  assert.match(forged.stdout, new RegExp(`^line \\d+  ${String(organizationId)}  sequence 8  [A-Z_]+  .+$`, 'm'))
  assert.match(forged.stdout, /\d+ findings?\n$/)
  assert.equal([forged.code, forged.stderr], [1, ''])
  const report = parsed(await cli('audit forged.jsonl --json'))
  assert.ok(Array.isArray(report['findings']) && report['findings'].length > 0)
})

it('finds that the end of a log was taken away, when it is told of a head', async () => {
  const { organizationId } = json(at('c.json'))
  const whole = await cli('audit audited.jsonl')
  const [, hash = '', sequence = ''] = /ends with +([0-9a-f]{64}) at sequence (\d+)/.exec(whole.stdout) ?? []
  assert.is((await cli(`audit audited.jsonl --head ${String(organizationId)}=${sequence}:${hash}`)).code, 0)
  const later = await cli(`audit audited.jsonl --head ${String(organizationId)}=${Number(sequence) + 2}:${hash}`)
  assert.match(later.stdout, 'HEAD_DIFFERS')
  assert.is(later.code, 1)
  assert.is((await cli('audit audited.jsonl --head nonsense')).code, 2)
})

it('says how an audit is asked for', async () => {
  for (const line of [
    'audit',
    'audit a.jsonl --store sqlite:store.db',
    'audit a.jsonl --pin 7=8',
    'audit missing.jsonl',
    'audit . --json',
  ]) {
    const { code, stdout, stderr } = await cli(line)
    assert.equal([code, stdout], [2, ''], line)
    assert.match(stderr, /^countersign: [^\n]+\n$/, line)
  }
})

it('replays the store, an organization and an activity, up to any moment', async () => {
  const { organizationId } = json(at('c.json'))
  const whole = parsed(await cli('replay --store sqlite:store.db'))
  const counts = { events: 8, created: 4, completed: 4, failed: 0, rejected: 0, open: 0 }
  assert.equal(whole, { position: '8', events: 8, state: { organizations: [{ organizationId, ...counts }] } })

  const tags = async (moment: string): Promise<readonly string[]> => {
    const { state } = parsed(
      await cli(`replay --store sqlite:store.db --organization ${String(organizationId)}${moment}`),
    )
    const { states } = state as {
      readonly states: { readonly 'user-tags'?: readonly (readonly [string, { readonly tagName: string }])[] }
    }
    return (states['user-tags'] ?? []).map(([, { tagName }]) => tagName)
  }
  assert.equal(await tags(''), ['one', 'two', 'three'])
  assert.equal(await tags(' --at 4'), ['one'])
  assert.equal(await tags(' --at 5'), ['one'], 'requested, and not yet completed')
  assert.equal(await tags(' --at 2100-01-01T00:00:00Z'), ['one', 'two', 'three'])

  const created = readFileSync(at('log.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"ActivityCreated"'))
  const first = created[1] ?? ''
  const { activity, at: createdAt } = JSON.parse(first) as { readonly activity: string; readonly at: string }
  const replay = (moment: string): Promise<Ended> =>
    cli(`replay --store sqlite:store.db --activity ${activity}${moment}`)
  assert.match((await replay('')).stdout, '"status": "ACTIVITY_STATUS_COMPLETED"')
  assert.match((await replay(` --at ${createdAt}`)).stdout, '"status": "ACTIVITY_STATUS_COMPLETED"')
  const before = await replay(' --at 2000-01-01T00:00:00Z')
  assert.match(before.stderr, /^countersign: the store has no activity [^\n]+ at that moment\n$/)
  assert.is(before.code, 1)
})

it('leaves nothing behind where it cannot export', async () => {
  const { code, stderr } = await cli('export --store sqlite:store.db --out store.db/log.jsonl')
  assert.match(stderr, /^countersign: cannot write store\.db\/log\.jsonl: [^\n]+\n$/)
  assert.equal([code, existsSync(at('store.db/log.jsonl'))], [2, false])
})

it('replaces no file unless it is told to, and nothing that is no file', async () => {
  writeFileSync(at('kept.jsonl'), 'the only copy')
  const refused = await cli('export --store sqlite:store.db --out kept.jsonl')
  assert.match(refused.stderr, /^countersign: kept\.jsonl is there already: [^\n]*--force\n$/)
  assert.equal([refused.code, readFileSync(at('kept.jsonl'), 'utf8')], [2, 'the only copy'])
  assert.is((await cli('export --store sqlite:store.db --force --out kept.jsonl')).code, 0)
  assert.is(readFileSync(at('kept.jsonl'), 'utf8').slice(0, 16), '{"organization":')
  symlinkSync('store.db', at('link.db'))
  for (const own of ['store.db', './store.db-wal', 'link.db']) {
    const itself = await cli(`export --store sqlite:store.db --force --out ${own}`)
    assert.match(itself.stderr, /^countersign: \S+ belongs to the store itself\n$/)
    assert.is(itself.code, 2)
  }
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [at('pipe')])
  const special = await cli('export --store sqlite:store.db --force --out pipe')
  assert.match(special.stderr, /^countersign: cannot write pipe: it is no regular file\n$/)
  assert.equal([special.code, statSync(at('pipe')).isFIFO()], [2, true])
})

it.run()
