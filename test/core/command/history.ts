import * as assert from 'uvu/assert'
import { evolve, isFinished, type Activity } from '../../../core/activity/activity.ts'
import { decodeEvent, type Event } from '../../../core/log/event.ts'
import { partsOf } from '../../../core/log/parts.ts'
import { foldEvent } from '../../../core/organization/fold.ts'
import { initial, type Draft } from '../../../core/organization/state.ts'
import type { Catalogue } from '../../../core/definition/catalogue.ts'
import type { EventStore, Recorded } from '../../../core/ports/event-store.ts'
import { right, type World } from '../world/world.ts'

type Read = Pick<World, 'organizationId'> & { readonly storage: { readonly store: Pick<EventStore, 'readLog'> } }

export const recordsOf = async ({ storage, organizationId }: Read): Promise<readonly Recorded[]> =>
  right(await storage.store.readLog(organizationId, 0n, 100_000)())

/** What the organization's log says, in order. */
export const eventsOf = async (world: Read): Promise<readonly Event[]> =>
  (await recordsOf(world)).map(({ line }) => right(decodeEvent(line)))

/** The types of the events of one activity. */
export const storyOf = async (world: Read, activityId: string): Promise<readonly string[]> =>
  (await eventsOf(world))
    .filter(({ activity }) => activity === activityId)
    .map(({ type }) => type.replace('Activity', ''))

/** How many votes of one activity the log has. */
export const votesOf = async (world: Read, activityId: string): Promise<number> =>
  (await storyOf(world, activityId)).filter((type) => type === 'Voted').length

/** The state that the log leads to, one event at a time. */
export const replayed = (organizationId: string, records: readonly Recorded[], catalogue: Catalogue): Draft => {
  const draft = initial(organizationId)
  for (const { line, parts } of records) {
    const event = right(decodeEvent(line))
    right(foldEvent(draft, event, catalogue, partsOf(event, parts)))
  }
  return draft
}

/** Holds what must hold of every log: no gaps, activities that begin, and nothing after their end. Gives the activities. */
export const assertSound = (events: readonly Event[]): ReadonlyMap<string, Activity> => {
  const activities = new Map<string, Activity>()
  events.forEach((event, index) => {
    const before = activities.get(event.activity)
    assert.is(event.sequence, BigInt(index + 1))
    assert.is(event.revision, (before?.revision ?? 0n) + 1n)
    assert.is(before !== undefined && isFinished(before), false, `${event.type} after the end`)
    activities.set(event.activity, evolve(before, event))
  })
  return activities
}
