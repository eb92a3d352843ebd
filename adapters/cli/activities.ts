import { WAITING } from '../../core/log/standing.ts'
import { entryOf, STATUSES } from './activity-lines.ts'
import { tableOf } from './activity-table.ts'
import { outputColumns, print, printLines, printStyled, say } from './print.ts'
import { serverCalls, type CallOptions, type Page, type SeenActivity, type ServerCalls } from './server-calls.ts'
import { refusal } from './stop.ts'

export type Selected = {
  /** Only those that the caller can approve. */
  readonly waitingForMe?: boolean
  /** Names of statuses, such as `waiting`. */
  readonly status: readonly string[]
}
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

/** The newest activities that are asked for, from as many pages as that takes. */
export const selected = (
  calls: ServerCalls,
  { waitingForMe = false, status }: Selected,
  limit: number,
): Promise<readonly SeenActivity[]> =>
  waitingForMe
    ? newest(calls, WAITING, ({ canApprove }) => canApprove, limit)
    : newest(calls, statusesOf(status), () => true, limit)

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

const newest = async (
  calls: ServerCalls,
  statuses: readonly string[] | undefined,
  isWanted: (activity: SeenActivity) => boolean,
  limit: number,
): Promise<readonly SeenActivity[]> => {
  const found: SeenActivity[] = []
  const seen = new Set<string>()
  for (let page: Page | undefined = { statuses, limit: PAGE }; page !== undefined && seen.size < SEEN_MAX;) {
    const read: readonly SeenActivity[] = await calls.activities(page)
    const fresh = read.filter(({ id }) => !seen.has(id)) // a server that repeats itself must not keep us here
    for (const { id } of fresh) seen.add(id)
    found.push(...fresh.filter(isWanted))
    const last = fresh.at(-1)
    if (found.length >= limit || last === undefined) return found.slice(0, limit)
    page = { statuses, limit: PAGE, before: last.id } // a page may be short because its activities are long
  }
  return found.slice(0, limit)
}

const PAGE = 100
/** As many as may wait in an organization, if its host has set nothing else. */
const SEEN_MAX = 10_000

const statusesOf = (names: readonly string[]): readonly string[] | undefined =>
  names.length === 0 ? undefined : names.map((name) => STATUSES[name]?.status ?? name)
