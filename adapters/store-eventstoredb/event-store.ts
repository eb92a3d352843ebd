import { randomBytes, randomUUID } from 'node:crypto'
import { isOrganizationId } from '../../core/ports/append-rules.ts'
import type { EventStore, PartPlace, ReadOptions, Recorded, StoreCapabilities } from '../../core/ports/event-store.ts'
import type { ActivityIndex } from './activity-index.ts'
import type { Attempts } from '../../core/ports/attempts.ts'
import { stateVersion, type Indexer } from './indexer.ts'
import type { Lane } from './lane.ts'
import type { Live } from './live.ts'
import type { LogClient } from './log-client.ts'
import type { LogReader } from './log-reader.ts'
import type { MarksStream } from './marks.ts'
import type { StreamNames } from './names.ts'
import type { Parts } from './parts.ts'
import type { Tails } from './tails.ts'

/** The type of the events of trials. */
export const TRIAL_TYPE = 'countersign-trial'
/** More than most commits have, and of no pattern. */
const TRIAL_BYTES = 256 * 1024

export type EventStoreParts = {
  readonly client: LogClient
  readonly names: StreamNames
  readonly reader: LogReader
  readonly parts: Parts
  readonly marks: MarksStream
  readonly index: ActivityIndex
  readonly indexer: Indexer
  readonly tails: Tails
  readonly lane: Lane
  readonly live: Live
  readonly attempts: Attempts
  /** How the calls read that tell how far the log goes. */
  readonly confirmed: <A>(read: () => Promise<A>) => Promise<A>
  /** Runs when nothing else is under way any more. */
  readonly onClose: () => Promise<void>
}

/** What the store can do, each time it is opened. */
export const eventStoreDbCapabilities: StoreCapabilities = {
  soleWriter: false,
  durable: true,
  remembersIds: false,
  tellsDuplicates: false,
  gaplessPositions: false,
  ordersCommits: false,
  checksWithAppend: false,
}

export const eventStoreDbEventStore = (own: EventStoreParts): EventStore => {
  const { client, names, reader, parts, marks, index, indexer, tails, lane, live, attempts, confirmed } = own
  const { attempt, write } = attempts
  /** A name that no organization can have might be that of another one's stream. */
  const of = <A>(organization: string, read: () => Promise<A>, nothing: A) =>
    attempt(() => (isOrganizationId(organization) ? read() : Promise.resolve(nothing)))

  const readActivity = async (
    organization: string,
    activity: string,
    options?: ReadOptions,
  ): Promise<readonly Recorded[]> => {
    const sequences = await tails.sequences(organization, activity)
    const isFirstOnly = options?.bytesMax !== undefined && options.bytesMax <= 1
    return reader.readAt(organization, isFirstOnly ? sequences.slice(0, 1) : sequences, options)
  }

  const erase = async (organization: string, places: readonly PartPlace[]): Promise<void> => {
    const wanted = new Map<bigint, Set<string>>()
    for (const { sequence, name } of places) wanted.set(sequence, (wanted.get(sequence) ?? new Set()).add(name))
    const sequences = [...wanted.keys()].filter((sequence) => sequence > 0n).toSorted((a, b) => (a < b ? -1 : 1))
    const found = await reader.partsAt(organization, sequences)
    await parts.erase(
      found.flatMap(({ id, sequence, parts: named }) =>
        named.filter(({ name }) => wanted.get(sequence)?.has(name)).map(({ name }) => ({ eventId: id, name })),
      ),
    )
  }

  const tryWriting = async (): Promise<void> => {
    const stream = names.trial(randomUUID())
    const trial = { type: TRIAL_TYPE, data: randomBytes(TRIAL_BYTES), metadata: new Uint8Array() }
    await client.append(stream, 'none', [{ id: randomUUID(), ...trial }])
    await client.tombstone(stream)
  }

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    const ended = attempts.close()
    await lane.close()
    await ended
    await indexer.close()
    await live.close()
    await own.onClose()
  }

  return {
    capabilities: eventStoreDbCapabilities,
    append: (commits) => write(() => (commits.length === 0 ? Promise.resolve([]) : lane.append(commits))),
    readLog: (organization, after, limit, options) =>
      of(organization, () => reader.readLog(organization, after, limit, options), []),
    readActivity: (organization, activity, options) =>
      of(organization, () => readActivity(organization, activity, options), []),
    readAll: (after, limit, options) => attempt(() => reader.readAll(after, limit, options)),
    head: (organization) => of(organization, () => confirmed(() => reader.head(organization)), undefined),
    lastPosition: () => attempt(() => confirmed(reader.lastPosition)),
    organizations: (after, limit) => attempt(() => index.organizations(after, limit)),
    activities: (organization, selection) => of(organization, () => index.activities(organization, selection), []),
    pending: (after, limit) => attempt(() => index.pending(after, limit)),
    setStandings: (standings, version) => write(() => indexer.setStandings(standings, version)),
    standingsVersion: () => attempt(() => stateVersion(indexer)),
    watch: live.watch,
    importedTo: () => attempt(async () => (await marks.read()).importedTo),
    setImportedTo: (importedTo) =>
      write(async () => {
        await marks.write((before) => (before.importedTo === importedTo ? before : { ...before, importedTo }))
      }),
    eraseParts: (organization, places) =>
      write(() =>
        places.length === 0 || !isOrganizationId(organization) ? Promise.resolve() : erase(organization, places),
      ),
    checkWritable: () => write(tryWriting),
    close: () => (closing ??= close()),
  }
}
