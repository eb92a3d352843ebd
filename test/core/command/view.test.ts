import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as t from '../../../core/codec/t.ts'
import { operation } from '../../../core/definition/operation.ts'
import { E } from '../../../core/prelude.ts'
import { withHost } from '../world/with-host.ts'
import { codeOf, right, stamped, world, type Person } from '../world/world.ts'
import { eventsOf } from './history.ts'
import { seenBy } from './seen-by.ts'

const it = suite('view')

type Named = { readonly userId: string; readonly userName: string }

const tag = (userTagName: string) => ({ userTagName, userIds: [] })

it('shows each caller what that caller can do', async () => {
  const w = await world()
  const [ada, grace, joan] = [await w.enrol('ada'), await w.enrol('grace'), await w.enrol('joan')]
  const consensus = `approvers.any(user, user.id == '${ada.userId}') && approvers.any(user, user.id == '${grace.userId}')`
  await w.done(w.root, 'create_policy', { policyName: 'both', effect: 'EFFECT_ALLOW', consensus, notes: '' })
  const pending = await w.done(ada, 'create_user_tag', tag('ops'))
  const can = async (person: Person): Promise<readonly [boolean, boolean]> => {
    const { canApprove, canReject } = await seenBy(w, person, pending.id)
    return [canApprove, canReject]
  }
  assert.equal(await Promise.all([ada, grace, joan, w.root].map(can)), [
    [false, true],
    [true, true],
    [false, false],
    [true, true],
  ])
  right(await w.approve(grace, pending))
  assert.equal(
    await Promise.all([ada, grace, joan, w.root].map(can)),
    Array.from({ length: 4 }, () => [false, false]),
  )
  await w.close()
})

it('shows no result before there is one, not even the name of it', async () => {
  const w = await world()
  const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
  const consensus = 'approvers.count() >= 2'
  await w.done(w.root, 'create_policy', { policyName: 'two', effect: 'EFFECT_ALLOW', consensus, notes: '' })
  const pending = await w.done(ada, 'create_user_tag', tag('ops'))
  assert.equal(Object.keys(pending.result), [])
  const rejected = right(await w.reject(grace, pending))
  assert.equal([rejected.status, Object.keys(rejected.result)], ['ACTIVITY_STATUS_REJECTED', []])
  const completed = await w.done(w.root, 'create_user_tag', tag('ops'))
  assert.equal(Object.keys(completed.result), ['createUserTagResult'])
  await w.close()
})

it('shows each vote as it was signed, beside its user as of now', async () => {
  const w = await world()
  const ada = await w.enrol('ada')
  const body = w.body('create_user_tag', tag('ops'))
  const consensus = 'approvers.count() >= 2'
  await w.done(w.root, 'create_policy', { policyName: 'two', effect: 'EFFECT_ALLOW', consensus, notes: '' })
  const request = stamped(ada, body)
  const pending = right(await w.engine.submit('create_user_tag', request)())
  const { signature } = JSON.parse(Buffer.from(String(request.headers['x-stamp']), 'base64url').toString()) as {
    readonly signature: string
  }
  const [vote] = pending.votes
  assert.equal(
    [vote?.userId, vote?.selection, vote?.message, vote?.publicKey, vote?.signature, vote?.scheme],
    [
      ada.userId,
      'VOTE_SELECTION_APPROVED',
      new TextDecoder().decode(body),
      ada.key.publicKey,
      signature,
      'SIGNATURE_SCHEME_TK_API_P256',
    ],
  )
  const nameBeside = async (): Promise<unknown> => {
    const votes = (await seenBy(w, w.root, pending.id)).votes as readonly { readonly user: Named }[]
    return votes.flatMap(({ user }) => [user.userId, user.userName])
  }
  assert.equal(await nameBeside(), [ada.userId, 'ada'])
  await w.done(w.root, 'update_user', { userId: ada.userId, userName: 'lovelace' })
  assert.equal(await nameBeside(), [ada.userId, 'lovelace'])
  await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
  assert.equal(await nameBeside(), [ada.userId, 'lovelace'])
  await w.close()
})

/** Rules over three users, as indices. */
const user = fc.nat({ max: 3 })
const clause = (users: readonly Person[]) => {
  const id = user.map((index) => `'${users[index]?.userId}'`)
  return fc.oneof(
    fc.nat({ max: 4 }).map((n) => `approvers.count() >= ${n}`),
    id.map((each) => `approvers.any(user, user.id == ${each})`),
    fc.tuple(id, id).map(([a, b]) => `approvers.filter(user, user.id == ${a} || user.id == ${b}).count() >= 2`),
    id.map((each) => `credentials.any(credential, credential.user_id == ${each})`),
  )
}
const consensusOf = (users: readonly Person[]) =>
  fc.oneof(
    clause(users),
    fc
      .tuple(clause(users), fc.constantFrom('&&', '||'), clause(users))
      .map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
  )

it('says that one can approve or reject exactly to those whose vote takes effect', async () => {
  const w = await world()
  const users = [w.root, await w.enrol('ada'), await w.enrol('grace'), await w.enrol('joan')]
  const created = await w.done(w.root, 'create_policy', { policyName: 'one', effect: 'EFFECT_ALLOW', notes: '' })
  const { policyId } = created.result.createPolicyResult as { readonly policyId: string }
  let n = 0
  const scenario = fc.record({
    consensus: consensusOf(users),
    quorum: fc.integer({ min: 1, max: 2 }),
    requester: user,
    first: fc.option(user, { nil: undefined }),
    voter: user,
    hoursLater: fc.constantFrom(0, 0, 25),
    path: fc.constantFrom('approve_activity', 'reject_activity'),
  })
  const rule = async ({
    consensus,
    quorum,
    requester,
    first,
    voter,
    hoursLater,
    path,
  }: typeof scenario extends fc.Arbitrary<infer A> ? A : never) => {
    right(await w.submit(w.root, 'update_policy', { policyId, policyConsensus: consensus }))
    const members = users.slice(0, quorum).map(({ userId }) => userId)
    right(await w.submit(w.root, 'update_root_quorum', { threshold: quorum, userIds: members }))
    n += 1
    const proposed = await w.submit(users[requester] ?? w.root, 'create_user_tag', tag(`tag ${n}`))
    if (E.isRight(proposed) && proposed.right.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') {
      if (first !== undefined) await w.approve(users[first] ?? w.root, proposed.right)
      w.clock.pass(hoursLater * 60 * 60_000)
      const who = users[voter] ?? w.root
      const before = await seenBy(w, who, proposed.right.id)
      const { length } = await eventsOf(w)
      const voted = await w.submit(who, path, { fingerprint: proposed.right.fingerprint })
      const tookEffect = E.isRight(voted) && (await eventsOf(w)).length > length
      assert.is(tookEffect, path === 'approve_activity' ? before.canApprove : before.canReject)
      if (E.isLeft(voted)) assert.is(codeOf(voted), 'REQUEST_NOT_AUTHORIZED')
    }
    const restore = await w.submit(w.root, 'update_root_quorum', { threshold: 1, userIds: [w.root.userId] })
    if (quorum === 2) right(await w.approve(users[1] ?? w.root, right(restore)))
  }
  await fc.assert(fc.asyncProperty(scenario, rule), { numRuns: 80 })
  await w.close()
})

it('shows what works like a password to its requester alone, also in the body of a vote', async () => {
  const open = operation({
    type: 'ACTIVITY_TYPE_OPEN',
    path: 'open',
    summary: 'Opens.',
    intent: t.fields({ door: t.string, code: t.string }),
    result: t.fields({}),
    change: t.fields({}),
    passwords: ['code'],
    execute: () => ({ result: {}, change: {} }),
    evolve: () => undefined,
  })
  const w = await world({ resources: withHost([open]) })
  const { userId } = w.root
  const [grace, joan] = [await w.enrol('grace'), await w.enrol('joan')]
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [userId, grace.userId] })
  const pending = await w.done(w.root, 'open', { door: 'left', code: 'opensesame' })
  const ofOthers = await seenBy(w, joan, pending.id)
  assert.equal(ofOthers.intent, { openIntent: { door: 'left', code: '' } })
  assert.not.match(JSON.stringify(ofOthers), /opensesame/)
  const own = await seenBy(w, w.root, pending.id)
  assert.equal(own.intent, { openIntent: { door: 'left', code: 'opensesame' } })
  assert.match(String((own.votes as readonly { readonly message: string }[])[0]?.message), /opensesame/)
  await w.close()
})

it.run()
