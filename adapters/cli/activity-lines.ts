import { isWaiting } from '../../core/log/standing.ts'
import type { Details } from '../inbox/details.ts'
import type { Missing } from '../inbox/missing-approvals.ts'
import { isErased, type SeenActivity, type SeenRequest } from '../inbox/seen.ts'
import {
  agoText,
  factorsText,
  missingWords,
  nameIn,
  namesIn,
  operationOf,
  selectionText,
  statusText,
  statusWord,
  type Names,
} from '../inbox/words.ts'
import { commandName } from './command-name.ts'
import { bold, dim, styled, type Line, type Style } from './style.ts'

const STYLES: Readonly<Record<string, Style>> = {
  waiting: 'yellow',
  pending: 'cyan',
  completed: 'green',
  failed: 'red',
  rejected: 'red',
  factor: 'yellow',
}

/** How a status looks. */
export const styleOf = (status: string): Style => STYLES[statusWord(status)] ?? 'dim'

const statusSpan = (status: string) => styled(styleOf(status))(statusText(status))

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

/**
 * Everything about an activity.
 *
 * @param flags  for commands to paste: see `ServerCalls`
 */
export const detailsOf = (
  activity: SeenActivity,
  { request, missing, lacking, names, nowMs }: Details,
  flags: string,
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

const row = (name: string, ...line: Line): Line => [dim(`  ${name.padEnd(13)}`), ...line]

const parametersOf = (activity: SeenActivity, request: SeenRequest | undefined, names: Names): readonly Line[] => {
  if (request !== undefined) return block('parameters', request.parameters, names)
  if (isErased(activity.votes[0]))
    return [row('parameters', styled('yellow')('gone, as the server says: nobody can verify what was asked'))]
  return [
    row('', styled('yellow')('The server shows no request that fits the fingerprint: something is wrong.')),
    ...block('parameters', activity.intent, names),
  ]
}

/** JSON over several lines, and the names of the ids in it. */
const block = (name: string, json: unknown, names: Names): readonly Line[] => {
  const text = JSON.stringify(json, undefined, 2) ?? 'none'
  return [
    ...text.split('\n').map((line, index) => row(index === 0 ? name : '', line)),
    ...namesIn(text, names).map((line) => row('', dim(line))),
  ]
}

const yours = ({ id, canApprove, canReject }: SeenActivity, flags: string): Line => {
  if (canApprove) return row('you can', `${commandName()} approve ${id}${flags}`)
  return canReject ? row('you can', `${commandName()} reject ${id}${flags}`) : row('you', 'have no vote on it')
}

const missingLines = (missing: Missing, names: Names): readonly Line[] =>
  missingWords(missing, names)
    .flatMap(({ text, names: named, who }): readonly Line[] => [
      [text],
      ...named.map((line) => [dim(line)]),
      ...who.map((line) => [`  ${line}`]),
    ])
    .map((line, index) => row(index === 0 ? 'missing' : '', ...line))
