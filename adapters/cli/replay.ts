import { isUuid } from '../../core/codec.ts'
import { flatten } from '../../core/organization/snapshot.ts'
import type { EventStore } from '../../core/ports/event-store.ts'
import { replayActivity, replayOrganization, type Moment, type Replayed } from '../../core/projection/replay.ts'
import { knownOperations } from './known-operations.ts'
import { millisOf, MOMENT } from './moment.ts'
import { close, openToRead } from './open-store.ts'
import { print } from './print.ts'
import { progressBar, type Progress } from './progress.ts'
import { summarize } from './summarize.ts'
import { refusal, resultOf, unusable } from './stop.ts'

export type ReplayOptions = {
  readonly store: string
  readonly activity?: string
  readonly organization?: string
  readonly at?: string
  readonly operations?: string
}

/** Folds the log, or a part of it, up to a moment, and prints the state. */
export const replay = async (options: ReplayOptions): Promise<number> => {
  const moment = options.at === undefined ? {} : { to: momentOf(options.at) }
  for (const id of [options.activity, options.organization])
    if (id !== undefined && !isUuid(id)) throw unusable('expected a UUID after --activity and --organization')
  const storage = await openToRead(options.store)
  const progress = await progressBar(await resultOf(storage.store.lastPosition()), MUCH)
  try {
    const { position, events, state } = await replayed(storage.store, options, moment, progress)
    progress.end()
    print({ position: String(position), events, state })
    return 0
  } finally {
    progress.end()
    await close(storage)
  }
}

const MUCH = 5_000n

/** Reads `--at`: digits alone are a position, all else has to be RFC 3339. */
const momentOf = (text: string): Moment => {
  if (/^[0-9]+$/.test(text)) return { position: BigInt(text) }
  const atMs = millisOf(text)
  if (atMs === undefined) throw unusable(`--at: expected a position (digits alone) or ${MOMENT}`)
  return { atMs }
}

type Until = { readonly to?: Moment }

const replayed = (
  store: EventStore,
  { activity, organization, operations }: ReplayOptions,
  until: Until,
  progress: Progress,
): Promise<Replayed<unknown>> => {
  if (activity !== undefined) return activityAt(store, activity.toLowerCase(), until)
  const options = { ...until, onProgress: progress.passed }
  return organization === undefined
    ? summarize(store, options)
    : organizationAt(store, organization.toLowerCase(), operations, options)
}

const activityAt = async (store: EventStore, id: string, until: Until): Promise<Replayed<unknown>> => {
  for await (const organization of organizationsOf(store)) {
    const found = await resultOf(replayActivity(store, organization, id, until))
    if (found.state === undefined) continue
    return { ...found, state: { ...found.state, revision: String(found.state.revision) } }
  }
  throw refusal(`the store has no activity ${id}${then(until)}`)
}

const organizationAt = async (
  store: EventStore,
  id: string,
  operations: string | undefined,
  options: Parameters<typeof replayOrganization>[3],
): Promise<Replayed<unknown>> => {
  const found = await resultOf(replayOrganization(store, await knownOperations(operations), id, options))
  if (found.events === 0) throw refusal(`the store has no organization ${id}${then(options ?? {})}`)
  return { ...found, state: flatten(found.state) }
}

const then = ({ to }: Until): string => (to === undefined ? '' : ' at that moment')

/** An index knows an activity's events, but not whose activity it is. */
const organizationsOf = async function* (store: EventStore): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const ids = await resultOf(store.organizations(after, 1000))
    yield* ids
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}
