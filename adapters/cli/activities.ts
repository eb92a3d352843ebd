import { WAITING } from '../../core/log/standing.ts'
import { newest, selected, type Selected } from '../inbox/listing.ts'
import type { SeenActivity } from '../inbox/seen.ts'
import { entryOf } from './activity-lines.ts'
import { tableOf } from './activity-table.ts'
import { outputColumns, print, printLines, printStyled, say } from './print.ts'
import { serverCalls, type CallOptions, type ServerCalls } from './server-calls.ts'
import { refusal } from './stop.ts'

type Listing = CallOptions & { readonly limit: number; readonly json?: boolean; readonly quiet?: boolean }
export type ActivitiesOptions = Listing & { readonly status: readonly string[] }
export type InboxOptions = Listing

/** Lists activities, newest first. */
export const activities = (options: ActivitiesOptions): Promise<number> =>
  list(options, { status: options.status }, 'There are no such activities.')

/** Lists what waits for the caller's approval, newest first. */
export const inbox = (options: InboxOptions): Promise<number> =>
  list(options, { waitingForMe: true, status: [] }, 'Nothing waits for you.')

const list = async (options: Listing, which: Selected, ifNone: string): Promise<number> => {
  const found = await selected(await serverCalls(options), which, options.limit)
  const columns = outputColumns()
  if (options.json === true) print({ activities: found })
  else if (options.quiet === true) printLines(found.map(({ id }) => id))
  else if (found.length === 0) say(ifNone)
  else if (columns === undefined) printStyled(found.flatMap((activity) => entryOf(activity, Date.now())))
  else printStyled(tableOf(found, Date.now(), columns))
  return 0
}

/** What people say for an activity whose id they do not have at hand: the newest one. */
export const LAST = 'last'

/** The id of the newest activity; of those on which the caller can vote in this way, if one is named. */
export const lastId = async (calls: ServerCalls, voting?: 'approve' | 'reject'): Promise<string> => {
  const canVote = ({ canApprove, canReject }: SeenActivity): boolean => (voting === 'approve' ? canApprove : canReject)
  const [last] = await (voting === undefined
    ? newest(calls, undefined, () => true, 1)
    : newest(calls, WAITING, canVote, 1))
  if (last === undefined)
    throw refusal(voting === undefined ? 'there is no activity' : `nothing to ${voting}: nothing waits for you`)
  return last.id
}
