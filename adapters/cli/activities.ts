import { WAITING } from '../../core/log/standing.ts'
import { entryOf, STATUSES } from './activity-lines.ts'
import { print, printStyled, say } from './print.ts'
import { serverCalls, type CallOptions, type Page, type SeenActivity, type ServerCalls } from './server-calls.ts'

export type Selected = {
  /** Only those that the caller can approve. */
  readonly waitingForMe?: boolean
  /** Names of statuses, such as `waiting`. */
  readonly status: readonly string[]
}
export type ActivitiesOptions = CallOptions & Selected & { readonly limit: number; readonly json?: boolean }

/** Lists activities, newest first. */
export const activities = async (options: ActivitiesOptions): Promise<number> => {
  const found = await selected(await serverCalls(options), options, options.limit)
  if (options.json === true) print({ activities: found })
  else if (found.length === 0)
    say(options.waitingForMe === true ? 'Nothing waits for you.' : 'There are no such activities.')
  else printStyled(found.flatMap((activity) => entryOf(activity, Date.now())))
  return 0
}

/** The newest activities that are asked for, from as many pages as that takes. */
export const selected = async (
  calls: ServerCalls,
  { waitingForMe = false, status }: Selected,
  limit: number,
): Promise<readonly SeenActivity[]> => {
  const statuses = waitingForMe ? WAITING : statusesOf(status)
  const found: SeenActivity[] = []
  const seen = new Set<string>()
  for (let page: Page | undefined = { statuses, limit: PAGE }; page !== undefined && seen.size < SEEN_MAX;) {
    const read: readonly SeenActivity[] = await calls.activities(page)
    const fresh = read.filter(({ id }) => !seen.has(id)) // a server that repeats itself must not keep us here
    for (const { id } of fresh) seen.add(id)
    found.push(...fresh.filter(({ canApprove }) => canApprove || !waitingForMe))
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
