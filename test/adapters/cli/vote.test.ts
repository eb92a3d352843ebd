import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { long } from '../../long.ts'
import { office, type Office } from './inbox.ts'
import { folder, run, type Ended } from './run-cli.ts'

const it = suite('votes through a server that lies')

const cwd = folder()
let made: Office
let lying: Server
/** What the lying server was asked, and what it answers. */
const asked: string[] = []
let answerOf: (path: string) => string | undefined = () => undefined
/** Whether it sends blanks without an end where it has no answer. */
let blanks = false
const everBlank = function* () {
  for (const blank = ' '.repeat(1024 * 1024); ;) yield blank
}

type Activity = { readonly [member: string]: unknown; readonly votes: readonly { readonly message: string }[] }

it.before(async () => {
  made = await office(cwd)
  lying = createServer((request, response) => {
    asked.push(request.url ?? '')
    const answer = answerOf(request.url ?? '')
    if (answer !== undefined) response.end(answer)
    else if (blanks) pipeline(everBlank, response, () => undefined)
    else response.writeHead(200).write('{') // and nothing more
  })
  await new Promise<void>((resolve) => lying.listen(0, '127.0.0.1', resolve))
})
it.after(async () => {
  lying.closeAllConnections()
  lying.close()
  await made.server.stop()
})

const grace = (...args: readonly string[]): Promise<Ended> => {
  const { port } = lying.address() as AddressInfo // it listens, and not on a pipe
  return run([...args, '--credentials', 'grace.json', '--url', `http://127.0.0.1:${port}`], { cwd })
}

const seen = async (id: string): Promise<Activity> => {
  const { stdout } = await run(['show', id, '--json', '--credentials', 'grace.json'], { cwd })
  return (JSON.parse(stdout) as { readonly activity: Activity }).activity
}

it('does not vote by an id if the shown request is not the one of the fingerprint', async () => {
  const [id, other] = [await made.ask('small'), await made.ask('large')]
  const [activity, another] = [await seen(id), await seen(other)]
  const [vote] = activity.votes
  const lies: readonly (readonly [name: string, shown: object])[] = [
    ['the fingerprint of another activity', { ...activity, fingerprint: another['fingerprint'] }],
    ['all of another activity but the id', { ...another, id }],
    ['another request', { ...activity, votes: [{ ...vote, message: vote?.message.replace('small', 'tiny') }] }],
    ['another type', { ...activity, type: 'ACTIVITY_TYPE_CREATE_POLICY_V3' }],
    ['another organization', { ...activity, organizationId: other }],
    ['no votes', { ...activity, votes: [] }],
  ]
  for (const [name, shown] of lies) {
    asked.length = 0
    answerOf = () => JSON.stringify({ activity: shown })
    const { code, stdout, stderr } = await grace('approve', id)
    assert.match(stderr, /^countersign: the server shows no request that fits the fingerprint/, name)
    assert.equal([code, stdout, asked], [1, '', ['/public/v1/query/get_activity']], name)
  }
  answerOf = () => JSON.stringify({ activity: another })
  assert.match(
    (await grace('approve', id)).stderr,
    'the server answered with another activity than the one that was asked',
  )
})

it('does not take the answer to a vote if it is another activity', async () => {
  const [id, other] = [await made.ask('voted on'), await made.ask('answered')]
  const [activity, another] = [await seen(id), await seen(other)]
  const lies: readonly object[] = [
    another,
    { ...activity, fingerprint: another['fingerprint'] },
    { ...activity, id: other },
    { ...activity, organizationId: other },
  ]
  for (const lie of lies) {
    answerOf = (path) => JSON.stringify({ activity: path.includes('/query/') ? activity : lie })
    const { code, stdout, stderr } = await grace('approve', id)
    assert.match(stderr, /\ncountersign: the server answered with another activity than the one of the vote\n$/)
    assert.equal([code, stdout], [1, ''])
  }
})

it('does not call an activity verified whose intent is not the one of the request', async () => {
  const id = await made.ask('shown')
  const activity = await seen(id)
  const answers = new Map<string, string>()
  for (const path of [
    'get_policy_evaluations',
    'get_mfa_status',
    'list_users',
    'list_user_tags',
    'list_policies',
    'get_organization_configs',
  ]) {
    const asking = ['request', path, JSON.stringify({ activityId: id }), '--credentials', 'grace.json']
    answers.set(`/public/v1/query/${path}`, (await run(asking, { cwd })).stdout)
  }
  const intent = { createUserTagIntent: { userTagName: 'harmless', userIds: [] } }
  for (const [shown, isVerified] of [
    [activity, true],
    [{ ...activity, intent }, false],
  ] as const) {
    answerOf = (path) => answers.get(path) ?? JSON.stringify({ activity: shown })
    const { stdout } = await grace('show', id, '--json')
    assert.is((JSON.parse(stdout) as { readonly isVerified: boolean }).isVerified, isVerified)
  }
})

it('says in one line that an answer cannot be read', async () => {
  for (const answer of ['', '<h1>', '[]', '{"activities":[{"id":"\\u001b[2J"}]}']) {
    answerOf = () => answer
    const { code, stdout, stderr } = await grace('activities')
    assert.match(stderr, /^countersign: the answer of the server cannot be read: [^\n]+\n$/)
    assert.equal([code, stdout], [1, ''])
  }
})

it('ends with a list that has no end', async () => {
  const id = await made.ask('again and again')
  const page = JSON.stringify({ activities: [await seen(id)] })
  answerOf = () => page
  const { code, stdout } = await grace('activities')
  assert.is(code, 0)
  assert.is(stdout.split(id).length, 2)
})

it('does not read an answer without an end', async () => {
  const id = await made.ask('endless')
  answerOf = () => undefined
  blanks = true
  const { code, stdout, stderr } = await grace('show', id)
  blanks = false
  assert.match(stderr, /^countersign: the answer from http:\S+ has more than 128 MiB\n$/)
  assert.equal([code, stdout], [1, ''])
})

long(it)('does not wait for ever for an answer', async () => {
  answerOf = () => undefined
  const { code, stderr } = await grace('activities')
  assert.match(stderr, /^countersign: no answer from http:\S+ within 10 s\n$/)
  assert.is(code, 1)
})

it.run()
