import type { Call, Heard, History, Logged, Said } from './history.ts'

/** An anomaly: what the history breaks, and where. */
export type Anomaly = { readonly rule: string; readonly detail: string }

/**
 * Whether a history is serializable within its organization, in real-time order. The log gives the order, so nothing has
 * to be searched: every acknowledged call has its place in the log, places agree with the order in which calls followed
 * one another, every list shows a state that was current between its question and its answer, and no client sees time
 * run backwards. Quick: sorts, and walks.
 */
export const anomaliesOf = ({ calls, log }: History): readonly Anomaly[] => {
  const anomalies: Anomaly[] = []
  const found = (rule: string, detail: string): void => void anomalies.push({ rule, detail })
  checkLog(log, found)
  const places = placesOf(log)
  for (const call of calls) checkCall(call, places, found)
  checkRealTime(calls, places, found)
  checkLists(calls, log, places, found)
  return anomalies
}

type Found = (rule: string, detail: string) => void

/** Where things stand in the log. */
type Places = {
  readonly events: ReadonlyMap<string, readonly Logged[]>
  readonly created: (activity: string) => number | undefined
  readonly voted: (activity: string, user: string, event: 'approved' | 'rejected') => number | undefined
}

const placesOf = (log: readonly Logged[]): Places => {
  const events = new Map<string, Logged[]>()
  for (const logged of log) events.set(logged.activity, [...(events.get(logged.activity) ?? []), logged])
  return {
    events,
    created: (activity) => events.get(activity)?.[0]?.sequence,
    voted: (activity, user, event) =>
      events.get(activity)?.find((logged) => logged.event === event && logged.user === user)?.sequence,
  }
}

const ENDS = new Set(['completed', 'failed', 'rejected', 'denied'])

const checkLog = (log: readonly Logged[], found: Found): void => {
  const ended = new Set<string>()
  const begun = new Set<string>()
  const approved = new Set<string>()
  log.forEach((logged, index) => {
    const { activity, event, sequence, user } = logged
    if (sequence !== index + 1) found('the log has no gaps', `sequence ${sequence} stands at ${index + 1}`)
    if (ended.has(activity)) found('nothing follows an end', `${activity} at ${sequence}`)
    const isFirst = event === 'created' || event === 'denied'
    if (isFirst === begun.has(activity)) found('an activity is created once, and first', `${activity} at ${sequence}`)
    begun.add(activity)
    if (event === 'approved') {
      const vote = `${activity} ${user}`
      if (approved.has(vote)) found('a user approves once', `${vote} at ${sequence}`)
      approved.add(vote)
    }
    if (ENDS.has(event)) ended.add(activity)
  })
}

const checkCall = (call: Call, { events, created, voted }: Places, found: Found): void => {
  const { said, heard, client, sentAt } = call
  const where = `${client} at ${sentAt}`
  if (said._tag === 'list' || heard === undefined || heard._tag === 'listed') return
  const own = events.get(activityOf(said, heard)) ?? []
  if (heard._tag === 'activity') {
    if (heard.activity !== said.activity) found('one body, one activity', where)
    if (own.length === 0) found('what was acknowledged is in the log', where)
    const end = own.find(({ event }) => ENDS.has(event))?.event
    if (heard.status === 'COMPLETED' && end !== 'completed') found('an acknowledged end stands', where)
    if (heard.status === 'FAILED' && end !== 'failed') found('an acknowledged end stands', where)
    if (heard.status === 'REJECTED' && end !== 'rejected' && end !== 'denied')
      found('an acknowledged end stands', where)
    const voters = new Set(own.map(({ user }) => user))
    for (const voter of heard.voters)
      if (!voters.has(voter)) found('an acknowledged vote is in the log', `${where}: ${voter}`)
    if (said._tag === 'vote' && end === undefined && said.selection === 'approve' && heard.voters.includes(said.user)) {
      const place = voted(said.activity, said.user, 'approved') ?? own.find(({ user }) => user === said.user)?.sequence
      if (place === undefined) found('an acknowledged vote is in the log', where)
    }
  }
  if (heard._tag === 'denied' && own[0]?.event !== 'denied') found('a denial is stored', where)
  if (
    heard._tag === 'refused' &&
    said._tag === 'submit' &&
    own[0]?.user === said.user &&
    created(said.activity) !== undefined
  ) {
    if (heard.code !== 'CONFLICT' && heard.code !== 'UNAVAILABLE') found('what was refused is not in the log', where)
  }
}

/** The activity that a call is about. A denial belongs to whoever was denied. */
const activityOf = (said: Exclude<Said, { readonly _tag: 'list' }>, heard: Heard | undefined): string =>
  heard?._tag === 'denied' && said._tag === 'submit' ? (said.denial ?? said.activity) : said.activity

/** The place that a call made for itself in the log: only of calls whose body nobody had sent before. */
const placeOf = ({ said, heard }: Call, { events, created, voted }: Places): number | undefined => {
  if (heard === undefined || said._tag === 'list' || heard._tag === 'refused') return undefined
  // From anybody but its requester an activity's own body is, at most, an approval.
  const activity = activityOf(said, heard)
  if (said._tag === 'submit') return events.get(activity)?.[0]?.user === said.user ? created(activity) : undefined
  return voted(said.activity, said.user, said.selection === 'approve' ? 'approved' : 'rejected')
}

/** How far into the log somebody who heard this knows it to reach. */
const reachOf = (call: Call, places: Places): number | undefined => {
  const { heard } = call
  if (heard?._tag !== 'activity' || !['COMPLETED', 'FAILED', 'REJECTED'].includes(heard.status))
    return placeOf(call, places)
  return places.events.get(heard.activity)?.find(({ event }) => ENDS.has(event))?.sequence
}

const nameOf = ({ said }: Call): string => {
  if (said._tag === 'list') return 'list'
  if (said._tag === 'submit') return `submit ${said.activity} ${said.user}`
  return said.selection === 'approve' ? approvalBy(said) : `reject ${said.activity} ${said.user}`
}

const approvalBy = ({ activity, user }: { readonly activity: string; readonly user: string }): string =>
  `approve ${activity} ${user}`

const checkRealTime = (calls: readonly Call[], places: Places, found: Found): void => {
  const first = new Map<string, number>()
  const sent = (name: string, at: number) => first.set(name, Math.min(first.get(name) ?? Infinity, at))
  for (const call of calls) {
    sent(nameOf(call), call.sentAt)
    const { said } = call
    if (said._tag === 'submit') sent(approvalBy(said), call.sentAt) // the body of somebody else's activity approves it
  }
  const placed = calls.flatMap((call) => {
    const place = placeOf(call, places)
    return place === undefined || call.heardAt === undefined
      ? []
      : [{ place, sentAt: first.get(nameOf(call)) ?? call.sentAt, heardAt: call.heardAt, name: nameOf(call) }]
  })
  // In the order of sending: whatever was heard before has to stand before.
  const byHearing = placed.toSorted((a, b) => a.heardAt - b.heardAt)
  let heardSoFar = 0
  let latest = 0
  for (const { place, sentAt, name } of placed.toSorted((a, b) => a.sentAt - b.sentAt)) {
    for (; (byHearing[heardSoFar]?.heardAt ?? Infinity) < sentAt; heardSoFar += 1) {
      latest = Math.max(latest, byHearing[heardSoFar]?.place ?? 0)
    }
    if (place < latest)
      found('the log agrees with real time', `${name} stands at ${place}, after ${latest} was acknowledged`)
  }
}

const checkLists = (calls: readonly Call[], log: readonly Logged[], places: Places, found: Found): void => {
  const acknowledged = calls
    .flatMap((call) => {
      const place = reachOf(call, places)
      return place === undefined || call.heardAt === undefined ? [] : [{ place, heardAt: call.heardAt }]
    })
    .toSorted((a, b) => a.heardAt - b.heardAt)
  const seen = new Map<string, number>()
  for (const { client, heard, sentAt } of calls.toSorted((a, b) => a.sentAt - b.sentAt)) {
    if (heard?._tag !== 'listed') continue
    let least = seen.get(client) ?? 0
    for (const { place, heardAt } of acknowledged) if (heardAt < sentAt) least = Math.max(least, place)
    const match = log.find(({ sequence, shows }) => sequence >= least && shows === heard.shown)
    if (match === undefined) {
      const earlier = log.findLast(({ shows }) => shows === heard.shown)
      const what = earlier === undefined ? 'what never was' : `what was so up to ${earlier.sequence}`
      found(
        'a list shows what was durable when it was asked for, or later',
        `${client} at ${sentAt} saw ${what}, and ${least} had to be there: ${heard.shown}`,
      )
    } else seen.set(client, match.sequence)
  }
}
