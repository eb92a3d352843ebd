import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rootClient } from './root-client.ts'
import { folder, json, run, runProcess, serve } from './run-cli.ts'

const it = suite('policy simulate')

const STORE = 'sqlite:c.db'
const cwd = folder()
const simulate = (...more: readonly string[]) => run(['policy', 'simulate', '--store', STORE, ...more], { cwd })

it('lists what comes out otherwise, while a server writes', async () => {
  const served = await serve(['--store', STORE, '--init', '--credentials', 'c.json'], { cwd })
  const client = await rootClient(join(cwd, 'c.json'))
  const userId = String(json(join(cwd, 'c.json'))['userId'])
  const deny = { policyName: 'no tags', effect: 'EFFECT_DENY', condition: "activity.kind == 'CREATE_USER_TAG'" }
  writeFileSync(join(cwd, 'same.json'), '[]')
  writeFileSync(join(cwd, 'denying.json'), JSON.stringify([deny]))
  const over = new AbortController()
  const writing = (async () => {
    for (let n = 0; !over.signal.aborted; n += 1)
      assert.is((await client.submit('update_user', { userId, userName: `root ${n}` })).status, 200)
  })()
  // The root alone is the quorum, which outranks every policy.
  for (const file of ['same.json', 'denying.json']) {
    const args = ['policy', 'simulate', '--store', STORE, '--policies', file]
    const { code, stdout, stderr } = await runProcess(args, { cwd })
    assert.equal([code, stderr], [0, ''])
    assert.match(stdout, /taken again: none comes out otherwise\n$/)
  }
  over.abort()
  await writing
  await served.stop()
})

it('prints totals as JSON, and only the decisions of a time', async () => {
  const { organizationId } = json(join(cwd, 'c.json'))
  const totalsOf = async (...more: readonly string[]) => {
    const { code, stdout } = await simulate('--policies', 'same.json', '--json', ...more)
    assert.is(code, 0)
    const lines = stdout.trimEnd().split('\n')
    assert.is(lines.length, 1)
    return (JSON.parse(lines[0] ?? '') as { readonly totals: { readonly decisions: number } }).totals
  }
  const all = await totalsOf('--organization', String(organizationId))
  assert.ok(all.decisions > 0)
  assert.is((await totalsOf('--from', '2100-01-01T00:00:00Z')).decisions, 0)
  assert.is((await totalsOf('--to', '2100-01-01T00:00:00Z')).decisions, all.decisions)
})

it('says what is wrong with what it was given', async () => {
  writeFileSync(join(cwd, 'wrong.json'), '[{"policyName":"a","effect":"EFFECT_ALLOW","condition":"1"}]')
  const nobody = '00000000-0000-4000-8000-000000000000'
  const wrong: readonly (readonly [args: readonly string[], code: number, said: RegExp])[] = [
    [[], 2, /--policies/],
    [['--policies', 'none.json'], 2, /cannot read none\.json/],
    [
      ['--policies', 'wrong.json'],
      2,
      /wrong\.json: policy 1: expected a boolean, found a number; countersign policy check/,
    ],
    [['--policies', 'same.json', '--from', 'yesterday'], 2, /--from: expected a date/],
    [['--policies', 'same.json', '--organization', 'x'], 2, /expected a UUID/],
    [['--policies', 'same.json', '--organization', nobody], 1, /the store has no organization/],
  ]
  for (const [args, expected, said] of wrong) {
    const { code, stdout, stderr } = await simulate(...args)
    assert.equal([code, stdout], [expected, ''], args.join(' '))
    assert.match(stderr, said)
  }
})

it.run()
