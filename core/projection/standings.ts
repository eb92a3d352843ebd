import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import type { Failure } from '../failure.ts'
import { decodeEvent } from '../log/event.ts'
import { standingAfter, STANDINGS_VERSION, type LoggedStanding } from '../log/standing.ts'
import { pagesOf } from '../log/transcript.ts'
import { LINES, type ActivityStanding, type EventStore, type Recorded } from '../ports/event-store.ts'
import type { TellNotice } from '../ports/notice.ts'
import { E } from '../prelude.ts'

type Store = Pick<EventStore, 'readAll' | 'lastPosition' | 'setStandings' | 'standingsVersion'>

/**
 * Makes the standings of all activities from the lines of the log, if those in the store are of another version. An older version of a
 * store has none. It takes some seconds for each 100,000 activities, and begins again if it was interrupted.
 */
export const makeStandings = async (store: Store, notice: TellNotice): Promise<E.Either<Failure, void>> => {
  const version = await store.standingsVersion()()
  if (E.isLeft(version)) return version
  if (version.right === STANDINGS_VERSION) return E.right(undefined)
  let events = 0
  for await (const page of pagesOf(store, LINES)) {
    if (E.isLeft(page)) return page
    if (events === 0) notice({ level: 'info', message: 'the lists of activities are made from the log, once' })
    events += page.right.length
    const set = await store.setStandings([...standingsIn(page.right).values()], 0n)()
    if (E.isLeft(set)) return set
  }
  return store.setStandings([], STANDINGS_VERSION)()
}

/** The last standing of each activity in the page. A line that this version cannot read gives none: its organization takes no commands. */
export const standingsIn = (page: readonly Recorded[]): ReadonlyMap<ActivityKey, ActivityStanding & LoggedStanding> => {
  const standings = new Map<ActivityKey, ActivityStanding & LoggedStanding>()
  for (const { organization, activity, line } of page) {
    const event = decodeEvent(line)
    if (E.isLeft(event)) continue
    const key = activityKey({ organizationId: organization, activityId: activity })
    standings.set(key, { organization, activity, type: standings.get(key)?.type, ...standingAfter(event.right) })
  }
  return standings
}
