import { WAITING } from '../../core/log/standing.ts'
import type { InboxCalls, Page } from './inbox-calls.ts'
import type { SeenActivity } from './seen.ts'
import { millisOfTime, STATUSES } from './words.ts'

type Calls = Pick<InboxCalls, 'activities'>

export type Selected = {
  /** Only those that the caller can approve. */
  readonly waitingForMe?: boolean
  /** Names of statuses, such as `waiting`. */
  readonly status: readonly string[]
}

/** The newest activities that are asked for, from as many pages as that takes. */
export const selected = (
  calls: Calls,
  { waitingForMe = false, status }: Selected,
  limit: number,
): Promise<readonly SeenActivity[]> =>
  waitingForMe
    ? newest(calls, WAITING, ({ canApprove }) => canApprove, limit)
    : newest(calls, statusesOf(status), () => true, limit)

/** The newest activities of these statuses that are wanted. */
export const newest = async (
  calls: Calls,
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

/** What waits for the caller first, and of each half what has waited longest. */
export const inInboxOrder = (activities: readonly SeenActivity[]): readonly SeenActivity[] =>
  activities.toSorted(
    (a, b) =>
      Number(b.canApprove) - Number(a.canApprove) ||
      millisOfTime(a.createdAt) - millisOfTime(b.createdAt) ||
      (a.id < b.id ? -1 : 1), // so that equal times keep their places
  )
