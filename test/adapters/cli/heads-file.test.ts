import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { headOfText } from '../../../core/audit/known-text.ts'
import { world } from '../../core/world/world.ts'
import { exported, neighbour } from '../../core/audit/logs.ts'
import { folder, run, type Ended } from './run-cli.ts'

const it = suite('the heads that an audit keeps')

const cwd = folder()
const at = (name: string): string => join(cwd, name)
const audit = (...args: readonly string[]): Promise<Ended> => run(['audit', ...args], { cwd })

it('keeps where the logs end, compares it at the next audit, and replaces it only without findings', async () => {
  const made = await world()
  await neighbour(made)
  writeFileSync(at('first.jsonl'), await exported(made.storage.store))
  await made.done(made.root, 'create_user_tag', { userTagName: 'one', userIds: [] })
  writeFileSync(at('second.jsonl'), await exported(made.storage.store))
  await made.close()

  const first = await audit('first.jsonl', '--keep-heads', 'kept/heads.json')
  assert.equal([first.code, first.stderr], [0, 'Kept 2 heads in kept/heads.json.\n'])
  if (process.platform !== 'win32') assert.is(statSync(at('kept/heads.json')).mode & 0o777, 0o600)
  const flags = [...first.stdout.matchAll(/^ {2}next time {3}(--head) (\S+)$/gm)].flatMap(([, flag, head]) => [
    flag,
    head,
  ])
  assert.is(flags.length, 4)
  const second = await audit('second.jsonl', '--keep-heads', 'kept/heads.json', ...flags.map(String))
  assert.match(second.stdout, '2 with a head, 0 with neither\neverything holds\n')
  assert.is(second.code, 0)
  const kept = readFileSync(at('kept/heads.json'), 'utf8')
  const { heads } = JSON.parse(kept) as { readonly heads: readonly { readonly sequence: string }[] }
  assert.equal(
    heads.map(({ sequence }) => typeof sequence),
    ['string', 'string'],
  )

  const older = await audit('first.jsonl', '--keep-heads', 'kept/heads.json')
  assert.match(older.stdout, 'HEAD_DIFFERS')
  assert.not.match(older.stdout, 'next time')
  assert.equal([older.code, older.stderr], [1, 'countersign: there are findings, so kept/heads.json stays as it was\n'])
  assert.is(readFileSync(at('kept/heads.json'), 'utf8'), kept)

  const report = await audit('second.jsonl', '--keep-heads', 'kept/heads.json', '--json')
  const { organizations } = JSON.parse(report.stdout) as {
    readonly organizations: readonly { readonly head: string }[]
  }
  assert.ok(organizations.every(({ head }) => headOfText(head) !== undefined))
  assert.equal([report.code, report.stderr], [0, ''])
})

it('says in one line that a file has no heads, and leaves it alone', async () => {
  for (const text of [
    'not JSON',
    '{"heads":[{"organization":"x","sequence":"1","hash":"0"}]}',
    '{"heads":[],"more":1}',
  ]) {
    writeFileSync(at('wrong.json'), text)
    const { code, stdout, stderr } = await audit('first.jsonl', '--keep-heads', 'wrong.json')
    assert.match(stderr, /^countersign: wrong\.json is not a file of heads: [^\n]+\n$/)
    assert.equal([code, stdout, readFileSync(at('wrong.json'), 'utf8')], [2, '', text])
  }
  const broken = await audit('none.jsonl', '--keep-heads', 'new.json')
  assert.equal([broken.code, existsSync(at('new.json'))], [2, false])
})

it.run()
