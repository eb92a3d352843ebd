import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Basis } from '../../../core/activity/decision.ts'
import { limitsOf } from '../../../core/command/turn.ts'
import { defaultLimits, type Limits } from '../../../core/operations/limits.ts'
import { RULES_VERSION } from '../../../core/policy/rules.ts'
import { right, stamped, world } from '../../world.ts'
import { approvedBy, created, folded } from './given.ts'
import { eventsOf } from './history.ts'

const it = suite('basis of a decision')

/** On what the root's last activity was decided. */
const basisWith = async (limits?: Partial<Limits>): Promise<Basis> => {
  const w = await world(limits === undefined ? {} : { limits })
  await w.done(w.root, 'create_user_tag', { userTagName: 'ops', userIds: [] })
  const basis = (await eventsOf(w)).flatMap(({ data }) => ('decision' in data ? [data.decision.basis] : [])).at(-1)
  await w.close()
  if (basis === undefined) throw new Error('nothing was decided')
  return basis
}

it('has the limits that are not the usual ones, and no others', async () => {
  assert.is((await basisWith()).limits, undefined)
  assert.is((await basisWith({ users: 100 })).limits, undefined)
  assert.equal((await basisWith({ users: 100, userTags: 7 })).limits, { userTags: 7 })
})

it('has what was known when it was taken: the rules, the log so far, the time, the credential, where it came from', async () => {
  const w = await world()
  const before = await eventsOf(w)
  const body = w.body('create_user_tag', { userTagName: 'ops', userIds: [] })
  w.clock.pass(5_000)
  right(await w.engine.submit('create_user_tag', { ...stamped(w.root, body), address: '192.0.2.7' })())
  const [created] = (await eventsOf(w)).slice(before.length)
  assert.ok(created !== undefined && 'decision' in created.data)
  const [key] = (await w.answer(w.root, 'get_api_keys', { userId: w.root.userId })).apiKeys as readonly {
    readonly apiKeyId: string
  }[]
  assert.equal('decision' in created.data && created.data.decision.basis, {
    rules: RULES_VERSION,
    read: [{ organization: w.organizationId, sequence: String(before.length) }],
    at: '2026-01-01T00:00:05.000Z',
    credential: key?.apiKeyId,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    address: '192.0.2.7',
    factors: [],
  })
  await w.close()
})

it('gives the limits under which an activity was allowed: those of its last vote, else the usual ones', () => {
  const { votes, ...activity } = folded([created('ada'), approvedBy('grace')])
  const withLimits = votes.map((vote, n) => ({
    ...vote,
    decision: { ...vote.decision, basis: { ...vote.decision.basis, limits: { users: 7 + n } } },
  }))
  assert.equal(limitsOf({ ...activity, votes }), defaultLimits)
  assert.equal(limitsOf({ ...activity, votes: withLimits }), { ...defaultLimits, users: 8 })
})

it.run()
