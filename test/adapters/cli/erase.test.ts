import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { done, joined, leaver } from './leaver.ts'
import { rootClient, type RootClient } from './root-client.ts'
import { folder, json, run, serve, type Ended, type Served } from './run-cli.ts'

const it = suite('erase')

const cwd = folder()
const at = (name: string): string => join(cwd, name)
let server: Served
let root: RootClient
const served = (...flags: readonly string[]) =>
  serve(['--store', 'sqlite:data/store.db', '--init', '--credentials', 'root.json', ...flags], { cwd })
const cli = (line: string): Promise<Ended> => run([...line.split(' '), '--credentials', 'root.json'], { cwd })
const parsed = ({ stdout }: Ended) => JSON.parse(stdout) as { readonly [member: string]: unknown }

it.before(async () => {
  server = await served('--erasure')
  root = await rootClient(at('root.json'))
})
it.after(async () => void (await server.stop()))

/** The files of the store that have the text. */
const filesWith = (text: string): readonly string[] =>
  readdirSync(at('data')).filter((name) => readFileSync(at(`data/${name}`)).includes(text))

const activities = async (): Promise<number> => {
  const { activities: all } = done(await root.query('list_activities', { paginationOptions: { limit: '100' } }))
  return (all as readonly unknown[]).length // a list
}

it('says what it would erase, and with --dry-run erases nothing', async () => {
  const { activityId, userId } = await leaver(root, 'Dora Dry')
  const before = await activities()
  const { code, stdout, stderr } = await cli(`erase --user ${userId} --dry-run`)
  assert.equal([code, stderr], [0, ''])
  const lines = stdout.split('\n')
  assert.is(lines[0], `2 parts of 2 events would be erased: the data of ${userId}.`)
  assert.match(lines[1] ?? '', /^1 activity can no longer be verified then: /)
  assert.match(lines[2] ?? '', /^create_users {2}by Root user {2}.* is completed$/)
  assert.equal(lines.slice(3), [`  ${activityId}`, ''])
  const { plan } = parsed(await cli(`erase --user ${userId.toUpperCase()} --dry-run --json`))
  const [one] = (plan as { readonly activities: readonly { readonly id: string }[] }).activities // its form is checked below
  assert.equal({ ...(plan as object), activities: one?.id }, { parts: 2, events: 2, activities: activityId })
  assert.is(await activities(), before)
  assert.not.equal(filesWith('Dora Dry'), [])
})

it('erases without asking if there is no terminal, and says by which activity', async () => {
  const { userId } = await leaver(root, 'Emil Erased')
  assert.not.equal(filesWith('Emil Erased'), [])
  const { code, stdout, stderr } = await cli(`erase --user ${userId}`)
  assert.equal([code, stderr], [0, ''])
  assert.match(stdout, /\nErased 2 parts, by the activity [0-9a-f-]{36}\.\n$/)
  assert.equal(filesWith('Emil Erased'), [])
})

it('prints JSON of the plan and the activity, without the data', async () => {
  const { userId } = await leaver(root, 'Jason Json')
  const { code, stdout } = await cli(`erase --user ${userId} --json --yes`)
  const { plan, activity } = JSON.parse(stdout) as {
    readonly plan: { readonly parts: number }
    readonly activity: { readonly status: string; readonly result: { readonly eraseUserResult: unknown } }
  }
  assert.equal([code, plan.parts, activity.status], [0, 2, 'ACTIVITY_STATUS_COMPLETED'])
  assert.equal(activity.result.eraseUserResult, { userId, erasedParts: 2 })
  assert.not.match(stdout, 'Jason')
})

it('leaves the others who were created in the same request', async () => {
  const { userIds } = await joined(root, ['Anna Stays', 'Bert Goes'])
  done(await root.submit('delete_users', { userIds: [userIds[1] ?? ''] }))
  assert.is((await cli(`erase --user ${userIds[1]} --yes`)).code, 0)
  const { users } = done(await root.query('list_users'))
  assert.match(JSON.stringify(users), 'Anna Stays')
  assert.equal(filesWith('Bert Goes'), [])
})

it('erases with --requests made also what a person asked for', async () => {
  const { userIds } = await joined(root, ['Maker'])
  const [userId = ''] = userIds
  done(await root.submit('delete_users', { userIds }))
  const counts = async (which: string) =>
    parsed(await cli(`erase --user ${userId} --dry-run --json --requests ${which}`))['plan'] as {
      readonly parts: number
    }
  assert.is((await counts('naming')).parts, (await counts('made')).parts) // this person never asked for anything
  const own = String(json(at('root.json'))['userId'])
  const dry = async (which: string) =>
    parsed(await cli(`erase --user ${own} --dry-run --json --requests ${which}`))['plan']
  const [naming, made] = [await dry('naming'), await dry('made')] as { readonly parts: number }[]
  assert.ok((made?.parts ?? 0) > (naming?.parts ?? 0))
})

it('names the field of a refusal, and exits with 1', async () => {
  const { userIds } = await joined(root, ['Still There'])
  const gone = await leaver(root, 'Gone Already')
  await cli(`erase --user ${gone.userId} --yes`)
  for (const [userId, why] of [
    [userIds[0], 'the user is still there; delete the user first'],
    [String(json(at('root.json'))['organizationId']), 'expected the id of a user who was deleted'],
    [gone.userId, 'the data of this user is erased already'],
  ] as const) {
    const { code, stderr } = await cli(`erase --user ${userId} --yes`)
    assert.is(
      stderr,
      `countersign: the server refused submit/erase_user with 400 REQUEST_INVALID: invalid parameters at userId: ${why}\n`,
    )
    assert.is(code, 1)
  }
})

it('refuses flags that are wrong', async () => {
  for (const [line, says] of [
    ['erase', /required option '--user <id>'/],
    ['erase --user Mallory', /^countersign: --user: expected the id of a user\n$/],
    ['erase --user 5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d --requests all', /naming, made/],
  ] as const) {
    const { code, stderr } = await cli(line)
    assert.match(stderr, says)
    assert.is(code, 2)
  }
})

it('shows what is waiting for approval, and who may give it', async () => {
  const { userIds } = await joined(root, ['Grace'])
  const { userId: rootId } = json(at('root.json'))
  const gone = await leaver(root, 'Willy Waits')
  done(await root.submit('update_root_quorum', { threshold: 2, userIds: [String(rootId), ...userIds] }))
  const { code, stdout } = await cli(`erase --user ${gone.userId} --url ${server.url}`)
  assert.is(code, 0)
  assert.match(stdout, /^erase_user {2}waits for approvals$/m)
  assert.match(stdout, /^ {2}missing {6}1 more approval of the root quorum: Grace$/m)
  assert.match(
    stdout,
    new RegExp(`you can {6}countersign reject [0-9a-f-]{36} --credentials root.json --url ${server.url}\n$`),
  )
  const waiting = parsed(await cli(`erase --user ${gone.userId} --json`))
  assert.equal((waiting['missing'] as { readonly quorum: { readonly count: number } }).quorum.count, 1)
  assert.not.equal(filesWith('Willy Waits'), [])
})

it('says what to do if the server does not erase', async () => {
  await server.stop()
  const user = '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d'
  const line =
    'countersign: this server does not erase personal data: start it with countersign serve --erasure, ' +
    'or add erasure to its resources\n'
  for (const [env, flags, stderr] of [
    [{}, [], line],
    [{ COUNTERSIGN_ERASURE: 'no' }, [], line],
    [{ COUNTERSIGN_ERASURE: '1' }, [], ''],
    [{}, ['--erasure'], ''],
  ] as const) {
    server = await serve(['--store', 'sqlite:data/store.db', '--init', '--credentials', 'root.json', ...flags], {
      cwd,
      env,
    })
    const ended = await cli(`erase --user ${user} --dry-run`)
    assert.equal([ended.code, ended.stderr], [stderr === '' ? 0 : 1, stderr])
    assert.is((await cli('activities')).code, 0) // a log with erasures is read by any server
    await server.stop()
  }
  server = await served('--erasure')
})

it.run()
