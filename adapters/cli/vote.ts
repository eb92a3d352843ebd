import { isWaiting } from '../../core/log/standing.ts'
import { requestIn } from '../../core/view/shown-request.ts'
import { cast } from '../inbox/cast.ts'
import { detailsBy } from '../inbox/details.ts'
import type { Voting } from '../inbox/inbox-calls.ts'
import type { SeenActivity } from '../inbox/seen.ts'
import { nameIn, operationOf, statusText } from '../inbox/words.ts'
import { LAST, lastId } from './activities.ts'
import { detailsOf } from './activity-lines.ts'
import { commandName } from './command-name.ts'
import { canAsk, confirm } from './confirm.ts'
import { print, printLines, say, sayStyled } from './print.ts'
import { serverCalls, type CallOptions, type ServerCalls } from './server-calls.ts'
import { activityOf } from './show.ts'
import { refusal, Stop, unusable } from './stop.ts'

export type VoteOptions = CallOptions & { readonly json?: boolean }

/**
 * Approves or rejects an activity, by its id or its fingerprint. A vote is for bytes. With an id, the server has to show the bytes, and
 * they have to fit: otherwise it could exchange what is approved. `last` may be another activity than the one that somebody means, so it is
 * shown, and voted on only after a yes.
 */
export const vote = async (voting: Voting, what: string, options: VoteOptions): Promise<number> => {
  if (what === LAST && !canAsk())
    throw unusable(
      `${LAST} is for a terminal, where it is shown first: name the activity by its id, as inbox --quiet prints it`,
    )
  const calls = await serverCalls(options)
  const { fingerprint, activity: shown } = await targetOf(
    calls,
    voting,
    what === LAST ? await lastId(calls, voting) : what,
  )
  calls.sayCaller()
  if (what === LAST && shown !== undefined && !(await isConfirmed(calls, voting, shown))) return 1
  const activity = await voted(calls, voting, fingerprint, shown?.id)
  if (options.json === true) print({ activity })
  else printLines(outcomeLines(voting, activity, calls))
  return 0
}

type Target = {
  readonly fingerprint: string
  /** The activity, if the fingerprint is not all that is known of it. */
  readonly activity: SeenActivity | undefined
}

const targetOf = async (calls: ServerCalls, voting: Voting, what: string): Promise<Target> => {
  if (FINGERPRINT.test(what)) return { fingerprint: what, activity: undefined }
  if (what.startsWith('sha256:')) throw unusable('expected a fingerprint: sha256: and 64 digits of hex, in lower case')
  const activity = await activityOf(calls, what)
  if (!isWaiting(activity.status))
    throw refusal(`nothing to ${voting}: ${operationOf(activity.type)} ${statusText(activity.status)}`)
  if (requestIn(activity, calls.organizationId) === undefined)
    throw refusal(
      'the server shows no request that fits the fingerprint of this activity; if you know what it stands for, ' +
        `${voting} the fingerprint itself`,
    )
  return { fingerprint: activity.fingerprint, activity }
}

const isConfirmed = async (calls: ServerCalls, voting: Voting, activity: SeenActivity): Promise<boolean> => {
  sayStyled(detailsOf(activity, await detailsBy(calls, activity), calls.flags))
  if (await confirm(voting === 'approve' ? 'Approve it?' : 'Reject it?')) return true
  say('You have not voted.')
  return false
}

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/

/** If the server refuses because somebody else was sooner, the line says what has become of the activity. */
const voted = async (
  calls: ServerCalls,
  voting: Voting,
  fingerprint: string,
  id: string | undefined,
): Promise<SeenActivity> => {
  const outcome = await cast(calls, voting, fingerprint, id)
  if (outcome.kind === 'voted') return outcome.activity
  if (outcome.kind === 'exchanged') throw refusal('the server answered with another activity than the one of the vote')
  const { error, activity } = outcome
  if (!(error instanceof Stop)) throw error
  throw refusal(`${error.message}; by now ${operationOf(activity.type)} ${statusText(activity.status)}`)
}

const outcomeLines = (voting: Voting, activity: SeenActivity, calls: ServerCalls): readonly string[] => {
  const request = requestIn(activity, calls.organizationId)
  const by = request === undefined ? '' : `, asked for by ${nameIn(request.vote)}`
  const parameters = request === undefined ? [] : [`  ${JSON.stringify(request.parameters) ?? 'no parameters'}`]
  return [
    `${voting === 'approve' ? 'Approved' : 'Rejected'} ${operationOf(activity.type)}${by}: it ${statusText(activity.status)}.`,
    ...parameters,
    ...(activity.failure === null ? [] : [`  ${activity.failure.message}`]),
    ...(isWaiting(activity.status) ? [`What is missing:  ${commandName()} show ${activity.id}${calls.flags}`] : []),
  ]
}
