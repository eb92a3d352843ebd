import { setTimeout } from 'node:timers/promises'
import { isUuid } from '../../core/codec/codec.ts'
import type { Head } from '../../core/resources/erasure/erasing.ts'
import { REQUEST } from '../../core/log/parts.ts'
import { isWaiting } from '../../core/log/standing.ts'
import { countOf } from '../inbox/amounts.ts'
import { detailsBy } from '../inbox/details.ts'
import type { SeenActivity } from '../inbox/seen.ts'
import { operationOf, statusText } from '../inbox/words.ts'
import { detailsOf, entryOf } from './activity-lines.ts'
import { commandName } from './command-name.ts'
import { canAsk, confirm } from './confirm.ts'
import { print, printStyled, say, sayStyled } from './print.ts'
import { erasureIn, serverCalls, type CallOptions, type SeenPlace } from './server-calls.ts'
import type { ServerCalls, ToErase } from './server-calls.ts'
import { refusal, unusable } from './stop.ts'
import { bold, styled, type Line } from './style.ts'

export type EraseOptions = CallOptions & {
  readonly user: string
  readonly requests: 'naming' | 'made'
  readonly dryRun?: boolean
  readonly json?: boolean
  /** Whether to erase without asking. */
  readonly yes?: boolean
}

/** Says what an erasure of a person's data would erase, asks, submits it, and says what has become of it. */
export const erase = async (options: EraseOptions): Promise<number> => {
  const { dryRun = false, json = false, yes = false } = options
  const userId = options.user.toLowerCase()
  if (!isUuid(userId)) throw unusable('--user: expected the id of a user')
  const calls = await serverCalls(options)
  const toErase: ToErase = { userId, requests: options.requests === 'made' ? 'MADE' : 'NAMING' }
  const plan = await planOf(calls, toErase)
  if (dryRun && json) print({ plan: plan.json })
  if (!json) printStyled(planLines(userId, plan))
  if (dryRun) return 0
  if (!yes && canAsk()) {
    if (json) sayStyled(planLines(userId, plan))
    if (!(await confirm('Nothing brings it back. Erase it?'))) {
      say('Nothing was erased.')
      return 1
    }
  }
  return tell(
    calls,
    json ? plan : undefined,
    await settled(calls, await calls.eraseUser({ ...toErase, head: plan.head })),
  )
}

/** What an erasure would erase. It has no personal data itself. */
type Plan = {
  readonly json: {
    readonly parts: number
    /** How many events have these parts. */
    readonly events: number
    /** The activities of which a request would be erased: it can no longer be verified. */
    readonly activities: readonly Pick<SeenActivity, 'id' | 'type' | 'status' | 'createdAt'>[]
  }
  /** The end of the log that was looked at: the request names it. */
  readonly head: Head
  /** The activities for people. */
  readonly entries: readonly Line[]
}

const planOf = async (calls: ServerCalls, toErase: ToErase): Promise<Plan> => {
  let [parts, events] = [0, 0]
  const losing = new Set<string>()
  let head: Head | undefined
  for await (const place of placesOf(calls, toErase, (seen) => (head = seen))) {
    parts += place.parts.length
    if (place.parts.length > 0) events += 1
    if (place.parts.includes(REQUEST)) losing.add(place.activityId)
  }
  const activities: Plan['json']['activities'][number][] = []
  const entries: Line[] = []
  for (const activityId of losing) {
    const activity = await calls.activity(activityId)
    const { id, type, status, createdAt } = activity
    activities.push({ id, type, status, createdAt })
    entries.push(...entryOf({ ...activity, canApprove: false }, Date.now()))
  }
  if (head === undefined) throw refusal('the server did not say where its log ends')
  return { json: { parts, events, activities }, head, entries }
}

const placesOf = async function* (
  calls: ServerCalls,
  toErase: ToErase,
  onHead: (head: Head) => void,
): AsyncGenerator<SeenPlace> {
  for (let after: string | null | undefined; after !== null;) {
    const page = await calls.personalPlaces({ ...toErase, ...(after === undefined ? {} : { after }) })
    onHead(page.head)
    yield* page.places
    // Text of digits alone: a server that repeats itself must not keep us here.
    if (page.next !== null && BigInt(page.next) <= BigInt(after ?? 0))
      throw refusal('the server answered with a page that it had answered with before')
    after = page.next
  }
}

const planLines = (userId: string, { json, entries }: Plan): readonly Line[] => {
  const { parts, events, activities } = json
  const lost = countOf(activities.length, 'activity', 'activities')
  return [
    [bold(`${countOf(parts, 'part')} of ${countOf(events, 'event')}`), ` would be erased: the data of ${userId}.`],
    ...(activities.length === 0
      ? []
      : [
          [styled('yellow')(lost), ' can no longer be verified then: what was asked for is erased with the data.'],
          ...entries,
        ]),
  ]
}

/** The activity when it waits or is over, or as it is after a minute. */
const settled = async (calls: ServerCalls, submitted: SeenActivity): Promise<SeenActivity> => {
  let activity = submitted
  for (let tries = 0; activity.status === PENDING && tries < TRIES_MAX; tries += 1) {
    await setTimeout(ASK_AGAIN_MS)
    activity = await calls.activity(activity.id)
  }
  return activity
}

const PENDING = 'ACTIVITY_STATUS_PENDING'
const ASK_AGAIN_MS = 500
const TRIES_MAX = 120

/** @param plan  what to print as JSON with the activity; undefined for people */
const tell = async (calls: ServerCalls, plan: Plan | undefined, activity: SeenActivity): Promise<number> => {
  const { id, type, status, failure } = activity
  const details = isWaiting(status) ? await detailsBy(calls, activity) : undefined
  if (plan !== undefined) print({ plan: plan.json, activity, missing: details?.missing })
  else if (details !== undefined) printStyled(detailsOf(activity, details, calls.flags))
  else if (status === 'ACTIVITY_STATUS_COMPLETED') printStyled(completedLines(activity))
  if (status === PENDING) say(`It is under way:  ${commandName()} show ${id}${calls.flags}`)
  if (status === 'ACTIVITY_STATUS_FAILED' || status === 'ACTIVITY_STATUS_REJECTED')
    throw refusal(`${operationOf(type)} ${statusText(status)}${failure === null ? '' : `: ${failure.message}`}`)
  return 0
}

const completedLines = (activity: SeenActivity): readonly Line[] => {
  const { erasedParts = 0 } = erasureIn(activity) ?? {}
  return [[styled('green')('Erased'), ` ${countOf(erasedParts, 'part')}, by the activity ${activity.id}.`]]
}
