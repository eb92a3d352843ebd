import * as assert from 'uvu/assert'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { evolve, type Activity } from '../../../core/activity/activity.ts'
import type { Verdict } from '../../../core/activity/decision.ts'
import type { Authenticated, Caller } from '../../../core/command/authenticate.ts'
import type { Asked } from '../../../core/command/cell.ts'
import { decideNew, decideVote, type Decided, type Proposal, type Rules } from '../../../core/command/turn.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import { instant, type Happening, type Selection } from '../../../core/log/event.ts'
import { catalogue } from '../../../core/operations/catalogue.ts'
import { defaultLimits } from '../../../core/operations/limits.ts'
import type { Operation } from '../../../core/operations/operation.ts'
import { createUserTag } from '../../../core/operations/user-tag/create-user-tag.ts'
import type { Organization } from '../../../core/organization/organization.ts'
import { E } from '../../../core/prelude.ts'

/** Given an organization and what happened to one activity, when a command comes, then these events follow. */
export type Given = {
  readonly after: (...happenings: readonly Happening[]) => Given
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
    read: [],
    at: instant(0),
    credential: `${userId}-key-1`,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
    address: null,
    factors: [],
  },
})
const waits: Verdict = { outcome: 'CONSENSUS_NEEDED', rule: 'policies', evaluations: [] }

export const created = (requester: string, type = createUserTag.type): Happening => ({
  type: 'ActivityCreated',
  data: { type, requester, fingerprint: 'sha256:00', decision: decision(requester, waits) },
})
export const approvedBy = (user: string): Happening => ({
  type: 'ActivityVoted',
  data: { user, selection: 'VOTE_SELECTION_APPROVED', decision: decision(user, waits) },
})

export const given = (organization: Organization, operation: Operation = createUserTag): Given => {
  const all = catalogue([operation])
  if (E.isLeft(all)) throw new Error(all.left.message)
  const rules: Rules = { digest: nodeSignatures(), catalogue: all.right, limits: defaultLimits }
  const scene = (happenings: readonly Happening[], atMs: number, performed: E.Either<Failure, Json>): Given => ({
    after: (...more) => scene([...happenings, ...more], atMs, performed),
    at: (later) => scene(happenings, later, performed),
    performed: (outcome) => scene(happenings, atMs, outcome),
    when: (command) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- given, when, then: nobody awaits it
      then: (...events) =>
        assert.equal(told(decided(rules, organization, operation, happenings, atMs, performed, command)), events),
    }),
  })
  return scene([], 0, E.right(undefined as never))
}

const decided = (
  rules: Rules,
  organization: Organization,
  operation: Operation,
  happenings: readonly Happening[],
  atMs: number,
  performed: E.Either<Failure, Json>,
  command: Command,
): E.Either<Failure, Decided> => {
  const parameters = command._tag === 'submit' ? command.parameters : { userTagName: 'ops', userIds: [], text: 'hello' }
  const asked = operation.versions[0]?.decodeIntent(parameters)
  if (asked === undefined || E.isLeft(asked)) throw new Error('the parameters are not those of the operation')
  const proposal: Proposal = {
    organization,
    sequence: 7n,
    atMs,
    clockMs: atMs,
    activityId: 'activity',
    type: operation.type,
    operation,
    asked: asked.right,
    performed: E.isRight(performed) ? performed.right : undefined,
  }
  const caller: Caller = callerOf(organization, command.userId)
  if (command._tag === 'submit') return decideNew(rules, proposal, anyRequest, caller, 'sha256:00')
  const live = { activity: folded(happenings), asked: asked.right satisfies Asked, requests: new Map() }
  const failed = E.isLeft(performed) ? performed.left : undefined
  return E.right(decideVote(rules, proposal, anyRequest, caller, live, command.selection, failed))
}

const callerOf = (organization: Organization, userId: string): Caller => {
  const [apiKey] = organization.users.get(userId)?.apiKeys.values() ?? []
  if (apiKey === undefined) throw new Error(`${userId} is not in the organization`)
  return { userId, apiKey }
}

const anyRequest: Authenticated = {
  organizationId: 'organization',
  json: null,
  stamped: { header: 'X-Stamp', stamp: '', body: new Uint8Array() },
  stamp: { scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey: '', signature: new Uint8Array() },
  address: null,
  callerIn: () => E.left({ code: 'INTERNAL', message: 'not asked here' }),
}

/** The fold of happenings that were all at the beginning. */
export const folded = (happenings: readonly Happening[], atMs = 0): Activity => {
  let activity: Activity | undefined
  happenings.forEach((happening, index) => {
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
      ...happening,
    })
  })
  if (activity === undefined) throw new Error('nothing happened')
  return activity
}

/** What was decided, in a few words each. */
const told = (outcome: E.Either<Failure, Decided>): readonly string[] => {
  if (E.isLeft(outcome)) return [`refused: ${outcome.left.code}`]
  return outcome.right._tag === 'perform' ? ['to perform'] : outcome.right.happenings.map(inWords)
}

const inWords = ({ type, data }: Happening): string => {
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
