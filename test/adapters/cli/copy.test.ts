import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { GROUP_EVENTS } from '../../../core/log/transcript-groups.ts'
import { folder, run, type Ended } from './run-cli.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite('copying a store')

const cwd = folder()
const GOLDEN = join(import.meta.dirname, '../../system/golden/log.jsonl')
const cli = (line: string): Promise<Ended> => run(line.split(' '), { cwd })
let exported = ''

it.before(async () => {
  assert.is((await run(['import', GOLDEN, '--store', 'sqlite:store.db'], { cwd })).code, 0)
  exported = (await cli('export --store sqlite:store.db')).stdout
})

it('gives a store that exports the same bytes, and says so', async () => {
  const { code, stdout } = await cli('copy sqlite:store.db sqlite:there/copy.db')
  assert.is(code, 0)
  const [, sha256 = ''] = /Copied [\d,]+ events with [\d,]+ parts\. .* SHA-256 ([0-9a-f]{64})\.\n$/.exec(stdout) ?? []
  assert.ok(exported.endsWith(`"sha256":"${sha256}"}\n`))
  assert.is((await cli('export --store sqlite:there/copy.db')).stdout, exported)

  const again = await cli('copy sqlite:store.db sqlite:there/copy.db')
  assert.is(again.code, 0)
  assert.ok(again.stdout.startsWith('Both stores are equal: '))
  assert.ok(again.stdout.endsWith(`had been copied before. Exports of both stores have the SHA-256 ${sha256}.\n`))
  assert.is((await cli('export --store sqlite:there/copy.db')).stdout, exported)
})

it('is finished by the same command after it was killed', async () => {
  const events = Number(/"events":([0-9]+)/.exec(exported.slice(-300))?.[1])
  for (const [point, found] of [
    ['within-group', 0],
    ['before-append', 0],
    ['after-append', Math.min(events, GROUP_EVENTS)], // the first group
  ] as const) {
    const copy = `copy sqlite:store.db sqlite:${point}.db --json`
    const killed = await run(copy.split(' '), { cwd, env: { COUNTERSIGN_CRASH_AT: point } })
    assert.is(killed.signal, 'SIGKILL')
    const finished = await cli(copy)
    assert.equal([finished.code, (JSON.parse(finished.stdout) as { readonly found: number }).found], [0, found])
    assert.is((await cli(`export --store sqlite:${point}.db`)).stdout, exported)
  }
})

it('takes sealed rows along, says how many, and stops at one that is another there', async () => {
  const withRows = async (name: string, byte: number): Promise<void> => {
    const storage = await right(openSqliteStore({ path: join(cwd, name) }))
    const sealed = sealedOf(storage)
    const row = { organization: 'acme', id: 'a', kind: 'wallet', dataKey: 'wrapped', bytes: Uint8Array.of(byte) }
    await right(sealed.put(row))
    await right(sealed.delete({ organization: 'acme', id: 'b' }))
    await closed(storage)
  }
  assert.is((await cli('copy sqlite:store.db sqlite:rows.db')).code, 0)
  await withRows('rows.db', 1)
  const { code, stdout } = await cli('copy sqlite:rows.db sqlite:rows-copied.db')
  assert.is(code, 0)
  assert.match(stdout, /^Copied [\d,]+ events with [\d,]+ parts and 1 sealed row\. Exports/)
  const storage = await right(openSqliteStore({ path: join(cwd, 'rows-copied.db'), readOnly: true }))
  const listed = (await storage.sealed?.list(undefined, 9)()) ?? undefined
  assert.is(listed?._tag === 'Right' && listed.right.length, 2)
  await closed(storage)

  await withRows('rows-differ.db', 2)
  const refused = await cli('copy sqlite:rows.db sqlite:rows-differ.db')
  assert.is(refused.code, 1)
  assert.match(refused.stderr, /^countersign: the store that is copied into has other sealed rows[^\n]*\n$/)
})

it('refuses what it cannot copy, in one line, and makes nothing', async () => {
  writeFileSync(join(cwd, 'text.db'), 'no store')
  const refused: readonly (readonly [string, number, RegExp])[] = [
    ['copy sqlite:none.db sqlite:new.db', 2, /none\.db/],
    ['copy sqlite:text.db sqlite:new.db', 2, /text\.db/],
    ['copy sqlite:store.db memory:', 2, /would be gone/],
    ['copy sqlite:store.db sqlite:store.db', 2, /the same store/],
    ['copy sqlite:store.db', 2, /to/],
    ['copy sqlite:store.db ftp://new', 2, /unknown scheme/],
  ]
  for (const [line, code, message] of refused) {
    const ended = await cli(line)
    assert.is(ended.code, code, line)
    assert.match(ended.stderr, message)
    assert.not.ok(existsSync(join(cwd, 'new.db')), line)
  }
})

it.run()
