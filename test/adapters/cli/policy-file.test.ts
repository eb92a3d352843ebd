import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folder, run } from './run-cli.ts'

const it = suite('policy check of a file')

const cwd = folder()
const check = (...args: readonly string[]) => run(['policy', 'check', ...args], { cwd })
const policy = (more: object) => ({ policyName: 'one', effect: 'EFFECT_ALLOW', ...more })
const written = (name: string, ...policies: readonly object[]): string => {
  writeFileSync(join(cwd, name), JSON.stringify({ policies }))
  return name
}

it('prints each mistake with file, policy, clause, line and column, and carets under the place', async () => {
  const file = written(
    'wrong.json',
    policy({ condition: "activity.kind == 'A' &&\n  activity.resorce == 'USER'" }),
    policy({ policyName: 'two', consensus: 'approvers.count() >' }),
  )
  const { code, stdout, stderr } = await check(file)
  assert.equal(stdout.split('\n'), [
    'wrong.json: policy 1 "one", condition, line 2, column 12: Expression cannot be evaluated: field does not exist: resorce (did you mean resource?)',
    "    activity.resorce == 'USER'",
    '             ^^^^^^^',
    'wrong.json: policy 2 "two", consensus, line 1, column 20: expected an expression, found the end',
    '  approvers.count() >',
    '                     ^',
    '',
  ])
  assert.equal([code, stderr], [1, ''])
})

it('says on standard error that there is no mistake, and warns of what no operation has', async () => {
  const right = await check(written('right.json', policy({ condition: "activity.resource == 'USER'" })))
  assert.equal([right.code, right.stdout, right.stderr], [0, '', 'countersign: 1 policy, no mistake\n'])
  const { code, stdout } = await check(written('warned.json', policy({ condition: "activity.resource == 'USERS'" })))
  const line = `warned.json: policy 1 "one": warning: condition: no operation has the resource 'USERS'\n`
  assert.equal([code, stdout], [0, line])
})

it('warns of what a policy that denies would not deny', async () => {
  const condition =
    "activity.kind in ['CREATE_USER_TAG', 'UPDATE_USER_TAG', 'DELETE_USER_TAGS'] && activity.params.user_id == 'a'"
  const effects = ['EFFECT_ALLOW', 'EFFECT_DENY'].map((effect) => policy({ policyName: effect, effect, condition }))
  const { code, stdout } = await check(written('undenied.json', ...effects))
  assert.is(code, 0)
  assert.is(
    stdout,
    'undenied.json: policy 2 "EFFECT_DENY": warning: condition: an activity without activity.params.user_id is not denied: ' +
      'create_user_tag, update_user_tag, delete_user_tags\n',
  )
})

it('checks one bare expression, from standard input too', async () => {
  const input = "activity.kind = 'A'"
  const { code, stdout } = await run(['policy', 'check', '-', '--clause', 'condition'], { cwd, input })
  assert.equal([code, stdout.split('\n').slice(1)], [1, ["  activity.kind = 'A'", '                ^', '']])
  const right = await run(['policy', 'check', '-', '--clause', 'consensus'], { cwd, input: 'approvers.count() > 1\n' })
  assert.equal([right.code, right.stderr], [0, 'countersign: one clause, no mistake\n'])
})

it('prints the same as JSON', async () => {
  const { code, stdout } = await check(
    written('json.json', policy({ condition: 'activity.kind == 1 || wallets' })),
    '--json',
  )
  const { file, policies, mistakes } = JSON.parse(stdout) as {
    readonly file: string
    readonly policies: number
    readonly mistakes: readonly { readonly clause: string; readonly place: { readonly column: number } }[]
  }
  assert.equal([code, file, policies], [1, 'json.json', 1])
  assert.ok(mistakes.length > 0)
  assert.ok(mistakes.every(({ clause, place }) => clause === 'condition' && place.column > 1))
})

it('escapes what would control a terminal, and puts the carets under it', async () => {
  const file = written('con\u202etrol.json', policy({ policyName: 'p', condition: "'\u001b[2J' == \u001b" }))
  const { code, stdout } = await check(file)
  assert.is(code, 1)
  assert.not.match(stdout, /\p{Cf}|(?!\n)\p{Cc}/u)
  const [first = '', line = '', carets = ''] = stdout.split('\n')
  assert.match(first, /^con\\u202etrol\.json: policy 1 "p", condition, line 1, column 11: /)
  assert.is(line, "  '\\u001b[2J' == \\u001b")
  assert.is(line.slice(carets.indexOf('^'), carets.length), '\\u001b')
})

it('shows the part of a long line around the place', async () => {
  const { stdout } = await check(written('long.json', policy({ condition: `${"'a' == 'a' && ".repeat(40)}b == 'c'` })))
  const [, line = '', carets = ''] = stdout.split('\n')
  assert.ok(line.length < 140)
  assert.is(line.slice(carets.indexOf('^'), carets.length), 'b')
})

it('exits with 2 where it cannot read the file, or the flags contradict each other', async () => {
  writeFileSync(join(cwd, 'broken.json'), '[{"policyName": ')
  writeFileSync(join(cwd, 'bytes.json'), Uint8Array.of(0xff))
  const wrong: readonly (readonly [args: readonly string[], said: RegExp])[] = [
    [['none.json'], /cannot read none\.json: there is no such file/],
    [['.'], /cannot read \.: it is a directory/],
    [['broken.json'], /broken\.json: invalid JSON at offset 16/],
    [['bytes.json'], /cannot read bytes\.json: expected UTF-8/],
    [['broken.json', '--condition', 'true'], /expected a file alone/],
    [['broken.json', '--store', 'sqlite:x.db'], /expected a file alone/],
    [['broken.json', '--clause', 'notes'], /--clause/],
  ]
  for (const [args, said] of wrong) {
    const { code, stdout, stderr } = await check(...args)
    assert.equal([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, said)
    assert.is(stderr.split('\n').length, 2)
  }
})

it.run()
