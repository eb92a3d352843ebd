import { anomaliesOf } from '../../history/checker.ts'
import type { Call as Noted, Heard, Said } from '../../history/history.ts'
import { loggedOf } from '../../history/logged.ts'
import { noParts, partsOf } from '../../../../core/log/parts.ts'
import { activityIn, codeIn, isUncertain, type Answered, type Call, type Sent } from '../journal.ts'
import { knownOperations, type Found } from '../found.ts'
import { isDenied } from './check-answers.ts'

/** Each organization's history can be told one call behind the other, in real-time order, as its log tells it. */
export const checkHistory = (found: Found, calls: readonly Call[]): readonly string[] =>
  [...new Set(found.recorded.map(({ organization }) => organization))].flatMap((organization) => {
    const log = loggedOf(knownOperations, organization, entriesIn(found, organization))
    const logged = new Set(log.map(({ activity }) => activity))
    const own = calls.filter(({ sent }) => sent.organizationId === organization)
    const noted = own.flatMap((call) => notedOf(call, logged))
    return anomaliesOf({ calls: withoutChanged(noted), log }).map(({ rule, detail }) => `history: ${rule}: ${detail}`)
  })

/** What was refused once and sent again may have been taken then, or even the first time, if that answer was lost. */
const withoutChanged = (calls: readonly Noted[]): readonly Noted[] => {
  const isOpen = new Set(calls.filter(({ heard }) => heard?._tag !== 'refused').map(({ said }) => JSON.stringify(said)))
  return calls.map((call) =>
    call.heard?._tag === 'refused' && isOpen.has(JSON.stringify(call.said))
      ? { ...call, heard: undefined, heardAt: undefined }
      : call,
  )
}

const entriesIn = ({ recorded, events }: Found, organization: string) =>
  events.flatMap((event, index) => {
    const parts = recorded[index]?.parts
    if (event.organization !== organization) return []
    return [{ event, parts: parts === undefined ? noParts : partsOf(event, parts) }]
  })

const notedOf = ({ client, sent, sentAt, heardAt, answered }: Call, logged: ReadonlySet<string>): readonly Noted[] => {
  const said = saidOf(sent)
  if (said === undefined) return []
  const heard = answered === undefined ? undefined : heardOf(said, answered, logged)
  return [{ client, sentAt, heardAt: heard === undefined ? undefined : heardAt, said, heard }]
}

const saidOf = ({ kind, path, activityId: activity, denialId, userId: user }: Sent): Said | undefined => {
  if (kind === 'submit')
    return { _tag: 'submit', activity, user, ...(denialId === undefined ? {} : { denial: denialId }) }
  if (kind === 'vote')
    return { _tag: 'vote', activity, user, selection: path === 'approve_activity' ? 'approve' : 'reject' }
  return path === 'list_user_tags' ? { _tag: 'list' } : undefined
}

/** Undefined where the answer does not say what became of the request. */
const heardOf = (said: Said, answered: Answered, logged: ReadonlySet<string>): Heard | undefined => {
  const { status, json } = answered
  if (isUncertain(answered) || codeIn(answered) === 'RESOURCE_EXHAUSTED') return undefined // the model counts no quota
  if (said._tag === 'list') return status === 200 ? { _tag: 'listed', shown: tagsIn(json) } : undefined
  const shown = activityIn(answered)
  if (shown !== undefined) {
    const voters = shown.votes.map(({ userId }) => userId)
    return { _tag: 'activity', activity: shown.id, status: shown.status.replace('ACTIVITY_STATUS_', ''), voters }
  }
  if (!isDenied(answered) || said._tag === 'vote') return { _tag: 'refused', code: String(status) }
  // A requester whose activity was denied by a vote hears of that denial.
  const isOfVote = !logged.has(said.denial ?? '') && logged.has(said.activity)
  return isOfVote ? { _tag: 'activity', activity: said.activity, status: 'REJECTED', voters: [] } : { _tag: 'denied' }
}

const tagsIn = (json: Answered['json']): string => {
  const { userTags } = json as { readonly userTags: readonly { readonly tagId: string; readonly tagName: string }[] } // as the wire has it
  return userTags.map(({ tagId, tagName }) => `${tagId} ${tagName}`).join(',')
}
