import { streamNameFilter, type AllStreamResolvedEvent, type AllStreamSubscription } from '@eventstore/db-client'
import type { FollowFrom } from './log-client.ts'
import { tellsCaughtUp, type ServerVersion } from './server-version.ts'
import { outbox, type Outbox, type Tell } from './worker-outbox.ts'
import { eventsOfAll, storedEvent } from './worker-read.ts'
import { refusalOf, refused } from './worker-refusal.ts'
import type { LeaderClient } from './worker-client.ts'

/** A subscription that is under way. */
export type Subscribed = {
  /** The listener has taken one message. */
  readonly taken: () => void
  readonly stop: () => void
}

type Place = 'start' | bigint

export const subscribe = (client: LeaderClient, version: ServerVersion, from: FollowFrom, tell: Tell): Subscribed => {
  let subscription: AllStreamSubscription | undefined
  let room: (() => void) | undefined
  const box = outbox(tell, () => {
    subscription?.resume()
    room?.()
  })
  const nextRoom = (): Promise<void> => new Promise((resolve) => (room = resolve))

  const begin = async (): Promise<void> => {
    const { after } = from
    let place: Place = after === 'end' ? await endOf(client) : after
    // Nothing is behind the end; and a server that does not tell that it has caught up is first read as far as its end.
    const isCaughtUp = after === 'end' || !tellsCaughtUp(version)
    if (after !== 'end' && isCaughtUp) place = await readUpToEnd(client, from, place, box, nextRoom)
    if (box.hasEnded()) return
    subscription = opened(client, from, place, box, isCaughtUp)
  }
  begin().catch((error: unknown) => box.drop(refusalOf(error, false)))

  return {
    taken: box.taken,
    stop: () => {
      box.end()
      room?.()
      subscription?.resume() // what is in it would keep the window of the connection
      void subscription?.unsubscribe().catch(() => undefined)
    },
  }
}

/** The position of the last event of the whole log: a subscription from the server's own `end` may begin later than it is asked for. */
const endOf = async (client: LeaderClient): Promise<Place> => {
  const [last] = await eventsOfAll(client, { from: 'end', backwards: true, limit: 1, prefixes: [] })
  return last?.position ?? 'start'
}

const PAGE = 500

/** @returns the position of the last event that it has read */
const readUpToEnd = async (
  client: LeaderClient,
  { prefixes, withoutData = false }: FollowFrom,
  after: Place,
  box: Outbox,
  nextRoom: () => Promise<void>,
): Promise<Place> => {
  let place = after
  for (;;) {
    const page = await eventsOfAll(client, { from: place, limit: PAGE, prefixes, withoutData })
    for (const event of page) {
      if (typeof place === 'bigint' && event.position <= place) continue
      place = event.position
      if (!prefixes.some((prefix) => event.stream.startsWith(prefix))) continue
      if (!box.add(event)) await nextRoom()
      if (box.hasEnded()) return place
    }
    if (page.length < PAGE) return place
  }
}

/** After so many events of others the server tells how far it has come. */
const CHECKPOINT_AFTER = 1024

const opened = (
  client: LeaderClient,
  { prefixes, withoutData = false }: FollowFrom,
  after: Place,
  box: Outbox,
  isCaughtUp: boolean,
): AllStreamSubscription => {
  /** How many events the subscription has given. */
  let given = 0
  /** What was told while events that belong before it were still in the buffer of the subscription: behind how many, and what. */
  const early: { readonly behind: number; readonly step: 'caught-up' | bigint }[] = []
  const note = (step: 'caught-up' | bigint): void => {
    const waiting = subscription.readableLength
    if (waiting === 0) box.mark(step)
    else early.push({ behind: given + waiting, step })
  }
  const subscription = client.subscribeToAll({
    fromPosition: typeof after === 'bigint' ? { commit: after, prepare: after } : after,
    requiresLeader: true,
    filter: streamNameFilter({
      prefixes: [...prefixes],
      maxSearchWindow: CHECKPOINT_AFTER,
      checkpointInterval: 1,
      checkpointReached: (_, { commit }) => note(commit),
    }),
  })
  subscription.on('data', (resolved: AllStreamResolvedEvent) => {
    given++
    const event = storedEvent(resolved, { withoutData })
    if (event !== undefined && !(typeof after === 'bigint' && event.position <= after) && !box.add(event))
      subscription.pause()
    for (let next = early[0]; next !== undefined && next.behind <= given; next = early[0]) {
      box.mark(next.step)
      early.shift()
    }
  })
  if (isCaughtUp) subscription.once('confirmation', () => note('caught-up'))
  subscription.on('caughtUp', () => note('caught-up'))
  subscription.on('error', (error) => box.drop(refusalOf(error, false)))
  subscription.on('end', () => box.drop(ENDED))
  subscription.on('close', () => box.drop(ENDED))
  return subscription
}

const ENDED = refused({ _tag: 'unavailable' }, 'the server has ended the subscription')
