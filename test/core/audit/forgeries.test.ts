import { withHost } from '../world/with-host.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { activityIdOf, denialIdOf } from '../../../core/activity/identity.ts'
import type { AuditOptions } from '../../../core/audit/report.ts'
import type { Json } from '../../../core/failure.ts'
import type { FindingCode } from '../../../core/log/finding.ts'
import { hostOperations } from '../../system/golden/host-operations.ts'
import { anyPasskey } from '../world/software-passkey.ts'
import type { Person } from '../world/world.ts'
import { copied, decisionOf, draftsOf, fail, forged, must, rebased, type Draft } from './forgery.ts'
import { audited, codesIn, digest, exported, trio, type Trio } from './logs.ts'
import { payments } from './payments.ts'

/*
 * Histories that never were, made of events that were: copied, moved, dated otherwise, cut in the middle of a commit, or told
 * with another basis. All hashes are made anew, and every decision says that it was made on the state right before it.
 */
const operations = hostOperations({ answers: [] })

type Forgery = readonly [
  name: string,
  change: (drafts: Draft[], outsider: Person) => readonly Draft[] | void,
  found: readonly FindingCode[],
]

const forgeries: readonly Forgery[] = [
  [
    'a payment that was approved once happens again',
    (drafts) => [...drafts, ...eventsOf(drafts, 'baker', 700).map(copied)],
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'a payment that was approved once happens ten times',
    (drafts) => [...drafts, ...Array.from({ length: 10 }, () => eventsOf(drafts, 'baker', 700).map(copied)).flat()],
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'a vote comes once more after the end of its activity',
    (drafts) => [...drafts, ...eventsOf(drafts, 'baker', 700).slice(1, 2).map(copied)],
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'a payment is concluded twice',
    (drafts) => [...drafts, ...eventsOf(drafts, 'baker', 700).slice(-1).map(copied)],
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'a denial is moved before the deletion of the policy that it was denied without',
    (drafts) => {
      const denied = must(drafts.find(({ event }) => verdictOf(event)?.outcome === 'DENIED'))
      const deletion = drafts.findIndex(({ event }) => event.data.type === 'ACTIVITY_TYPE_DELETE_POLICY')
      return [...drafts.slice(0, deletion), denied, ...drafts.slice(deletion).filter((draft) => draft !== denied)]
    },
    ['TIME_DIFFERS'],
  ],
  [
    'two votes are swapped with their times, so that the one that had lapsed counts',
    (drafts) => {
      const [created, vote] = eventsOf(drafts, 'printer', 100)
      const [one, other] = [drafts.indexOf(must(created)), drafts.indexOf(must(vote))]
      return drafts.with(one, must(vote)).with(other, must(created))
    },
    ['TIME_DIFFERS'],
  ],
  ['an event is dated before the one that it follows', (drafts) => dated(must(drafts.at(-1)), -1), ['TIME_DIFFERS']],
  [
    'a decision says that its clock was behind, to make its request look younger',
    (drafts) => {
      const denied = must(drafts.find(({ event }) => verdictOf(event)?.outcome === 'DENIED'))
      decisionOf(denied).basis.clock = new Date(Date.parse(denied.event.at) - 1).toISOString()
    },
    ['TIME_DIFFERS'],
  ],
  [
    'a decision says that its clock was ahead of its time',
    (drafts) => {
      const last = must(eventsOf(drafts, 'baker', 700)[1])
      decisionOf(last).basis.clock = new Date(Date.parse(last.event.at) + 1000).toISOString()
    },
    ['TIME_DIFFERS'],
  ],
  [
    'effects outside that were allowed are never started',
    (drafts) => without(drafts, eventsOf(drafts, 'baker', 700).slice(2)),
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'effects outside that were allowed are never started, and others follow',
    (drafts) => without(drafts, eventsOf(drafts, 'paid first', 300).slice(2)),
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'work that was allowed is never concluded',
    (drafts) =>
      without(drafts, [must(drafts.find(({ event }) => isQuote(event) && event.type === 'ActivityCompleted'))]),
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'work that was allowed is said to have failed',
    (drafts) =>
      fail(must(drafts.find(({ event }) => isQuote(event) && event.type === 'ActivityCompleted')), 'UNAVAILABLE'),
    ['STATUS_IMPOSSIBLE'],
  ],
  [
    'effects outside are said to have been refused before they began',
    (drafts) => {
      const [, , started, completed] = eventsOf(drafts, 'baker', 700)
      fail(must(started), 'RESOURCE_NOT_FOUND')
      return without(drafts, [must(completed)])
    },
    ['EXECUTION_DIFFERS'],
  ],
  [
    'effects outside are tried again before the time that they were given',
    (drafts) => {
      const [, , started] = eventsOf(drafts, 'baker', 700)
      const again = copied(must(started))
      again.event.data = { ...must(started).event.data, attempt: 2 }
      return drafts.toSpliced(drafts.indexOf(must(started)) + 1, 0, again)
    },
    ['TIME_DIFFERS'],
  ],
  [
    'work inside is said to have failed because it had to wait',
    (drafts) => {
      const [created] = askedBy(drafts, '"item":"ink"')
      fail(completionOf(drafts, created), 'UNAVAILABLE')
    },
    ['EXECUTION_DIFFERS'],
  ],
  [
    'an activity waits that its operation refused when it was asked for',
    (drafts) => {
      const [one, other] = askedBy(drafts, '"of both"')
      const rest = without(drafts, [must(other)])
      return rest.toSpliced(rest.indexOf(completionOf(rest, one)) + 1, 0, must(other))
    },
    ['EXECUTION_DIFFERS'],
  ],
  [
    'a limit is made up that turns a completion into a failure',
    (drafts) => {
      const completed = must(drafts.findLast(({ event }) => event.data.type === 'ACTIVITY_TYPE_CREATE_USERS_V4'))
      const vote = must(drafts[drafts.indexOf(completed) - 1])
      decisionOf(vote).basis.limits = { users: 0 }
      fail(completed, 'RESOURCE_EXHAUSTED')
    },
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision names a limit that there is not',
    (drafts) => void (basisOf(drafts).limits = { wallets: 5 }),
    ['BASIS_DIFFERS'],
  ],
  [
    'a decision counts second factors that nobody gave',
    (drafts) => void (basisOf(drafts).factors = ['totp']),
    ['BASIS_DIFFERS'],
  ],
  [
    'an event names a part that is not there',
    (drafts) => void (must(drafts.at(-1)).erased = { more: '0'.repeat(64) }),
    ['PART_MISPLACED'],
  ],
  [
    'a vote names a part beside its request that is not there',
    (drafts) => void (must(drafts.findLast(({ request }) => request !== undefined)).erased = { more: '0'.repeat(64) }),
    ['PART_MISPLACED'],
  ],
  [
    'the members of a decision stand in another order',
    (drafts) => {
      const { data } = must(drafts.find(({ event }) => event.data.decision !== undefined)).event
      const { decision, ...rest } = data
      must(drafts.find(({ event }) => event.data === data)).event.data = { decision: decision ?? null, ...rest }
    },
    ['LINE_UNREADABLE'],
  ],
  [
    'the members of a completion stand in another order',
    (drafts) => {
      const draft = must(drafts.find(({ event }) => event.type === 'ActivityCompleted'))
      const { change = null, result = null, type = null } = draft.event.data
      draft.event.data = { type, change, result }
    },
    ['LINE_UNREADABLE'],
  ],
  [
    'a denial stands under the id that somebody else may still use',
    (drafts) => {
      const denied = must(drafts.find(({ event }) => verdictOf(event)?.outcome === 'DENIED')).event
      denied.activity = activityIdOf(digest, denied.organization, denied.data.fingerprint as string) // our own log
    },
    ['REQUEST_DIFFERS'],
  ],
  [
    'an activity is set aside as if it had been denied',
    (drafts) => {
      const events = eventsOf(drafts, 'baker', 700)
      const { organization, data } = must(events[0]).event
      const id = denialIdOf(digest, organization, data.fingerprint as string, data.requester as string) // our own log
      for (const { event } of events) event.activity = id
    },
    ['REQUEST_DIFFERS'],
  ],
  [
    'what was done is another operation than what was allowed, and the request is erased',
    (drafts, outsider) => {
      const [created, , , completed] = eventsOf(drafts, 'baker', 700)
      must(created).erased = { request: '0'.repeat(64) }
      must(created).request = undefined
      must(completed).event.data = {
        type: 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM',
        result: {},
        change: { threshold: 1, userIds: [outsider.userId] },
        revision: 1,
      }
    },
    ['EXECUTION_DIFFERS'],
  ],
]

/** The events of the payment of an amount to somebody. */
const eventsOf = (drafts: readonly Draft[], payee: string, cents: number): readonly Draft[] => {
  const created = must(askedBy(askedBy(drafts, `"payee":"${payee}"`), `:${cents}}`).at(-1))
  return drafts.filter(({ event }) => event.activity === created.event.activity)
}
const askedBy = (drafts: readonly Draft[], part: string): readonly Draft[] =>
  drafts.filter(({ request }) => request?.body.includes(part) === true)

const completionOf = (drafts: readonly Draft[], of: Draft | undefined): Draft =>
  must(drafts.find(({ event }) => event.type === 'ActivityCompleted' && event.activity === must(of).event.activity))

const without = (drafts: readonly Draft[], left: readonly Draft[]): readonly Draft[] =>
  drafts.filter((draft) => !left.includes(draft))

const dated = (draft: Draft, ms: number): undefined => {
  draft.event.at = new Date(Date.parse(draft.event.at) + ms).toISOString()
}

const isQuote = ({ data }: Draft['event']): boolean => data.type === 'ACTIVITY_TYPE_QUOTE'

const verdictOf = (event: Draft['event']): { readonly [member: string]: Json } | undefined =>
  event.data.decision === undefined ? undefined : decisionOf({ event, request: undefined }).verdict

/** The basis of the last decision. */
const basisOf = (drafts: readonly Draft[]): { [member: string]: Json } =>
  decisionOf(must(drafts.findLast(({ event }) => event.data.decision !== undefined))).basis

for (const [by, options] of [
  ['keys', {}],
  ['passkeys', { passkeys: anyPasskey }],
] as const) {
  const it = suite(`forged histories of ${by}`)
  let made: Trio
  let outsider: Person
  let honest = ''
  let known: AuditOptions
  it.before(async () => {
    made = await trio({ ...options, resources: withHost([...operations]) })
    outsider = await payments(made)
    honest = await exported(made.storage.store)
    const { organizations } = await audited(honest, {}, operations)
    const pins = new Map(organizations.map(({ organization, genesis = '' }) => [organization, genesis]))
    known = { pins, heads: organizations, erasedMax: 0, rulesMin: 1 }
  })
  it.after(() => made.close())

  for (const [name, change, codes] of forgeries) {
    for (const [whom, options] of [
      ['an auditor who knows nothing else', () => ({})],
      ['one who knows pins, heads, rules and that nothing was erased', () => known],
    ] as const) {
      it(`are found by ${whom}: ${name}`, async () => {
        const drafts = draftsOf(honest)
        const forgery = forged(rebased(change(drafts, outsider) ?? drafts))
        const found = codesIn(await audited(forgery, options(), operations))
        for (const code of codes)
          assert.ok(found.includes(code), `expected ${code} among ${found.join() || 'no findings'}`)
      })
    }
  }

  it('are not seen in the honest log, nor where its hashes are made anew', async () => {
    assert.equal((await audited(honest, known, operations)).findings, [])
    assert.equal((await audited(forged(rebased(draftsOf(honest))), {}, operations)).findings, [])
  })

  it.run()
}
