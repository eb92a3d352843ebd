import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { linesOfExplanation } from '../../../adapters/cli/explanation-lines.ts'
import { intlTimeZones } from '../../../adapters/time-zones/intl-time-zones.ts'
import { lineText } from '../../../adapters/cli/style.ts'
import { failureOf } from '../../../core/countersign-error.ts'
import { E } from '../../../core/prelude.ts'
import { explainDecision, type ExplainOptions } from '../../../core/policy-tools/explain-decision.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { erased, office } from '../../core/audit/erasures-log.ts'
import { KEY_AND_PASSKEY, keyringOf, requires } from '../../core/command/factors.ts'
import { right, world, type Person, type World } from '../../core/world/world.ts'
import { rootClient } from './root-client.ts'
import { folder, json, run, runProcess, serve } from './run-cli.ts'

const it = suite('policy explain')

/** `UPDATE_EXPLAINED=1` writes the texts again. */
const isUpdated = process.env['UPDATE_EXPLAINED'] === '1'

/** Compares the text with the one that is kept. Ids are numbered in the order in which they stand there; sequences are left out. */
const kept = async (name: string, made: World, activityId: string, options: ExplainOptions = {}): Promise<void> => {
  const explained = await explainDecision(made.storage.store, activityId, { timeZones: intlTimeZones(), ...options })
  const numbers = new Map<string, number>()
  const numbered = (id: string): string => {
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    return `<id ${number}>`
  }
  const text = linesOfExplanation(explained)
    .map((line) => `${lineText(line, false)}\n`)
    .join('')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, numbered)
    .replaceAll(/sequence [0-9]+/g, 'sequence #')
  const path = new URL(`explained/${name}.txt`, import.meta.url)
  if (isUpdated) writeFileSync(path, text)
  assert.is(text, readFileSync(path, 'utf8'))
}

let made: World
let ada: Person
let grace: Person
it.before(async () => {
  made = await world()
  ada = await made.enrol('ada')
  grace = await made.enrol('grace')
})
it.after(() => made.close())

/** What an activity is decided on: one policy alone, and a request of ada to change her name. */
const decided = async (policy: { readonly [member: string]: string }, userName: string): Promise<string> => {
  const { done, root, submit } = made
  const created = await done(root, 'create_policy', {
    effect: 'EFFECT_ALLOW',
    policyName: userName,
    notes: '',
    ...policy,
  })
  const submitted = await submit(ada, 'update_user', { userId: ada.userId, userName })
  const newest = await newestActivity()
  if (E.isRight(submitted)) assert.is(newest, submitted.right.id)
  const { policyId } = created.result['createPolicyResult'] as { readonly policyId: string }
  await done(root, 'delete_policy', { policyId })
  return newest
}

const newestActivity = async (): Promise<string> => {
  const { activities } = await made.answer(made.root, 'list_activities', { paginationOptions: { limit: '1' } })
  return (activities as readonly { readonly id: string }[])[0]?.id ?? ''
}

const USERS = "activity.kind == 'UPDATE_USER'"

const OFFICE_HOURS = "CronSpan('0 9 * * 1-5', '8h', 'Europe/Berlin')"

const outcomes: readonly (readonly [name: string, policy: { readonly [member: string]: string }])[] = [
  [
    'allow',
    {
      condition: `${USERS} && activity.resource in ['USER', 'POLICY']`,
      consensus: "approvers.any(user, user.alias == 'ada')",
    },
  ],
  ['time-active', { condition: USERS, time: `!${OFFICE_HOURS} && time.now < Timestamp('2027-01-01T00:00:00Z')` }],
  ['time-inactive', { condition: USERS, time: OFFICE_HOURS }],
  ['time-inactive-of-a-denial', { effect: 'EFFECT_DENY', condition: USERS, time: OFFICE_HOURS }],
  ['requires-consensus', { condition: USERS, consensus: 'approvers.count() >= 2' }],
  ['deny-explicit', { effect: 'EFFECT_DENY', condition: USERS, consensus: 'approvers.count() < 3' }],
  ['deny-implicit-condition', { condition: "activity.kind == 'DELETE_USERS'", consensus: 'true' }],
  ['deny-implicit-unreachable', { condition: USERS, consensus: 'approvers.count() > 99' }],
  ['deny-implicit-of-a-denial', { effect: 'EFFECT_DENY', condition: USERS, consensus: 'approvers.count() >= 2' }],
  [
    'error-of-a-permission',
    { condition: `${USERS} && activity.params.user_ids.count() == 1 || true`, consensus: 'true' },
  ],
  [
    'error-of-a-denial',
    { effect: 'EFFECT_DENY', condition: USERS, consensus: 'credentials[3].user_id == approvers[0].id' },
  ],
]

it('explains who lacks a second factor', async () => {
  const { done, approve, root } = made
  const policy = { policyName: 'two', effect: 'EFFECT_ALLOW', condition: "activity.resource == 'USER'", notes: '' }
  const two = await done(root, 'create_policy', { ...policy, consensus: 'approvers.count() >= 2' })
  const mfa: (readonly [Person, string])[] = []
  for (const person of [ada, grace]) mfa.push([person, await requires(made, person, KEY_AND_PASSKEY)])
  const tag = { userTagName: 'by factors', userIds: [] }
  const open = await done(ada, 'create_user_tag', tag)
  await kept('factor-of-the-requester', made, open.id)
  const { passkey } = await keyringOf(made, ada)
  right(await approve(passkey, open))
  right(await approve(grace, open))
  await kept('factor-of-an-approver', made, open.id)
  for (const [{ userId }, mfaPolicyId] of mfa) await done(root, 'delete_mfa_policy', { userId, mfaPolicyId })
  const { policyId } = two.result['createPolicyResult'] as { readonly policyId: string }
  await done(root, 'delete_policy', { policyId })
})

for (const [name, policy] of outcomes) {
  it(`explains ${name}`, async () => {
    const explained = await decided(policy, `ada, ${name}`)
    await made.done(made.root, 'update_user', { userId: ada.userId, userName: 'ada' })
    await kept(name, made, explained)
  })
}

it('explains the decision of the root quorum, of own credentials, and after a rejection', async () => {
  const { approve, done, reject, root, submit } = made
  const { id } = await done(root, 'update_user', { userId: ada.userId, userName: 'ada' })
  await kept('root-quorum', made, id)
  const policy = {
    policyName: 'two',
    effect: 'EFFECT_ALLOW',
    condition: USERS,
    consensus: 'approvers.count() >= 2',
    notes: '',
  }
  await done(root, 'create_policies', { policies: [policy] })
  const asked = await done(ada, 'update_user', { userId: ada.userId, userName: 'ada' })
  right(await reject(grace, asked))
  await kept('rejected', made, asked.id)
  const second = await done(ada, 'update_user', { userId: ada.userId, userName: 'ada' })
  right(await approve(grace, second))
  await kept('approved', made, second.id)
  await kept('before-it-was-approved', made, second.id, { vote: 1 })
  const { publicKey } = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: 'second', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  right(await submit(ada, 'create_api_keys', { userId: ada.userId, apiKeys }))
  await kept('own-credentials', made, await newestActivity())
})

it('says of what was erased that it was', async () => {
  const gone = await office()
  const { bob, organizationId, storage } = gone
  await erased(gone, bob.userId)
  const resources = [...publicApi, ...erasure]
  const byEmail = await listed(gone, 'ACTIVITY_TYPE_CREATE_USER_TAG')
  await kept('erased-members', gone, byEmail, { resources, organization: organizationId })
  const explained = await explainDecision(storage.store, byEmail, { resources })
  assert.is(explained.isSame, undefined)
  assert.ok(explained.approvals.some(({ userName }) => userName === 'erased'))
  await gone.close()
  const other = await office()
  const asked = await listed(other, 'ACTIVITY_TYPE_CREATE_USER_TAG')
  await erased(other, other.bob.userId, 'MADE')
  await kept('erased-request', other, asked, { resources })
  await other.close()
})

/** The oldest activity of a type. */
const listed = async ({ answer, root }: World, type: string): Promise<string> => {
  const { activities } = await answer(root, 'list_activities', { filterByType: [type] })
  return (activities as readonly { readonly id: string }[]).at(-1)?.id ?? ''
}

it('says what it cannot find', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000'
  const { store } = made.storage
  const failed = await explainDecision(store, nobody).then(() => undefined, failureOf)
  assert.equal([failed?.code, failed?.message], ['ACTIVITY_NOT_FOUND', `the store has no activity ${nobody}`])
  for (const vote of [0, 3]) {
    const other = await explainDecision(store, await newestActivity(), { vote }).then(() => undefined, failureOf)
    assert.equal([other?.code, other?.message], ['ACTIVITY_NOT_FOUND', `the activity has 1 vote, and no vote ${vote}`])
  }
})

it('explains from the command line, while a server runs', async () => {
  const cwd = folder()
  const served = await serve(['--store', 'sqlite:c.db', '--init', '--credentials', 'c.json'], { cwd })
  const client = await rootClient(join(cwd, 'c.json'))
  const { body } = await client.submit('create_user_tag', { userTagName: 'tag', userIds: [] })
  const { id } = body['activity'] as { readonly id: string }
  const explain = (...more: readonly string[]) => run(['policy', 'explain', '--store', 'sqlite:c.db', ...more], { cwd })
  const args = ['policy', 'explain', '--store', 'sqlite:c.db', '--activity', id]
  const { code, stdout, stderr } = await runProcess(args, { cwd })
  assert.equal([code, stderr], [0, ''])
  assert.match(stdout, /^CREATE_USER_TAG {2}ACTIVITY_TYPE_CREATE_USER_TAG\n/)
  assert.match(stdout, /ALLOWED \(root-quorum\)/)
  const { organizationId } = json(join(cwd, 'c.json'))
  const asJson = await explain('--activity', id, '--vote', '1', '--organization', String(organizationId), '--json')
  const { verdict, isSame } = JSON.parse(asJson.stdout) as { readonly verdict: unknown; readonly isSame: boolean }
  assert.equal([verdict, isSame], [{ outcome: 'ALLOWED', rule: 'root-quorum' }, true])
  for (const args of [['--activity', 'x'], [], ['--activity', id, '--vote', 'two']]) {
    const wrong = await explain(...args)
    assert.equal([wrong.code, wrong.stdout], [2, ''])
  }
  assert.is((await explain('--activity', '00000000-0000-4000-8000-000000000000')).code, 1)
  await served.stop()
})

it.run()
