import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { seenOnly } from './hostile.ts'
import { office, type Office } from './inbox.ts'
import { folder, json, run, runProcess, start, type Ended } from './run-cli.ts'

const it = suite('the inbox')

const AGO = /just now|\d+ \w+ ago/g
const cwd = folder()
let made: Office

const as = (who: string, ...args: readonly string[]): Promise<Ended> => by(run, who, ...args)
const by = async (start: typeof run, who: string, ...args: readonly string[]): Promise<Ended> => {
  const ended = await start([...args, '--credentials', `${who}.json`], { cwd })
  assert.ok(seenOnly(ended.stdout + ended.stderr), JSON.stringify(ended.stdout + ended.stderr))
  return ended
}

/** What a command says of the user of a credentials file. */
const callerLine = (file: string): string => {
  const { apiPublicKey, organizationId } = json(join(cwd, file))
  return `As the holder of the key ${String(apiPublicKey)} in ${file}, organization ${String(organizationId)}\n`
}

it.before(async () => {
  made = await office(cwd, ['Ada', 'Grace \u202eecarG\u2066'])
})
it.after(async () => void (await made.server.stop()))

it('lets the second officer find, see and approve what waits, without being told of it', async () => {
  assert.equal((await as('grace', 'inbox')).stderr, 'Nothing waits for you.\n')
  const id = await made.ask('treasury')
  const listed = await as('grace', 'inbox')
  assert.is(
    listed.stdout.replaceAll(AGO, 'AGO'),
    `create_user_tag  by Ada  AGO  waits for approvals  yours too\n  ${id}\n`,
  )
  assert.is((await as('ada', 'inbox')).stderr, 'Nothing waits for you.\n')

  assert.is((await as('grace', 'inbox', '--quiet')).stdout, `${id}\n`)
  assert.match(
    (await as('ada', 'activities', '--quiet', '--limit', '2')).stdout,
    new RegExp(`^${id}\n[-0-9a-f]{36}\n$`),
  )

  const shown = await as('grace', 'show', 'last')
  const page = shown.stdout
    .replaceAll(AGO, 'AGO')
    .replace(/sha256:[0-9a-f]{64}/, 'sha256:…')
    .replaceAll(id, 'ID')
  assert.is(
    page,
    `create_user_tag  waits for approvals
  id           ID
  fingerprint  sha256:…
  asked by     Ada, AGO
  parameters   {
                 "userTagName": "treasury",
                 "userIds": []
               }
  votes        approved by Ada, AGO
  missing      the policy "two people for tags" wants approvers.count() >= 2
                 one of these is enough: Root user, Grace \\u202eecarG\\u2066
               or 1 more approval of the root quorum: Root user
  you can      countersign approve ID --credentials grace.json
`,
  )

  const approved = await as('grace', 'approve', id)
  assert.is(
    approved.stdout,
    'Approved create_user_tag, asked for by Ada: it is completed.\n  {"userTagName":"treasury","userIds":[]}\n',
  )
  assert.is(approved.stderr, callerLine('grace.json'))
  const again = await as('grace', 'approve', id)
  assert.equal([again.code, again.stderr], [1, 'countersign: nothing to approve: create_user_tag is completed\n'])
  assert.match(
    (await as('grace', 'show', id)).stdout,
    /^create_user_tag {2}is completed\n[^]*votes {8}approved by Ada, .*\n {15}approved by Grace/,
  )
})

it('says which factors are missing, and does not guess what else is', async () => {
  const { stdout } = await as('ada', 'request', 'whoami', '{}')
  const { userId } = JSON.parse(stdout) as { readonly userId: string }
  const any = (...types: readonly string[]) => ({ any: types.map((type) => ({ type: `AUTHENTICATION_TYPE_${type}` })) })
  const policy = { mfaPolicyName: 'factors', condition: 'true', order: 1 }
  const steps = [any('API_KEY'), any('PASSKEY')]
  const mfa = JSON.stringify({ userId, ...policy, requiredAuthenticationMethods: steps })
  const created = JSON.parse((await as('root', 'request', 'create_mfa_policy', mfa)).stdout) as {
    readonly activity: { readonly result: { readonly createMfaPolicyResult: { readonly mfaPolicyId: string } } }
  }
  const id = await made.ask('by factors')
  const shown = (await as('ada', 'show', id)).stdout
  assert.match(shown, /^create_user_tag {2}waits for a second factor\n/)
  assert.match(
    shown,
    /\n {2}factors {6}the user Ada has met 1 of 2 steps of an MFA policy, and has to approve with another credential\n {2}you can/,
  )
  const listed = await as('ada', 'inbox')
  assert.match(listed.stdout, /^create_user_tag {2}by Ada {2}.* {2}waits for a second factor {2}yours too\n/)
  const approved = await as('ada', 'approve', id)
  assert.match(approved.stdout, /: it waits for a second factor\.\n/)
  await as('ada', 'reject', id)
  const { mfaPolicyId } = created.activity.result.createMfaPolicyResult
  await as('root', 'request', 'delete_mfa_policy', JSON.stringify({ userId, mfaPolicyId }))
})

it('rejects, by the fingerprint too, and lists by status', async () => {
  const id = await made.ask('risk')
  const { activity } = JSON.parse((await as('grace', 'show', id, '--json')).stdout) as {
    activity: { fingerprint: string }
  }
  const rejected = await by(runProcess, 'grace', 'reject', activity.fingerprint)
  assert.match(rejected.stdout, /^Rejected create_user_tag, asked for by Ada: it is rejected\.\n/)
  const listed = await as('ada', 'activities', '--status', 'rejected', '--json', '--limit', '1')
  const { activities } = JSON.parse(listed.stdout) as { readonly activities: readonly { readonly id: string }[] }
  assert.equal(
    activities.map((one) => one.id),
    [id],
  )
})

it('shows a command that, pasted, votes as the same user at the same server, whatever the file is called', async () => {
  const file = "grace's $(own) keys.json"
  copyFileSync(join(cwd, 'grace.json'), join(cwd, file))
  const id = await made.ask('pasted')
  const url = `${made.server.url}/`
  const { stdout } = await run(['show', id, '--credentials', file, '--url', url], { cwd })
  const [, hint = ''] = /you can {6}(.*)\n$/.exec(stdout) ?? []
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${hint}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')
  assert.equal(words, ['countersign', 'approve', id, '--credentials', file, '--url', url])
  const approved = await run(words.slice(1), { cwd })
  assert.equal([approved.code, approved.stderr], [0, callerLine(file)])
})

it('verifies the request of a denied activity, too', async () => {
  const policy = { policyName: 'mine', effect: 'EFFECT_ALLOW', condition: 'true', consensus: 'true', notes: '' }
  assert.is((await as('ada', 'request', 'create_policy', JSON.stringify(policy))).code, 1)
  const [, id = ''] = (await as('ada', 'activities', '--status', 'rejected', '--limit', '1')).stdout.split('\n')
  const { stdout } = await as('grace', 'show', id.trim())
  assert.match(stdout, /^create_policy_v3 {2}is rejected\n/)
  assert.match(stdout, /parameters {3}\{\n.*"policyName": "mine"/)
  assert.not.match(stdout, 'something is wrong')
})

it('lets one of two approvals that race complete the activity, and tells the other', async () => {
  const id = await made.ask('raced')
  const both = await Promise.all(['grace', 'root'].map((who) => by(runProcess, who, 'approve', id)))
  for (const { code, stdout, stderr } of both)
    assert.ok(code === 0 ? stdout.includes('is completed') : stderr.includes('is completed'), stdout + stderr)
})

for (const [args, says] of [
  [['show', '7'], /expected an activity: its id, or last for the newest/],
  [['show'], /missing required argument 'id\|last'/],
  [['approve', 'last'], /last is for a terminal, .* inbox --quiet prints it/],
  [['inbox', '--quiet', '--json'], /'--quiet' cannot be used with option '--json'/],
  [['approve', 'sha256:00'], /expected a fingerprint/],
  [['approve', '--', '--force'], /expected an activity: its id/],
  [['approve', '--force'], /unknown option '--force'/],
  [['activities', '--limit', '0'], /Expected 1 to 10000/],
  [['activities', '--status', 'waitin'], /Expected one of waiting, pending/],
] as const)
  it(`says in one line what it cannot use: ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await run([args[0], '--credentials', 'grace.json', ...args.slice(1)], { cwd })
    assert.match(stderr, says)
    assert.match(stderr, /^countersign: [^\n]+\n$/)
    assert.equal([code, stdout], [2, ''])
  })

it('says that there is no such activity', async () => {
  const { code, stderr } = await as('grace', 'show', '5b2b9e06-9f0b-8f3f-8c9b-0a5b6a1f2c3d')
  assert.match(stderr, /^countersign: the server refused query\/get_activity with 404 ACTIVITY_NOT_FOUND: [^\n]+\n$/)
  assert.is(code, 1)
})

it('watches until Ctrl-C, which npm passes on once more', async () => {
  const first = await made.ask('there already')
  const args = ['watch', '--waiting-for-me', '--json', '--every-seconds', '1', '--credentials', 'grace.json']
  const { child, ended, said } = start(args, { cwd })
  await said(/\n/)
  const second = await made.ask('watched')
  await said(/\n.*\n/)
  // Both signals are there before the command goes on.
  for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) child.kill(signal)
  const { code, stdout } = await ended
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly activity: { readonly id: string } })
  assert.equal([code, lines.map(({ activity }) => activity.id)], [0, [first, second]])
})

it.run()
