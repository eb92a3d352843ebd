import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rootClient } from './root-client.ts'
import { folder, json, run, runProcess, serve } from './run-cli.ts'

const it = suite('policy check')

const STORE = 'sqlite:c.db'

it('prints a line for each thing that a policy of a store names and no operation has, or that one does not deny', async () => {
  const cwd = folder()
  const check = (...more: readonly string[]) => run(['policy', 'check', '--store', STORE, ...more], { cwd })
  const served = await serve(['--store', STORE, '--init', '--credentials', 'c.json'], { cwd })
  const client = await rootClient(join(cwd, 'c.json'))
  const create = (policyName: string, condition: string, effect: string) =>
    client.submit('create_policies', { policies: [{ policyName, effect, condition, notes: '' }] })
  const allow = (policyName: string, condition: string) => create(policyName, condition, 'EFFECT_ALLOW')
  assert.is((await allow('good', "activity.resource == 'USER'")).status, 200)
  const silent = await check()
  assert.equal([silent.code, silent.stdout], [0, ''])
  assert.is(silent.stderr, 'countersign: no policy names what no operation has\n')
  assert.is((await allow('b\u202ed', "activity.resource == 'USERS' && activity.params.user == 'a'")).status, 200)
  const wide = "activity.kind in ['CREATE_USER_TAG', 'DELETE_USERS'] && activity.params.user_ids.contains('a')"
  assert.is((await create('denies', wide, 'EFFECT_DENY')).status, 200)
  const { code, stdout, stderr } = await runProcess(['policy', 'check', '--store', STORE], { cwd })
  const { organizationId } = json(join(cwd, 'c.json'))
  const lines = stdout.trimEnd().split('\n')
  assert.equal([code, stderr], [1, ''])
  assert.equal(
    lines.map((line) => line.replace(/ [0-9a-f-]{36} /, ' … ')),
    [
      `${String(organizationId)} … b\\u202ed: condition: no operation has the resource 'USERS'`,
      `${String(organizationId)} … b\\u202ed: condition: no operation shows the parameter 'user'`,
      `${String(organizationId)} … denies: condition: an activity without activity.params.user_ids is not denied: create_user_tag`,
    ],
  )
  assert.is((await check('--organization', String(organizationId))).stdout, stdout)
  const logged = (await served.stop()).stderr
  assert.match(logged, /"warnings":\["condition: no operation has the resource 'USERS'",/)
  assert.match(logged, /"warnings":\["condition: an activity without activity.params.user_ids is not denied: /)
  assert.match(logged, /a policy may not do what it says/)
  const nobody = await check('--organization', '00000000-0000-4000-8000-000000000000')
  assert.equal([nobody.code, nobody.stdout], [1, ''])
})

it('checks expressions that are not stored yet', async () => {
  const cwd = folder()
  const check = (...flags: readonly string[]) => run(['policy', 'check', ...flags], { cwd })
  const named = await check('--consensus', "approvers.any(user, user.tags.contains('officers'))")
  assert.equal([named.code, named.stdout], [1, "consensus: tags are named by id, and 'officers' is none\n"])
  assert.is((await check('--condition', "activity.resource == 'USER'")).code, 0)
  const wrong = await check('--condition', "activity.resource = 'USER'")
  assert.equal([wrong.code, wrong.stdout], [1, ''])
  assert.match(
    wrong.stderr,
    /^countersign: invalid policy condition: line 1, column 19: unexpected character: expected '=='\n$/,
  )
})

it('says what is missing, and what does not go together', async () => {
  const cwd = folder()
  for (const flags of [[], ['--store', STORE, '--condition', 'true'], ['--condition', 'true', '--organization', 'x']]) {
    const { code, stdout, stderr } = await run(['policy', 'check', ...flags], { cwd })
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, /^countersign: expected [^\n]*\n$/)
  }
})

it.run()
