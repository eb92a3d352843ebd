import { resource } from '../../../core/definition/resource.ts'
import { users } from '../../../core/organization/users.ts'
import * as assert from 'uvu/assert'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { evolve, type Activity } from '../../../core/activity/activity.ts'
import type { Verdict } from '../../../core/log/decision.ts'
import type { Caller } from '../../../core/organization/credential.ts'
import { speakerOf, type Authenticated } from '../../../core/command/authenticate.ts'
import type { DecodedIntent } from '../../../core/definition/operation.ts'
import { noOthers } from '../../../core/deciding/others.ts'
import { decideNew, decideVote, type Decided } from '../../../core/deciding/decide.ts'
import type { Proposal, Rules } from '../../../core/deciding/proposal.ts'
import { checkedAgain } from '../../../core/deciding/trying.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import { instant, type EventPayload, type Selection } from '../../../core/log/event.ts'
import { catalogue } from '../../../core/definition/catalogue.ts'
import { defaultLimits } from '../world/with-host.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import { createUserTag } from '../../../core/resources/user-tag/create-user-tag.ts'
import type { Organization } from '../../../core/organization/state.ts'
import { E } from '../../../core/prelude.ts'

/** Given an organization and what happened to one activity, when a command comes, then these events follow. */
export type Given = {
  readonly after: (...payloads: readonly EventPayload[]) => Given
  /** What `perform` brought, before the turn. */
  readonly performed: (outcome: E.Either<Failure, Json>) => Given
  /** The time of the command; the activity is created at 0. */
  readonly at: (atMs: number) => Given
  readonly when: (command: Command) => { readonly then: (...events: readonly string[]) => void }
}

export type Command =
  | { readonly _tag: 'submit'; readonly userId: string; readonly parameters: Json }
  | { readonly _tag: 'vote'; readonly userId: string; readonly selection: Selection }

export const submit = (userId: string, parameters: Json): Command => ({ _tag: 'submit', userId, parameters })
export const approve = (userId: string): Command => ({ _tag: 'vote', userId, selection: 'VOTE_SELECTION_APPROVED' })
export const reject = (userId: string): Command => ({ _tag: 'vote', userId, selection: 'VOTE_SELECTION_REJECTED' })

const decision = (userId: string, verdict: Verdict) => ({
  verdict,
  basis: {
    rules: 1,
    generation: 1,
    read: [],
    at: instant(0),
    credential: `${userId}-key-1`,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    address: null,
    factors: [],
    revision: 1,
  },
})
const waits: Verdict = { outcome: 'CONSENSUS_NEEDED', rule: 'policies', evaluations: [] }

export const created = (requester: string, type = createUserTag.type): EventPayload => ({
  type: 'ActivityCreated',
  data: { type, requester, fingerprint: 'sha256:00', decision: decision(requester, waits) },
})
export const approvedBy = (user: string): EventPayload => ({
  type: 'ActivityVoted',
  data: { user, selection: 'VOTE_SELECTION_APPROVED', decision: decision(user, waits) },
})

export const given = (organization: Organization, operation: Operation = createUserTag): Given => {
  const all = catalogue([resource({ name: 'given', operations: [operation] })])
  if (E.isLeft(all)) throw new Error(all.left.message)
  const rules: Rules = { digest: nodeSignatures(), catalogue: all.right, limits: defaultLimits }
  const scene = (payloads: readonly EventPayload[], atMs: number, performed: E.Either<Failure, Json>): Given => ({
    after: (...more) => scene([...payloads, ...more], atMs, performed),
    at: (later) => scene(payloads, later, performed),
    performed: (outcome) => scene(payloads, atMs, outcome),
    when: (command) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- given, when, then: nobody awaits it
      then: (...events) =>
        assert.equal(told(decided(rules, organization, operation, payloads, atMs, performed, command)), events),
    }),
  })
  return scene([], 0, E.right(undefined as never))
}

const decided = (
  rules: Rules,
  organization: Organization,
  operation: Operation,
  payloads: readonly EventPayload[],
  atMs: number,
  performed: E.Either<Failure, Json>,
  command: Command,
): E.Either<Failure, Decided> => {
  const parameters = command._tag === 'submit' ? command.parameters : { userTagName: 'ops', userIds: [], text: 'hello' }
  const decoded = operation.versions[0]?.decodeIntent(parameters)
  if (decoded === undefined || E.isLeft(decoded)) throw new Error('the parameters are not those of the operation')
  const proposal: Proposal = {
    organization,
    sequence: 7n,
    atMs,
    clockMs: atMs,
    activityId: 'activity',
    type: operation.type,
    operation,
    decoded: decoded.right,
    others: noOthers,
  }
  const speaker = speakerOf(anyRequest, callerOf(organization, command.userId))
  const isToBePerformed = E.isRight(performed) && performed.right === undefined
  const { outcome: checked } = checkedAgain(rules, proposal, command.userId, 1)
  const given = E.isRight(checked) ? checked.right : undefined
  const work = isToBePerformed ? undefined : { checked: given, outcome: performed }
  if (command._tag === 'submit')
    return decideNew(rules, proposal, speaker, { fingerprint: 'sha256:00', bytes: 0 }, work)
  const live = { activity: folded(payloads), decoded: decoded.right satisfies DecodedIntent, requests: new Map() }
  return decideVote(rules, proposal, speaker, live, { selection: command.selection, timestampMs: 1 }, work)
}

const callerOf = (organization: Organization, userId: string): Caller => {
  const [apiKey] = users.of(organization).get(userId)?.credentials.values() ?? []
  if (apiKey === undefined) throw new Error(`${userId} is not in the organization`)
  return apiKey
}

const anyRequest: Authenticated = {
  organizationId: 'organization',
  home: 'organization',
  json: null,
  stamped: { header: 'X-Stamp', stamp: '', body: new Uint8Array() },
  stamp: { kind: 'api-key', scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey: '', signature: new Uint8Array() },
  address: null,
  callerIn: () => E.left({ code: 'INTERNAL', message: 'not asked here' }),
}

/** The fold of happenings that were all at the beginning. */
export const folded = (payloads: readonly EventPayload[], atMs = 0): Activity => {
  let activity: Activity | undefined
  payloads.forEach((payload, index) => {
    activity = evolve(activity, {
      organization: 'organization',
      sequence: BigInt(index + 1),
      activity: 'activity',
      revision: BigInt(index + 1),
      version: 1,
      id: `event-${index + 1}`,
      at: instant(atMs),
      previous: '',
      parts: {},
      ...payload,
    })
  })
  if (activity === undefined) throw new Error('nothing happened')
  return activity
}

/** What was decided, in a few words each. */
const told = (outcome: E.Either<Failure, Decided>): readonly string[] => {
  if (E.isLeft(outcome)) return [`refused: ${outcome.left.code}`]
  return outcome.right._tag === 'perform' ? ['to perform'] : outcome.right.payloads.map(inWords)
}

const inWords = ({ type, data }: EventPayload): string => {
  switch (type) {
    case 'ActivityCreated':
      return `created: ${data.decision.verdict.outcome} by ${data.decision.verdict.rule}`
    case 'ActivityVoted':
      return `${data.user} voted: ${data.decision.verdict.outcome} by ${data.decision.verdict.rule}`
    case 'ActivityStarted':
      return `started: ${data.attempt}, until ${data.resumeAt}`
    case 'ActivityCompleted':
      return `completed: ${data.type}`
    case 'ActivityFailed':
      return `failed: ${data.failure.code}`
    default:
      return type satisfies never
  }
}
