import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseEnvelope } from '../../../core/activity/envelope.ts'
import { approvalsOf, decisionInputOf } from '../../../core/deciding/decision-input.ts'
import { evolve, type Activity } from '../../../core/activity/activity.ts'
import { statusAfter } from '../../../core/log/standing.ts'
import { decodeEvent, millis, type Event } from '../../../core/log/event.ts'
import { partsOf, REQUEST } from '../../../core/log/parts.ts'
import { decodeRequestPart } from '../../../core/log/request-part.ts'
import { foldEvent } from '../../../core/organization/fold.ts'
import { initial, type Organization } from '../../../core/organization/state.ts'
import { decodeStates, flatten } from '../../../core/organization/snapshot.ts'
import { verdictOf } from '../../../core/policy/consensus.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import { E } from '../../../core/prelude.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { right, world, type Person, type World } from '../world/world.ts'
import { faultyStore } from './faulty-store.ts'
import { assertSound, eventsOf, recordsOf, replayed } from './history.ts'

const it = suite('replay')

/** What the rules say of the matter of an event, on the state before it. */
const verdictOn = (
  { engine }: World,
  organization: Organization,
  activity: Activity | undefined,
  event: Extract<Event, { readonly type: 'ActivityCreated' | 'ActivityVoted' }>,
  asked: ReadonlyMap<string, Uint8Array>,
) => {
  const requester = event.type === 'ActivityCreated' ? event.data.requester : (activity?.requester ?? '')
  const type = event.type === 'ActivityCreated' ? event.data.type : (activity?.type ?? '')
  const userId = event.type === 'ActivityCreated' ? event.data.requester : event.data.user
  const found = engine.catalogue.byType(type)
  const body = asked.get(event.activity)
  if (found === undefined || body === undefined) throw new Error(`nothing is known of ${type}`)
  const { intent } = right(found.version.decodeIntent(right(parseEnvelope(body)).parameters))
  const { basis } = event.data.decision
  const approvals = approvalsOf(activity, millis(basis.at), { userId, credentialId: basis.credential })
  const input = decisionInputOf(found.operation, { organization, type, intent, requester, atMs: millis(basis.at) })
  return verdictOf(organization, input, approvals)
}

/** Replays a log one event at a time, and takes each decision again on the state before it. */
const assertDecided = (w: World, records: readonly Recorded[]): void => {
  const draft = initial(w.organizationId)
  const activities = new Map<string, Activity>()
  const asked = new Map<string, Uint8Array>()
  for (const { line, parts } of records) {
    const event = right(decodeEvent(line))
    const part = parts.find(({ name }) => name === REQUEST)
    if (event.type === 'ActivityCreated' && part !== undefined)
      asked.set(event.activity, right(decodeRequestPart(part.bytes)).body)
    const activity = activities.get(event.activity)
    if (event.type === 'ActivityCreated' || event.type === 'ActivityVoted') {
      const { verdict, basis } = event.data.decision
      assert.equal(basis.read, [{ organization: w.organizationId, sequence: String(event.sequence - 1n) }])
      if (verdict.rule === 'vote')
        assert.is(event.type === 'ActivityVoted' && event.data.selection, 'VOTE_SELECTION_REJECTED')
      else if (verdict.rule !== 'genesis') assert.equal(verdict, verdictOn(w, draft, activity, event, asked))
    }
    activities.set(event.activity, evolve(activity, event))
    right(foldEvent(draft, event, w.engine.catalogue, partsOf(event, parts)))
  }
}

const index = fc.nat({ max: 7 })
const consensus = fc.constantFrom(
  '',
  'approvers.count() >= 2',
  'approvers.count() >= 3',
  "approvers.any(user, user.alias == 'user 1')",
)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('tag' as const), who: index }) },
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constantFrom('approve' as const, 'reject' as const), who: index, which: index }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('approve' as const), who: index, which: index }) },
  fc.record({
    does: fc.constant('policy' as const),
    who: index,
    effect: fc.constantFrom('EFFECT_ALLOW', 'EFFECT_ALLOW', 'EFFECT_DENY'),
    consensus,
  }),
  fc.record({ does: fc.constant('edit' as const), who: index, which: index, consensus }),
  fc.record({
    does: fc.constant('quorum' as const),
    who: index,
    threshold: fc.integer({ min: 1, max: 3 }),
    members: fc.array(index, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ does: fc.constant('remove' as const), who: index, which: index }),
  fc.record({ does: fc.constant('rename' as const), who: index, which: index }),
  fc.record({ does: fc.constant('wait' as const), hours: fc.constantFrom(1, 12, 24) }),
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Carries out a step; most are refused by somebody, and that is well. Steps between two waits run at the same time. */
const carriedOut = async (
  w: World,
  people: readonly Person[],
  seen: Map<string, ActivityView>,
  chosen: Step,
  n: number,
) => {
  if (chosen.does === 'wait') return w.clock.pass(chosen.hours * 60 * 60_000)
  const person = (at: number): Person => people[at % people.length] ?? w.root
  const who = person(chosen.who)
  // Asked by one who may be gone meanwhile.
  const policies = async () => {
    const listed = await w.ask(who, 'list_policies')
    return E.isLeft(listed) ? [] : (listed.right.policies as readonly { readonly policyId: string }[])
  }
  const submit = async () => {
    switch (chosen.does) {
      case 'tag':
        return w.submit(who, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
      case 'approve':
      case 'reject': {
        const open = [...seen.values()].filter(({ status }) => status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
        const activity = open[chosen.which % Math.max(1, open.length)]
        return activity && w[chosen.does](who, activity)
      }
      case 'policy':
        return w.submit(who, 'create_policy', {
          policyName: `policy ${n}`,
          effect: chosen.effect,
          condition: "activity.resource == 'USER'",
          consensus: chosen.consensus,
          notes: '',
        })
      case 'edit': {
        const all = await policies()
        const policyId = all[chosen.which % Math.max(1, all.length)]?.policyId
        return policyId && w.submit(who, 'update_policy', { policyId, policyConsensus: chosen.consensus })
      }
      case 'quorum': {
        const userIds = [...new Set(chosen.members.map((at) => person(at).userId))]
        return w.submit(who, 'update_root_quorum', { threshold: Math.min(chosen.threshold, userIds.length), userIds })
      }
      case 'remove':
        return w.submit(who, 'delete_users', { userIds: [person(chosen.which).userId] })
      case 'rename':
        return w.submit(who, 'update_user', { userId: person(chosen.which).userId, userName: `user ${n % 5}` })
      default:
        return chosen satisfies never
    }
  }
  const told = await submit()
  if (typeof told === 'object' && E.isRight(told)) seen.set(told.right.id, told.right)
}

it('leads, one event at a time, to the state that the engine decided on, by the verdicts that the rules give', async () => {
  const statuses = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 70, maxLength: 90 }), async (steps) => {
      const store = faultyStore()
      const w = await world({ store })
      const people = [
        w.root,
        await w.enrol('user 1'),
        await w.enrol('user 2'),
        await w.enrol('user 3'),
        await w.enrol('user 4'),
      ]
      for (let filler = 0; filler < 45; filler += 1)
        await w.done(w.root, 'update_user', { userId: w.root.userId, userName: 'root' })
      const two = 'approvers.count() >= 2'
      await w.done(w.root, 'create_policy', { policyName: 'two', effect: 'EFFECT_ALLOW', consensus: two, notes: '' })
      const seen = new Map<string, ActivityView>()
      let together: Promise<void>[] = []
      for (const [n, chosen] of steps.entries()) {
        together.push(carriedOut(w, people, seen, chosen, n))
        if (n % 4 === 0 || chosen.does === 'wait') {
          await Promise.all(together)
          together = []
        }
      }
      await Promise.all(together)
      const events = await eventsOf(w)
      assertSound(events)
      for (const event of events) statuses.add(statusAfter(event))
      const records = await recordsOf(w)
      assertDecided(w, records)
      await w.close()
      const saved = right(await store.readModels.snapshot(w.organizationId)())
      const state = saved && decodeStates(w.organizationId, saved.parts, w.engine.catalogue)
      assert.is(saved?.sequence, BigInt(events.length))
      assert.equal(state && flatten(state), flatten(replayed(w.organizationId, records, w.engine.catalogue)))
    }),
    { numRuns: 6, endOnFailure: true },
  )
  for (const status of ['COMPLETED', 'REJECTED', 'CONSENSUS_NEEDED'])
    assert.ok(statuses.has(`ACTIVITY_STATUS_${status}`), status)
})

it.run()
