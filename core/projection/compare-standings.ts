import { isFinished } from '../activity/activity.ts'
import { activityKey } from '../activity/activity-key.ts'
import type { Failure } from '../failure.ts'
import { eachOrganization } from '../log/each-organization.ts'
import { decodeEvent } from '../log/event.ts'
import { standingAfter, STANDINGS_VERSION } from '../log/standing.ts'
import { LINES, type EventStore, type ListedActivity, type Recorded, type Standing } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import { standingsIn } from './standings.ts'

type Store = Pick<EventStore, 'organizations' | 'readLog' | 'readActivity' | 'activities' | 'standingsVersion'>
type Answer<A> = Promise<E.Either<Failure, A>>

/** An activity that the store lists otherwise than its log says. */
export type WrongStanding = {
  readonly organization: string
  readonly activity: string
  /** As the store lists it; `undefined` if it does not. */
  readonly listed: Standing | undefined
  /** As its events say; `undefined` if they do not say it. */
  readonly logged: Standing | undefined
}

/**
 * Compares the standings of all activities with the log, also while a server writes to the store.
 *
 * @returns `undefined` if the store has no standings of this version: the next start of an engine makes them
 */
export const compareStandings = async (store: Store): Answer<readonly WrongStanding[] | undefined> => {
  const version = await store.standingsVersion()()
  if (E.isLeft(version)) return version
  if (version.right !== STANDINGS_VERSION) return E.right(undefined)
  const wrong: WrongStanding[] = []
  const compareLog = async (organization: string): Answer<void> => {
    for (let after = 0n; ;) {
      const page = await store.readLog(organization, after, PAGE, LINES)()
      if (E.isLeft(page)) return page
      const last = page.right.at(-1)
      if (last === undefined) return E.right(undefined)
      const found = await comparePage(store, organization, page.right, after)
      if (E.isLeft(found)) return found
      wrong.push(...found.right)
      after = last.sequence
    }
  }
  for await (const organization of eachOrganization(store)) {
    if (E.isLeft(organization)) return organization
    const log = await compareLog(organization.right)
    if (E.isLeft(log)) return log
  }
  return E.right(wrong)
}

const PAGE = 1_000
/** The activities that begin in this page of a log, beside those that the store lists there. */
const comparePage = async (
  store: Store,
  organization: string,
  page: readonly Recorded[],
  after: bigint,
): Answer<readonly WrongStanding[]> => {
  const labels = await store.activities(organization, { limit: page.length, ascending: true, after })()
  if (E.isLeft(labels)) return labels
  const [listed, last, suspects] = [new Map<string, ListedActivity>(), standingsIn(page), new Map<string, bigint>()]
  for (const label of labels.right) listed.set(label.activity, label)
  for (const { activity, revision, sequence } of page) {
    if (revision !== 1n) continue
    const label = listed.get(activity)
    listed.delete(activity)
    const logged = last.get(activityKey({ organizationId: organization, activityId: activity }))
    const isKnown = logged !== undefined && isFinished(logged) // else later pages may change it
    if (label?.sequence !== sequence || !isKnown || !isSame(label, logged)) suspects.set(activity, sequence)
  }
  const end = page.at(-1)?.sequence ?? 0n
  for (const label of listed.values()) if (label.sequence <= end) suspects.set(label.activity, label.sequence)
  const wrong: WrongStanding[] = []
  for (const [activity, sequence] of suspects) {
    const difference = await differenceOf(store, organization, activity, sequence)
    if (E.isLeft(difference)) return difference
    if (difference.right !== undefined) wrong.push(difference.right)
  }
  return E.right(wrong)
}

const isSame = (a: Standing | undefined, b: Standing | undefined): boolean =>
  a?.type === b?.type && a?.status === b?.status

/** Reads the list, the activity, and the list again: while the list changes in between, nothing can be said. */
const differenceOf = async (
  store: Store,
  organization: string,
  activity: string,
  sequence: bigint,
): Answer<WrongStanding | undefined> => {
  let before = await listingOf(store, organization, activity, sequence)
  while (E.isRight(before)) {
    const recorded = await store.readActivity(organization, activity)()
    if (E.isLeft(recorded)) return recorded
    const after = await listingOf(store, organization, activity, sequence)
    if (E.isLeft(after)) return after
    const [listed, logged] = [after.right, standingOf(recorded.right)]
    if (isSame(before.right, listed))
      return E.right(isSame(listed, logged) ? undefined : { organization, activity, listed, logged })
    before = after
  }
  return before
}

const listingOf = async (
  store: Store,
  organization: string,
  activity: string,
  sequence: bigint,
): Answer<Standing | undefined> =>
  E.map(([first]: readonly ListedActivity[]) =>
    first?.activity === activity && first.sequence === sequence
      ? { type: first.type, status: first.status }
      : undefined,
  )(await store.activities(organization, { limit: 1, ascending: true, after: sequence - 1n })())

const standingOf = (events: readonly Recorded[]): Standing | undefined => {
  const standings = events.map(({ line }) => E.map(standingAfter)(decodeEvent(line)))
  const [first, last] = [standings[0], standings.at(-1)]
  if (first === undefined || last === undefined || E.isLeft(first) || E.isLeft(last)) return undefined
  return { type: first.right.type, status: last.right.status }
}
