import { isFinished, type Activity } from '../activity/activity.ts'
import { timestampOf } from '../activity/envelope.ts'
import type { Failure, Json } from '../failure.ts'
import { FIRST_LINE } from '../ports/event-store.ts'
import { E } from '../prelude.ts'
import { bytesOf, renderActivity, type ActivityView, type ShownActivity } from '../view/activity-view.ts'
import { findIn } from '../definition/find.ts'
import type { Query, QueryContext } from '../definition/query.ts'
import { refuse, valueOf } from '../definition/refuse.ts'
import type { Request } from '../request.ts'
import { hasEnded, organizationNotFound } from '../organization/ended.ts'
import { seesOwnActivities } from '../organization/issued-key.ts'
import { askerOf, type AskerPorts, type AskingUser } from './asker.ts'
import { keptChanging } from './authenticate.ts'
import { homeOf } from './home.ts'
import { below, onTop } from './below.ts'
import type { CommandPorts } from './bus.ts'
import type { CaughtUpPorts } from './caught-up.ts'
import { rowsOf } from './rows-of.ts'
import { seenFactors } from './seen-factors.ts'
import type { Cell } from '../writing/cell.ts'
import { uninspected, withInspected, type LiveActivity } from '../deciding/live-activity.ts'
import { evaluationsOf, viewOf, votersOfAnswer, type VotersOfAnswer } from './view.ts'
import type { Rules } from '../deciding/proposal.ts'
import { isInTime, staleTimestamp } from '../deciding/times.ts'

export type AskPorts = CommandPorts &
  CaughtUpPorts &
  Pick<AskerPorts, 'daySecrets'> & {
    /** Whether a query needs a `timestampMs` that is in time. */
    readonly mustBeFresh: boolean
  }

type Answer = { readonly [member: string]: Json }

const CONFLICTS_MAX = 16
/** A list of activities ends at this size. A page of a hundred could otherwise have hundreds of megabytes. */
const ACTIVITIES_BYTES_MAX = 4 * 1024 * 1024
/** Activities that are read together: enough for few calls, and few enough for the memory. */
const ACTIVITIES_AT_ONCE = 20

/**
 * Answers a query on a state that has at least every event that was durable when the query arrived. The state may be ahead of the disk.
 * Then the answer waits until that state is durable; if its events are refused, the answer is made again.
 */
export const ask =
  (ports: AskPorts) =>
  async (query: Query, request: Request): Promise<E.Either<Failure, Answer>> => {
    const asker = await askerOf(ports, query, request)
    if (E.isLeft(asker)) return asker
    const { organizationId, json, callerIn, mayOpen } = asker.right
    if (ports.mustBeFresh && !isFresh(json, ports.clock.now())) return E.left(staleTimestamp)
    const concluded: Concluded = new Map()
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
      const loaded = await ports.organizations.fresh(organizationId)
      if (E.isLeft(loaded)) return loaded
      const cell = loaded.right
      await ports.turns.next(cell.organizationId)
      const home = await homeOf(asker.right, cell, ports.organizations.fresh)
      if (E.isLeft(home)) return home
      const atMs = cell.timeAt(ports.clock.now())
      const sight = { organization: cell.state, home: home.right.state }
      const caller = hasEnded(cell.state) ? E.left(organizationNotFound(cell.organizationId)) : callerIn(sight, atMs)
      const rules = mayOpen ? ports.rules : { ...ports.rules, reveal: undefined }
      const answer = E.isLeft(caller)
        ? caller
        : await query.run(json, contextOf(ports, rules, { cell, home: home.right, concluded }, caller.right, atMs))()
      if ((await cell.stateDurable()) && (await home.right.stateDurable())) return answer
    }
    return E.left(keptChanging)
  }

const isFresh = (body: Json, clockMs: number): boolean => {
  const timestampMs = timestampOf(body)
  return timestampMs !== undefined && isInTime(timestampMs, clockMs)
}

/** Activities that are over, and durable, by id: nothing that happens while a query is answered can change what it may show of them. */
type Concluded = Map<string, LiveActivity>

type Seen = { readonly cell: Cell; readonly home: Cell; readonly concluded: Concluded }

const contextOf = (
  ports: AskPorts,
  rules: Rules,
  { cell, home: homeCell, concluded }: Seen,
  { userId: caller, issued }: AskingUser,
  atMs: number,
): QueryContext => {
  const isShown = ({ requester }: Activity): boolean => !seesOwnActivities(issued) || requester === caller
  const live = async (activityId: string): Promise<LiveActivity> => {
    const found = concluded.get(activityId) ?? valueOf(await ports.activities.find(cell, activityId))
    if (found !== undefined && isFinished(found.activity) && !cell.pending.has(activityId))
      concluded.set(activityId, found)
    if (found === undefined || !isShown(found.activity)) throw refuse('ACTIVITY_NOT_FOUND', 'activity not found')
    return found
  }
  const { state: organization, organizationId } = cell
  const { state: home } = homeCell
  const { catalogue } = rules
  const { store } = ports.storage
  const { find, findAll } = findIn(organization)
  // All activities of an answer share one bound on the steps that find out who may vote. Most answers show no activity.
  let voters: VotersOfAnswer | undefined
  const viewed = (found: LiveActivity): ActivityView => {
    voters ??= votersOfAnswer({ organization, home }, catalogue, atMs)
    return viewOf({ organization, home }, rules, found, caller, atMs, voters)
  }
  return {
    find,
    findAll,
    organization,
    home,
    head: cell.tip,
    caller,
    issued,
    atMs,
    nameOf: (text) => ports.daySecrets?.nameOf(text),
    keyOfToken: async (token) => {
      if (ports.identityTokens === undefined) throw refuse.unsupported('identity tokens')
      return valueOf(await ports.identityTokens.keyOf(token)())
    },
    verificationKeys: ports.verificationKeys ?? [],
    language: catalogue.language,
    timeZones: catalogue.timeZones,
    activity: async (activityId) => renderActivity(valueOf(await ports.proved(viewed(await live(activityId))))),
    activities: async (activityIds) => {
      const shown: ShownActivity[] = []
      let bytes = 0
      for (let at = 0; at < activityIds.length; at += ACTIVITIES_AT_ONCE) {
        for (const found of await Promise.all(activityIds.slice(at, at + ACTIVITIES_AT_ONCE).map(live))) {
          await ports.turns.next(organizationId) // the activities of a page together can take long
          const view = viewed(found)
          bytes += bytesOf(view)
          if (shown.length > 0 && bytes > ACTIVITIES_BYTES_MAX) return shown
          shown.push(renderActivity(view))
        }
      }
      return shown
    },
    knowsType: (type) => catalogue.byType(type) !== undefined,
    activityIds: async (selection) => {
      await cell.stateDurable() // what is pending is listed, too
      return valueOf(await store.activities(organizationId, selection)()).map(({ activity }) => activity)
    },
    beginningOf: async (activityId) =>
      valueOf(await store.readActivity(organizationId, activityId, FIRST_LINE)())[0]?.sequence,
    evaluations: async (activityId) => evaluationsOf(await live(activityId)),
    factors: async (activityId) => {
      const found = await live(activityId)
      const missing = uninspected(catalogue, found)
      const known =
        missing === undefined
          ? found
          : valueOf(withInspected(found, await ports.inspect(organizationId, missing.operation, missing.decoded)))
      return seenFactors({ organization, home }, catalogue, known, atMs)
    },
    ...rowsOf(ports, cell),
    below: below(ports, organizationId),
    onTop: onTop(ports, organization),
  }
}
