import type { Timestamp } from '../../core/codec/timestamp.ts'
import { isWaiting } from '../../core/log/standing.ts'
import { countOf, durationText } from './amounts.ts'
import { commandName } from './command-name.ts'
import { isErased, type SeenRequest } from './seen-request.ts'
import type { Missing, WantedByPolicy } from './missing-approvals.ts'
import type { SeenActivity, SeenFactors, SeenUser, SeenVote } from './server-calls.ts'
import { bold, dim, styled, type Line, type Style } from './style.ts'

/** The name of an operation in a type, such as `create_user_tag`. */
export const operationOf = (type: string): string => type.replace(/^ACTIVITY_TYPE_/, '').toLowerCase()

/** The statuses that people name, with the words for them. */
export const STATUSES: Readonly<
  Record<string, { readonly status: string; readonly says: string; readonly style: Style }>
> = {
  waiting: { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', says: 'waits for approvals', style: 'yellow' },
  pending: { status: 'ACTIVITY_STATUS_PENDING', says: 'is under way', style: 'cyan' },
  completed: { status: 'ACTIVITY_STATUS_COMPLETED', says: 'is completed', style: 'green' },
  failed: { status: 'ACTIVITY_STATUS_FAILED', says: 'has failed', style: 'red' },
  rejected: { status: 'ACTIVITY_STATUS_REJECTED', says: 'is rejected', style: 'red' },
  factor: { status: 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED', says: 'waits for a second factor', style: 'yellow' },
}

const wordOf = (status: string) => Object.values(STATUSES).find((one) => one.status === status)

/** What has become of an activity, in words. */
export const statusText = (status: string): string => wordOf(status)?.says ?? status

/** The name of a status, with its style; of one that this version does not know, what the server says. */
export const statusWord = (status: string): { readonly word: string; readonly style: Style } => {
  const [word, known] = Object.entries(STATUSES).find(([, one]) => one.status === status) ?? []
  return { word: word ?? status, style: known?.style ?? 'dim' }
}

const statusSpan = (status: string) => styled(wordOf(status)?.style ?? 'dim')(statusText(status))

/** The milliseconds of a time on the wire. */
export const millisOfTime = (time: string | Timestamp): number =>
  typeof time === 'string' ? Date.parse(time) : Number(time.seconds) * 1000 + Number(time.nanos) / 1e6

/** How long ago that was, in words. */
export const agoText = (time: string | Timestamp, nowMs: number): string => {
  const ms = nowMs - millisOfTime(time)
  if (!Number.isFinite(ms)) return 'at an unknown time'
  return ms < 1000 ? 'just now' : `${durationText(ms)} ago`
}

/** The name of a voter, or the id of one who has none. */
export const nameIn = ({ user, userId }: SeenVote): string => {
  const name = user['userName']
  return typeof name === 'string' && name !== '' ? name : userId
}

/** An activity in a list: two lines. */
export const entryOf = (activity: SeenActivity, nowMs: number): readonly Line[] => {
  const { id, type, status, votes, createdAt, canApprove } = activity
  const by = votes[0] === undefined ? '' : `  by ${nameIn(votes[0])}`
  return [
    [
      bold(operationOf(type)),
      by,
      dim(`  ${agoText(createdAt, nowMs)}`),
      '  ',
      statusSpan(status),
      ...(canApprove ? [bold('  yours too')] : []),
    ],
    [dim('  '), id],
  ]
}

/** Everything about an activity. `request` is what its fingerprint stands for; `missing` only while it waits. */
export const detailsOf = (
  activity: SeenActivity,
  { request, flags, missing, lacking, names, nowMs }: Details,
): readonly Line[] => {
  const { id, type, status, fingerprint, votes, createdAt, failure } = activity
  const requester = request?.vote ?? votes[0]
  return [
    [bold(operationOf(type)), '  ', statusSpan(status)],
    row('id', id),
    row('fingerprint', fingerprint),
    row('asked by', `${requester === undefined ? 'nobody known' : nameIn(requester)}, ${agoText(createdAt, nowMs)}`),
    ...parametersOf(activity, request, names),
    ...(failure === null ? [] : [row('failure', failure.message)]),
    ...votes.map((vote, index) =>
      row(
        index === 0 ? 'votes' : '',
        `${selectionText(vote)} by ${nameIn(vote)}, ${agoText(vote.createdAt, nowMs)}`,
        ...(isErased(vote) ? [styled('yellow')('  request gone')] : []),
      ),
    ),
    ...lacking.map((one, index) => row(index === 0 ? 'factors' : '', factorsText(one, names))),
    ...(missing === undefined ? [] : missingLines(missing, names)),
    ...(isWaiting(status) ? [yours(activity, flags)] : []),
  ]
}

export type Details = {
  readonly request: SeenRequest | undefined
  /** The flags for commands to paste: see `ServerCalls`. */
  readonly flags: string
  readonly missing: Missing | undefined
  /** Of voters who have not met their MFA policies. */
  readonly lacking: readonly SeenFactors[]
  /** The names of users and tags, by id. */
  readonly names: ReadonlyMap<string, string>
  readonly nowMs: number
}

const row = (name: string, ...line: Line): Line => [dim(`  ${name.padEnd(13)}`), ...line]

const parametersOf = (
  activity: SeenActivity,
  request: SeenRequest | undefined,
  names: Details['names'],
): readonly Line[] => {
  if (request !== undefined) return block('parameters', request.parameters, names)
  if (isErased(activity.votes[0]))
    return [row('parameters', styled('yellow')('gone, as the server says: nobody can verify what was asked'))]
  return [
    row('', styled('yellow')('The server shows no request that fits the fingerprint: something is wrong.')),
    ...block('parameters', activity.intent, names),
  ]
}

const selectionText = ({ selection }: SeenVote): string =>
  selection === 'VOTE_SELECTION_APPROVED' ? 'approved' : 'rejected'

/** JSON over several lines, and the names of the ids in it. */
const block = (name: string, json: unknown, names: Details['names']): readonly Line[] => {
  const text = JSON.stringify(json, undefined, 2) ?? 'none'
  return [...text.split('\n').map((line, index) => row(index === 0 ? name : '', line)), ...namesIn(text, names)]
}

/** The text keeps its ids, because a name could be mistaken for a part of it. */
const namesIn = (text: string, names: Details['names']): readonly Line[] =>
  [...names].flatMap(([id, name]) => (text.includes(id) ? [row('', dim(`${id} is ${name}`))] : []))

const yours = ({ id, canApprove, canReject }: SeenActivity, flags: string): Line => {
  if (canApprove) return row('you can', `${commandName()} approve ${id}${flags}`)
  return canReject ? row('you can', `${commandName()} reject ${id}${flags}`) : row('you', 'have no vote on it')
}

const factorsText = ({ userId, satisfiedMethods, requiredMethods }: SeenFactors, names: Details['names']): string =>
  `${names.get(userId) ?? userId} has met ${satisfiedMethods.length} of ${countOf(requiredMethods.length, 'step')}` +
  ' of an MFA policy, and has to approve with another credential'

const missingLines = ({ policies, quorum }: Missing, names: Details['names']): readonly Line[] => {
  const [first, ...more] = [
    ...policies.map((one) => policyLines(one, names)),
    [[`${policies.length === 0 ? '' : 'or '}${approvalsOf(quorum.count)} of the root quorum: ${listOf(quorum.among)}`]],
  ]
  return [
    ...(first ?? []).map((line, index) => row(index === 0 ? 'missing' : '', ...line)),
    ...more.flat().map((line) => row('', ...line)),
  ]
}

const policyLines = (wanted: WantedByPolicy, names: Details['names']): readonly Line[] => {
  const { policyName, consensus, enough, among } = wanted
  return [
    [`the policy "${policyName}" wants ${consensus}`],
    ...namesIn(consensus, names).map((line) => line.slice(1)),
    ...(enough === undefined || among === undefined
      ? [['  who could give that cannot be known here']]
      : [
          ...(enough.length === 0 ? [] : [[`  one of these is enough: ${listOf(enough)}`]]),
          ...(among.length === 0 ? [] : [[`  only together with others: ${listOf(among)}`]]),
          ...(enough.length + among.length === 0 ? [['  nobody was found who could give that']] : []),
        ]),
  ]
}

const approvalsOf = (count: number): string => countOf(count, 'more approval', 'more approvals')

const listOf = (users: readonly SeenUser[]): string => {
  const shown = users.slice(0, LISTED_MAX).map(({ userName }) => userName)
  const more = users.length - shown.length
  if (shown.length === 0) return 'nobody is left'
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const LISTED_MAX = 10
