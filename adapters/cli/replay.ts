import type { Activity } from '../../core/activity/activity.ts'
import { encodeBase64 } from '../../core/bytes.ts'
import { isUuid } from '../../core/codec/codec.ts'
import { eachOrganization } from '../../core/log/each-organization.ts'
import { flatten } from '../../core/organization/snapshot.ts'
import type { EventStore } from '../../core/ports/event-store.ts'
import { replayActivity, replayOrganization, type Moment, type Replayed } from '../../core/projection/replay.ts'
import type { ReplayOptions as ReplayMoment } from '../../core/projection/replay.ts'
import { writeSequences } from '../../core/resources/erasure/sequences.ts'
import { knownResources } from './known-resources.ts'
import { millisOf, MOMENT } from './moment.ts'
import type { BesideFlags } from './open-store.ts'
import { print } from './print.ts'
import type { Progress } from './progress.ts'
import { readingLog } from './reading-log.ts'
import { summarize } from './summarize.ts'
import { refusal, resultOf, unusable } from './stop.ts'

export type ReplayOptions = BesideFlags & {
  readonly store: string
  readonly activity?: string
  readonly organization?: string
  readonly at?: string
  readonly resources?: string
}

/** Folds the log, or a part of it, up to a moment, and prints the state. */
export const replay = async (options: ReplayOptions): Promise<number> => {
  const moment = { to: options.at === undefined ? undefined : momentOf(options.at) }
  for (const id of [options.activity, options.organization])
    if (id !== undefined && !isUuid(id)) throw unusable('expected a UUID after --activity and --organization')
  return readingLog(options, async ({ store }, progress) => {
    const erased = new Map<string, bigint[]>()
    const onErased = (sequence: bigint, part: string): void => {
      const sequences = erased.get(part) ?? []
      erased.set(part, sequences)
      sequences.push(sequence)
    }
    const { position, events, state } = await replayed(store, options, { ...moment, onErased }, progress)
    progress.end()
    print({ position: String(position), events, state, ...written(erased) })
    return 0
  })
}

/** Reads `--at`: digits alone are a position; any other text has to be RFC 3339. */
const momentOf = (text: string): Moment => {
  if (/^[0-9]+$/.test(text)) return { position: BigInt(text) }
  const atMs = millisOf(text)
  if (atMs === undefined) throw unusable(`--at: expected a position (digits alone) or ${MOMENT}`)
  return { atMs }
}

/** The erased parts as an erasure lists them; nothing if there are none. */
const written = (erased: ReadonlyMap<string, readonly bigint[]>) =>
  erased.size === 0
    ? {}
    : { erased: [...erased].map(([name, sequences]) => ({ name, sequences: writeSequences(sequences) })) }

type Until = Pick<ReplayMoment, 'to' | 'onErased'>

const replayed = (
  store: EventStore,
  { activity, organization, resources }: ReplayOptions,
  until: Until,
  progress: Progress,
): Promise<Replayed<unknown>> => {
  if (activity !== undefined) return activityAt(store, activity.toLowerCase(), until)
  const options = { ...until, onProgress: progress.passed }
  return organization === undefined
    ? summarize(store, options)
    : organizationAt(store, organization.toLowerCase(), resources, options)
}

const activityAt = async (store: EventStore, id: string, until: Until): Promise<Replayed<unknown>> => {
  for await (const organization of organizationsOf(store)) {
    const found = await resultOf(replayActivity(store, organization, id, until))
    if (found.state === undefined) continue
    return { ...found, state: printable(found.state) }
  }
  throw refusal(`the store has no activity ${id}${then(until)}`)
}

const printable = ({ parts, ...state }: Activity): unknown => ({
  ...state,
  revision: String(state.revision),
  ...(parts === undefined
    ? {}
    : { parts: Object.fromEntries([...parts].map(([name, part]) => [name, spelled(part)])) }),
})

/** A part in base64, as an export writes it; null if it was erased. */
const spelled = (part: Uint8Array | 'erased'): string | null => (part === 'erased' ? null : encodeBase64(part))

const organizationAt = async (
  store: EventStore,
  id: string,
  resources: string | undefined,
  options: Parameters<typeof replayOrganization>[3],
): Promise<Replayed<unknown>> => {
  const found = await resultOf(replayOrganization(store, await knownResources(resources), id, options))
  if (found.events === 0) throw refusal(`the store has no organization ${id}${then(options ?? {})}`)
  return { ...found, state: flatten(found.state) }
}

const then = ({ to }: Until): string => (to === undefined ? '' : ' at that moment')

/** All organizations of a store. They are needed because the index of an activity's events needs its organization. */
export const organizationsOf = async function* (store: EventStore): AsyncGenerator<string> {
  for await (const id of eachOrganization(store)) yield await resultOf(() => Promise.resolve(id))
}
