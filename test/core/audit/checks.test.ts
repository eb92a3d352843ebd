import * as t from '../../../core/codec/t.ts'
import { withHost } from '../world/with-host.ts'
import { eventVersions, type EventType } from '../../../core/log/event.ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stamp } from '../../../adapters/signatures/signer.ts'
import { activityIdOf, fingerprintOf } from '../../../core/activity/identity.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { operation } from '../../../core/definition/operation.ts'
import type { ActivityView } from '../../../core/view/activity-view.ts'
import { right, type Person } from '../world/world.ts'
import { anotherId, decisionOf, draftsOf, forged, must, type Draft } from './forgery.ts'
import { audited, digest, exported, trio, type Trio } from './logs.ts'

/*
 * Each check on its own, with a log that fails it: mostly what a server would do that breaks the rules together with a
 * user, whose stamps are in order.
 */
const it = suite('each check of an audit')

let made: Trio
let outsider: Person
/** Left open: it waits for one more approval. */
let open: ActivityView
let log = ''
it.before(async () => {
  made = await trio({ resources: withHost([pay]) }, async (begun) => void (outsider = await begun.enrol('outsider')))
  const { ada, body, done, grace, root, send, submit, storage, approve } = made
  right(await approve(grace, await done(ada, 'pay', {})))
  const shared = body('create_user_tag', { userTagName: 'shared', userIds: [] })
  right(await send(ada, 'create_user_tag', shared))
  right(await send(root, 'create_user_tag', shared))
  await submit(outsider, 'create_user_tag', { userTagName: 'denied', userIds: [] })
  open = await done(ada, 'create_user_tag', { userTagName: 'open', userIds: [] })
  log = await exported(storage.store)
})
it.after(() => made.close())

type Check = readonly [message: RegExp, change: (drafts: Draft[]) => unknown]

const checks: readonly Check[] = [
  [/begin with a create-organization activity/, (drafts) => drafts.splice(0, 2)],
  [
    /begin with a create-organization activity/,
    ([genesis]) => (must(genesis).event.data.type = 'ACTIVITY_TYPE_CREATE_USERS_V4'),
  ],
  [/begun by none of its root users/, ([genesis]) => (must(genesis).event.data.requester = open.id)],
  [/has been created already/, (drafts) => drafts.push(structuredClone(must(drafts.at(-1))))],
  [
    /waited for no vote/,
    (drafts) => drafts.splice(index(drafts, 'ActivityStarted') + 1, 0, vote(drafts, made.root, paid(drafts))),
  ],
  [
    /not allowed was started/,
    (drafts) => drafts.push(after(drafts, 'ActivityStarted', { attempt: 1, resumeAt: AT, revision: 1 })),
  ],
  [
    /has no effects outside/,
    (drafts) => drafts.push(after(drafts, 'ActivityStarted', { attempt: 1, resumeAt: AT, revision: 1 })),
  ],
  [/expected attempt 1/, (drafts) => (must(drafts[index(drafts, 'ActivityStarted')]).event.data.attempt = 2)],
  [/time in UTC/, (drafts) => (must(drafts[index(drafts, 'ActivityStarted')]).event.data.resumeAt = 'soon')],
  [
    /may follow before this one began/,
    (drafts) =>
      (must(drafts[index(drafts, 'ActivityStarted')]).event.data.resumeAt = new Date(Date.parse(AT) - 1).toISOString()),
  ],
  [/completed before it was started/, (drafts) => drafts.splice(index(drafts, 'ActivityStarted'), 1)],
  [/what the work of the operation brought/, (drafts) => delete concluded(drafts, 'ACTIVITY_TYPE_PAY').performed],
  [
    /no work that could have brought anything/,
    (drafts) => {
      const data = concluded(drafts, 'ACTIVITY_TYPE_CREATE_USER_TAG')
      const { revision = null, limits = null } = data
      for (const name of ['revision', 'limits']) delete data[name]
      Object.assign(data, { performed: {}, revision, limits }) // in the order of the codec
    },
  ],
  [/another result/, (drafts) => (concluded(drafts, 'ACTIVITY_TYPE_PAY').performed = { receipt: 'r-2' })],
  [
    /is one of ACTIVITY_TYPE_CREATE_USER_TAG/,
    (drafts) => (concluded(drafts, 'ACTIVITY_TYPE_CREATE_USER_TAG').type = 'ACTIVITY_TYPE_PAY'),
  ],
  [
    /finished, or was never created/,
    (drafts) => drafts.push(structuredClone(must(drafts[index(drafts, 'ActivityCompleted')]))),
  ],
  [/expected ActivityCompleted of this activity/, (drafts) => drafts.splice(index(drafts, 'ActivityCompleted'), 1)],
  [/activity id is not the one that follows/, (drafts) => (must(drafts.at(-1)).event.activity = made.organizationId)],
  [
    /request is one for ACTIVITY_TYPE_CREATE_USER_TAG/,
    (drafts) => (must(drafts.at(-1)).event.data.type = 'ACTIVITY_TYPE_PAY'),
  ],
  [/parameters cannot be read/, (drafts) => asks(drafts, made.ada, { type: TAG, parameters: {} })],
  [/request is for another organization/, (drafts) => asks(drafts, made.ada, { organizationId: open.id })],
  [/request cannot be read/, (drafts) => asks(drafts, made.ada, 'rubbish')],
  [
    /too old when it was decided on/,
    (drafts) => asks(drafts, made.ada, { timestampMs: String(Date.parse(AT) - HOUR_MS) }),
  ],
  [/from the future/, (drafts) => asks(drafts, made.ada, { timestampMs: String(Date.parse(AT) + HOUR_MS) })],
  [/stamp cannot be read/, (drafts) => (must(must(drafts.at(-1)).request).head.stamp = 'rubbish')],
  [/was not registered then/, (drafts) => drafts.splice(3, 0, must(drafts.pop()))],
  [/was not the key of this user/, (drafts) => asks(drafts, made.grace, {})],
  [/is not the credential of the basis/, (drafts) => (decisionOf(must(drafts.at(-1))).basis.credential = open.id)],
  [
    /scheme of the stamp is not the scheme/,
    (drafts) => (decisionOf(must(drafts.at(-1))).basis.scheme = 'SIGNATURE_SCHEME_TK_API_ED25519'),
  ],
  [/could not vote/, (drafts) => drafts.push(vote(drafts, outsider, open, 'reject'))],
  [/counts already/, (drafts) => drafts.push(vote(drafts, made.ada, open))],
  [
    /request is not one of approve_activity/,
    (drafts) => drafts.push({ ...vote(drafts, made.root, open), ...asked(made.root, 'reject', open.fingerprint) }),
  ],
  [
    /votes on another activity/,
    (drafts) =>
      drafts.push({ ...vote(drafts, made.root, open), ...asked(made.root, 'approve', `${open.fingerprint}0`) }),
  ],
  [/too old when it was decided on/, (drafts) => drafts.push(at(vote(drafts, made.root, open), 2 * HOUR_MS))],
  [/body of the activity approves it$/, (drafts) => (shared(drafts).event.data.selection = 'VOTE_SELECTION_REJECTED')],
  [/within 24 hours, and not again/, (drafts) => at(shared(drafts), 25 * HOUR_MS)],
  [
    /taken again, the decision is REJECTED/,
    (drafts) => {
      const rejection = vote(drafts, made.root, open, 'reject')
      decisionOf(rejection).verdict.rule = 'policies'
      drafts.push(rejection)
    },
  ],
  [
    /expected a clock that is behind/,
    (drafts) => (decisionOf(must(drafts.at(-1))).basis.clock = AT.replace('.000Z', 'Z').replace('2026', '2025')),
  ],
  [/state of its organization/, (drafts) => (decisionOf(must(drafts.at(-1))).basis.read = [])],
  [
    /not made on the state right before/,
    (drafts) => (decisionOf(must(drafts.at(-1))).basis.read = [{ organization: made.organizationId, sequence: '2' }]),
  ],
]

for (const [message, change] of checks) {
  it(`finds: ${message.source}`, async () => {
    const drafts = draftsOf(log)
    change(drafts)
    const { findings } = await audited(forged(drafts), {}, [pay])
    assert.ok(
      findings.some((finding) => message.test(finding.message)),
      findings.map((one) => one.message).join('\n'),
    )
  })
}

it('finds nothing in the log that they begin with, nor in an honest vote', async () => {
  const drafts = draftsOf(log)
  assert.equal((await audited(forged(drafts), {}, [pay])).findings, [])
  drafts.push(vote(drafts, made.root, open, 'reject'))
  assert.equal((await audited(forged(drafts), {}, [pay])).findings, [])
})

it('believes a decision on a state that others have not changed since', async () => {
  const drafts = draftsOf(log)
  decisionOf(must(drafts.at(-1))).basis.read = [
    { organization: made.organizationId, sequence: String(drafts.length - 2) },
  ]
  assert.equal((await audited(forged(drafts), {}, [pay])).findings, [])
})

const HOUR_MS = 60 * 60 * 1000
const AT = '2026-01-01T00:00:00.000Z'
const TAG = 'ACTIVITY_TYPE_CREATE_USER_TAG'

const pay = operation({
  type: 'ACTIVITY_TYPE_PAY',
  path: 'pay',
  summary: 'Pays.',
  intent: t.fields({}),
  result: t.fields({ receipt: t.string }),
  change: t.fields({}),
  perform: {
    outside: true,
    resumeAfterMs: 1000,
    attemptsMax: 2,
    whenInterrupted: 'retry',
    performed: t.fields({ receipt: t.string }),
    run: () => ({ receipt: 'r-1' }),
  },
  execute: (_, { performed: { receipt } }) => ({ result: { receipt }, change: {} }),
  evolve: () => undefined,
})

const index = (drafts: readonly Draft[], type: string): number => drafts.findIndex(({ event }) => event.type === type)

const paid = (drafts: readonly Draft[]): Pick<ActivityView, 'id' | 'fingerprint'> => {
  const { event } = must(drafts.find(({ event }) => event.data.type === 'ACTIVITY_TYPE_PAY'))
  return { id: event.activity, fingerprint: event.data.fingerprint as string } // our own log
}

const concluded = (drafts: readonly Draft[], type: string): { [member: string]: Json } =>
  must(drafts.find(({ event }) => event.type === 'ActivityCompleted' && event.data.type === type)).event.data

/** The vote that was made with the body of its activity. */
const shared = (drafts: readonly Draft[]): Draft =>
  must(drafts.find(({ event, request }) => event.type === 'ActivityVoted' && request?.body.includes('"shared"')))

/** Another event of the activity that is left open. */
const after = (drafts: readonly Draft[], type: EventType, data: { [member: string]: Json }): Draft => {
  const last = structuredClone(must(drafts.at(-1)))
  return { event: { ...last.event, id: anotherId(), type, version: eventVersions[type], data }, request: undefined }
}

/** A vote as the server would have written it next, honestly stamped. */
const vote = (
  drafts: readonly Draft[],
  person: Person,
  activity: Pick<ActivityView, 'id' | 'fingerprint'>,
  way: 'approve' | 'reject' = 'approve',
): Draft => {
  const last = structuredClone(must(drafts.at(-1)))
  const { basis } = decisionOf(last)
  delete basis.limits // a vote reads none
  const decision = {
    verdict: { outcome: 'REJECTED', rule: 'vote', evaluations: [] },
    basis: {
      ...basis,
      credential: credentialOf(drafts, person),
      read: [{ organization: made.organizationId, sequence: String(drafts.length) }],
    },
  }
  const data = {
    user: person.userId,
    selection: `VOTE_SELECTION_${way === 'reject' ? 'REJECTED' : 'APPROVED'}`,
    decision: decision as Json,
  }
  return {
    event: {
      ...last.event,
      id: anotherId(),
      activity: activity.id,
      type: 'ActivityVoted',
      version: eventVersions.ActivityVoted,
      data,
    },
    ...asked(person, way, activity.fingerprint),
  }
}

const asked = (person: Person, way: 'approve' | 'reject', fingerprint: string): Pick<Draft, 'request'> =>
  signed(
    person,
    JSON.stringify({
      type: `ACTIVITY_TYPE_${way.toUpperCase()}_ACTIVITY`,
      timestampMs: String(Date.parse(AT)),
      organizationId: made.organizationId,
      parameters: { fingerprint },
    }),
  )

const signed = (person: Person, body: string): Pick<Draft, 'request'> => ({
  request: { head: { header: 'X-Stamp', stamp: stamp(person.key, encodeUtf8(body)) }, body },
})

/** Lets the last activity ask for something else, with everything that follows from it. */
const asks = (drafts: readonly Draft[], person: Person, members: { [member: string]: Json } | string): void => {
  const last = must(drafts.at(-1))
  const before = JSON.parse(must(last.request).body) as { [member: string]: Json }
  const body = typeof members === 'string' ? members : JSON.stringify({ ...before, ...members })
  const fingerprint = fingerprintOf(digest, encodeUtf8(body))
  last.event.data.fingerprint = fingerprint
  last.event.activity = activityIdOf(digest, made.organizationId, fingerprint)
  last.request = signed(person, body).request
}

const at = (draft: Draft, laterMs: number): Draft => {
  draft.event.at = new Date(Date.parse(draft.event.at) + laterMs).toISOString()
  decisionOf(draft).basis.at = draft.event.at
  return draft
}

const credentialOf = (drafts: readonly Draft[], { userId, apiKeyId }: Person): string => {
  const genesis = must(drafts[0])
  return userId === genesis.event.data.requester ? (decisionOf(genesis).basis.credential as string) : apiKeyId
}

it.run()
