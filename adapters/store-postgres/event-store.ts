import { randomBytes, randomUUID } from 'node:crypto'
import type { EventStore, StoreCapabilities, PartPlace, ReadOptions } from '../../core/ports/event-store.ts'
import type { Attempts } from '../../core/ports/attempts.ts'
import { gathering } from './gathering.ts'
import { headReader } from './heads.ts'
import type { Lane } from './lane.ts'
import type { Live } from './live.ts'
import { removeParts, sweep } from './parts.ts'
import type { Asking, Pool } from './pool.ts'
import {
  readActivitiesOf,
  readLastPosition,
  readOrganizations,
  readOrigin,
  readPage,
  writeOrigin,
  type ActivityOf,
  type Page,
} from './read-log.ts'
import type { Settings } from './settings.ts'
import { readActivities, readPending, writeStandings } from './standings.ts'
import { tablesOf } from './tables.ts'

/** The parts that one transaction erases: all other writes wait for it. */
const ERASED_AT_ONCE = 10_000
/** The activities that one statement reads: each may be large. */
const ACTIVITIES_MAX = 32
/** More than most commits have, and of no pattern, so that the server cannot pack it. */
const TRIAL_BYTES = 256 * 1024

export type EventStoreParts = {
  readonly pool: Pool
  readonly lane: Lane
  readonly live: Live
  readonly settings: Settings
  readonly attempts: Attempts
  /** Runs when nothing else is under way any more, before the connections are closed. */
  readonly onClose: () => Promise<void>
}

/** What the store can do, each time it is opened. */
export const postgresCapabilities: StoreCapabilities = {
  soleWriter: false,
  durable: true,
  remembersIds: true,
  tellsDuplicates: true,
  gaplessPositions: true,
  ordersCommits: true,
  checksWithAppend: true,
}

export const postgresEventStore = ({ pool, lane, live, settings, attempts, onClose }: EventStoreParts): EventStore => {
  const t = tablesOf(settings.schema)
  const { attempt, write } = attempts
  const reading = <A>(read: (on: Asking) => Promise<A>) => attempt(() => pool.lend(read))
  const head = headReader(pool, t)
  const activityOf = gathering(
    pool,
    (on, wanted: readonly ActivityOf[]) => readActivitiesOf(on, t, wanted),
    ACTIVITIES_MAX,
  )
  const page = (log: Page['log'], keys: readonly string[], after: bigint, limit: number, options?: ReadOptions) =>
    reading((on) => readPage(on, t, { log, keys, after, limit, options }))

  const erase = async (organization: string, parts: readonly PartPlace[]): Promise<void> => {
    for (let at = 0; at < parts.length; at += ERASED_AT_ONCE) {
      const some = parts.slice(at, at + ERASED_AT_ONCE)
      await lane.write((on) => removeParts(on, t, organization, some))
    }
    await pool.lend((on) => sweep(on, [t.parts], settings))
  }

  const tryWriting = async (): Promise<void> => {
    const id = randomUUID()
    await lane.write((on) => on.query(`INSERT INTO ${t.trials} VALUES ($1, $2)`, [id, randomBytes(TRIAL_BYTES)]))
    await lane.write((on) => on.query(`DELETE FROM ${t.trials} WHERE id = $1`, [id]))
  }

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await attempts.close()
    await onClose()
    await lane.close()
    await live.close()
    await pool.close()
  }

  return {
    capabilities: postgresCapabilities,
    append: (commits) => write(() => (commits.length === 0 ? Promise.resolve([]) : lane.append(commits))),
    readLog: (organization, after, limit, options) => page('log', [organization], after, limit, options),
    readActivity: (organization, activity, options) =>
      options === undefined
        ? attempt(() => activityOf({ organization, activity }))
        : page('activity', [organization, activity], 0n, Infinity, options),
    readAll: (after, limit, options) => page('all', [], after, limit, options),
    head: (organization) => attempt(() => head(organization)),
    lastPosition: () => reading((on) => readLastPosition(on, t)),
    organizations: (after, limit) => reading((on) => readOrganizations(on, t, after, limit)),
    activities: (organization, selection) => reading((on) => readActivities(on, t, organization, selection)),
    pending: (after, limit) => reading((on) => readPending(on, t, after, limit)),
    setStandings: (standings, version) =>
      write(() =>
        lane.write(async (on) => {
          await writeStandings(on, t, standings)
          await writeOrigin(on, t, 'standings', version)
        }),
      ),
    standingsVersion: () => reading((on) => readOrigin(on, t, 'standings')),
    watch: live.watch,
    importedTo: () => reading((on) => readOrigin(on, t, 'imported_to')),
    setImportedTo: (position) => write(() => lane.write((on) => writeOrigin(on, t, 'imported_to', position))),
    eraseParts: (organization, parts) =>
      write(() => (parts.length === 0 ? Promise.resolve() : erase(organization, parts))),
    checkWritable: () => write(tryWriting),
    close: () => (closing ??= close()),
  }
}
