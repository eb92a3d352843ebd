import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { audited, exported } from '../audit/logs.ts'
import { right, world, type Person, type World } from '../world/world.ts'
import { API_KEY, keyringOf, requires, steps, TWO_KEYS, type Keyring } from './factors.ts'

/*
 * Who has an MFA policy, how far it is met, and what the rules say without it: each cell is the status of the activity, and behind a slash
 * what the answer to the last vote shows in its place.
 */
const it = suite('second factors in each case')

const ROLES = ['proposer', 'approver', 'root user'] as const
const FACTORS = ['no policy', 'met', 'unmet', 'condition errs', 'second in order'] as const
const CASES = ['allowed', 'waiting', 'denied', 'lapsed'] as const
type Role = (typeof ROLES)[number]
type Factor = (typeof FACTORS)[number]
type Case = (typeof CASES)[number]

const [DONE, WAITS, FACTOR, OVER] = ['COMPLETED', 'CONSENSUS_NEEDED', 'AUTHENTICATORS_NEEDED', 'REJECTED'] as const
const LACKS = `${WAITS}/${FACTOR}`

/** In the order of the cases. */
const EXPECTED: Readonly<Record<Role, Readonly<Record<Factor, readonly [string, string, string, string]>>>> = {
  proposer: {
    'no policy': [DONE, WAITS, OVER, WAITS],
    met: [DONE, WAITS, OVER, FACTOR],
    unmet: [FACTOR, FACTOR, OVER, FACTOR],
    'condition errs': [DONE, WAITS, OVER, WAITS],
    'second in order': [FACTOR, FACTOR, OVER, FACTOR],
  },
  approver: {
    'no policy': [DONE, WAITS, OVER, DONE],
    met: [DONE, WAITS, OVER, LACKS],
    unmet: [LACKS, LACKS, OVER, LACKS],
    'condition errs': [DONE, WAITS, OVER, DONE],
    'second in order': [LACKS, LACKS, OVER, LACKS],
  },
  // What a root user proposes is never denied: the other members may still meet the quorum.
  'root user': {
    'no policy': [DONE, WAITS, WAITS, WAITS],
    met: [DONE, WAITS, WAITS, FACTOR],
    unmet: [FACTOR, FACTOR, FACTOR, FACTOR],
    'condition errs': [DONE, WAITS, WAITS, WAITS],
    'second in order': [FACTOR, FACTOR, FACTOR, FACTOR],
  },
}

const DAY_MS = 25 * 60 * 60_000

/** A world with the people of the table. */
type Cast = World & { readonly ada: Keyring; readonly grace: Keyring; readonly joan: Person; readonly boss: Keyring }

const cast = async (): Promise<Cast> => {
  const made = await world()
  const [ada, grace, joan] = [await made.enrol('ada'), await made.enrol('grace'), await made.enrol('joan')]
  return {
    ...made,
    joan,
    ada: await keyringOf(made, ada),
    grace: await keyringOf(made, grace),
    boss: await keyringOf(made, made.root),
  }
}

const tagPolicy = (made: World, effect: string, consensus: string): Promise<ActivityView> =>
  made.done(made.root, 'create_policy', {
    policyName: `${effect} ${consensus}`,
    effect,
    condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
    consensus,
    notes: '',
  })

const limitTo = async (made: Cast, { first }: Keyring, factor: Factor): Promise<void> => {
  if (factor === 'met' || factor === 'unmet') await requires(made, first, TWO_KEYS)
  if (factor === 'condition errs') await requires(made, first, TWO_KEYS, { condition: "activity.params.none == 'x'" })
  if (factor !== 'second in order') return
  await requires(made, first, TWO_KEYS, { order: 2 })
  await requires(made, first, steps(API_KEY), { order: 1, condition: "activity.resource == 'POLICY'" })
}

/** What the last of these shows; what is refused is a denial, and shown as the store has it. */
type Shown = { readonly status: string; readonly answer: string }

const tell = async (made: Cast, id: string | undefined, answer: string): Promise<Shown> => {
  const listed = await made.answer(made.joan, 'list_activities', {
    filterByType: ['ACTIVITY_TYPE_CREATE_USER_TAG'],
    paginationOptions: { limit: '1' },
  })
  const [newest] = listed['activities'] as readonly { readonly id: string; readonly status: string }[]
  assert.ok(newest !== undefined && (id === undefined || newest.id === id))
  return { status: newest.status, answer }
}

const propose = async (made: Cast, { first, second }: Keyring, factor: Factor): Promise<ActivityView | undefined> => {
  const sent = await made.submit(first, 'create_user_tag', { userTagName: 'tag', userIds: [] })
  if (E.isLeft(sent)) return undefined
  return factor === 'met' ? right(await made.approve(second, sent.right)) : sent.right
}

const approve = async (made: Cast, { first, second }: Keyring, open: ActivityView, factor: Factor) => {
  const voted = right(await made.approve(first, open))
  return factor === 'met' ? right(await made.approve(second, open)) : voted
}

const byProposer = async (made: Cast, factor: Factor, of: Case, who: Keyring): Promise<Shown> => {
  const open = await propose(made, who, factor)
  if (open === undefined) return tell(made, undefined, 'ACTIVITY_STATUS_REJECTED')
  if (of !== 'lapsed') return tell(made, open.id, open.status)
  made.clock.pass(DAY_MS)
  return tell(made, open.id, right(await made.approve(made.joan, open)).status)
}

const played: Readonly<Record<Role, (made: Cast, factor: Factor, of: Case) => Promise<Shown>>> = {
  proposer: async (made, factor, of) => {
    const count = of === 'allowed' || of === 'denied' ? 1 : of === 'lapsed' ? 2 : 3
    await tagPolicy(made, 'EFFECT_ALLOW', `approvers.count() >= ${count}`)
    if (of === 'denied') await tagPolicy(made, 'EFFECT_DENY', 'approvers.count() >= 1')
    await limitTo(made, made.ada, factor)
    return byProposer(made, factor, of, made.ada)
  },
  approver: async (made, factor, of) => {
    await tagPolicy(made, 'EFFECT_ALLOW', `approvers.count() >= ${of === 'allowed' ? 2 : 3}`)
    const deniers = `approvers.any(user, user.id == '${made.grace.first.userId}')`
    if (of === 'denied') await tagPolicy(made, 'EFFECT_DENY', deniers)
    await limitTo(made, made.grace, factor)
    const open = await propose(made, made.ada, 'no policy')
    assert.ok(open)
    const voted = await approve(made, made.grace, open, factor)
    if (of !== 'lapsed') return tell(made, open.id, voted.status)
    made.clock.pass(DAY_MS)
    for (const again of [made.ada.first, made.joan]) right(await made.approve(again, open))
    return tell(made, open.id, right(await made.approve(made.grace.second, open)).status)
  },
  'root user': async (made, factor, of) => {
    await limitTo(made, made.boss, factor)
    const threshold = of === 'allowed' ? 1 : of === 'lapsed' ? 2 : 3
    if (of === 'denied') await tagPolicy(made, 'EFFECT_DENY', 'approvers.count() >= 1')
    const userIds = [made.root.userId, made.joan.userId, made.grace.first.userId]
    await made.done(made.root, 'update_root_quorum', { threshold, userIds })
    return byProposer(made, factor, of, made.boss)
  },
}

for (const role of ROLES)
  for (const factor of FACTORS)
    for (const [index, of] of CASES.entries())
      it(`${role}, ${factor}, ${of}`, async () => {
        const made = await cast()
        const { status, answer } = await played[role](made, factor, of)
        const short = (text: string): string => text.replace('ACTIVITY_STATUS_', '')
        const seen = status === answer ? short(status) : `${short(status)}/${short(answer)}`
        assert.is(seen, EXPECTED[role][factor][index])
        const { findings } = await audited(await exported(made.storage.store))
        assert.equal(findings, [])
        await made.close()
      })

it.run()
