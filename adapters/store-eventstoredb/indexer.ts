import { randomBytes, randomUUID } from 'node:crypto'
import type { ActivityStanding } from '../../core/ports/event-store.ts'
import type { Leases } from '../../core/ports/leases.ts'
import type { RowChange } from '../../core/ports/read-models.ts'
import { E } from '../../core/prelude.ts'
import { Refusal, refuse } from '../../core/ports/refusal.ts'
import { eachOf } from './bounded.ts'
import { indexBehind, value } from './failures.ts'
import {
  activityOf,
  INDEX,
  putActivity,
  putOrganization,
  putState,
  restood,
  STATE,
  stateOf,
  stood,
  type ActivityRow,
  type IndexState,
  type OrganizationRow,
} from './index-rows.ts'
import type { Found } from './found.ts'
import type { LogReader } from './log-reader.ts'
import type { IndexModels } from './overlay.ts'

/**
 * Keeps the index of activities up to the log. Every process may move it: a move succeeds only if nobody else has moved the index since its
 * rows were read. Where several do, one has a lease, and the others are spared the work.
 */
export type Indexer = {
  /** The state of the index; begins it where there is none. Fails if it is that of another log. */
  readonly state: () => Promise<IndexState>
  /** Moves the index up to the end of the log as it is now, and gives its state then. @param withinMs  fails after this time */
  readonly catchUp: (withinMs?: number) => Promise<IndexState>
  readonly setStandings: (standings: readonly ActivityStanding[], version: bigint) => Promise<void>
  /** Throws the index away, because the log has not what the index has. */
  readonly startOver: () => Promise<void>
  /** There are events up to this position: the index follows soon. */
  readonly wake: (position: bigint) => void
  readonly close: () => Promise<void>
}

export type IndexerOptions = {
  readonly readModels: IndexModels
  readonly leases: Leases | undefined
  readonly reader: LogReader
  /** The id of the database that belongs to the log. */
  readonly database: string
  readonly readOnly: boolean
  /** Runs when rows are gone that were there. */
  readonly onThrownAway: () => Promise<void>
}

const STEP_EVENTS = 1000
const STEP_BYTES = 8 * 1024 * 1024
const ROWS_AT_ONCE = 16
const CATCH_UP_MS = 10_000
/** New events wait so long for others that are moved with them: a move costs more than the events in it. */
const REST_MS = 500
/** After this time, it is found out whether the log still has the last event of the index. */
const BELIEVED_MS = 1_000
const LEASE = 'countersign.index'
const LEASE_MS = 5_000
/** After somebody else has moved the index, it is moved under a lease for so long. */
const SHARED_MS = 60_000
/** When to look whether the holder of the lease has done the work. */
const LOOK_AGAIN_MS = 1_000

export const indexer = (options: IndexerOptions): Indexer => {
  const { readModels, leases, reader, database, readOnly, onThrownAway } = options
  let moving: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wanted = 0n
  let moved: { readonly id: string; readonly atMs: number } | undefined
  /** A lease costs two transactions: it is taken only while others move the index, too. */
  let sharedUntil = 0
  let hasBegun = false
  let isClosed = false

  /** One move at a time in this process. */
  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const turn = moving.then(work, work)
    moving = turn.catch(() => undefined)
    return turn
  }

  const readState = async (): Promise<IndexState | undefined> => {
    const found = stateOf(await value(readModels.row(INDEX, STATE, 'state')))
    if (found !== undefined && found.database !== database)
      throw refuse(
        'UNAVAILABLE',
        'the read models belong to another log now: give the store those that it was opened with',
      )
    if (found !== undefined && found.position > 0n) reader.remember(found)
    return found
  }

  /** Moves the index, unless somebody else has done so: then it is false. */
  const move = async (from: bigint, to: bigint, changes: readonly RowChange[]): Promise<boolean> => {
    const outcome = await readModels.move(INDEX, from, to, changes)()
    if (E.isLeft(outcome) && outcome.left.code !== 'CONFLICT') throw new Refusal(outcome.left)
    if (E.isLeft(outcome)) sharedUntil = performance.now() + SHARED_MS
    return E.isRight(outcome)
  }

  /** Its counter begins anywhere, so that a process that stood still never takes it for one that it knew. */
  const begin = async (): Promise<void> => {
    if (hasBegun) await onThrownAway()
    await value(readModels.drop(INDEX))
    const from = randomBytes(7).readUIntBE(0, 6)
    const state = { generation: randomUUID(), database, position: 0n, id: '', standingsVersion: 0n }
    await move(0n, BigInt(from) + 1n, [putState(state)])
  }

  const state = async (): Promise<IndexState> => {
    const found = await readState()
    if (found !== undefined) {
      hasBegun = true
      return found
    }
    const wasThere = hasBegun
    await inTurn(async () => {
      if ((await readState()) === undefined) await begin()
    })
    if (wasThere) {
      wake(MAX)
      throw indexBehind()
    }
    return state()
  }

  /** Whether this process has read the last event of the index just now. */
  const isOwn = ({ id }: IndexState): boolean => moved?.id === id && performance.now() - moved.atMs < BELIEVED_MS

  /** Takes the next events. True if there may be more. */
  const step = async (): Promise<boolean> => {
    const from = await value(readModels.checkpoint(INDEX))
    const before = await readState()
    if (before === undefined) {
      await begin()
      return true
    }
    if (!isOwn(before) && before.position > 0n && !(await reader.hasAt(before.position, before.id))) {
      await begin() // the log was restored, and has not what the index has
      return true
    }
    const events = await reader.readBehind(before.position, STEP_EVENTS, STEP_BYTES)
    const last = events.at(-1)?.stored
    if (last === undefined) return false
    const changes = await changesOf(readModels, events)
    const after = { ...before, position: last.position, id: last.id }
    if (await move(from, from + 1n, [...changes, putState(after)])) moved = { id: last.id, atMs: performance.now() }
    return true
  }

  const catchUp = async (withinMs = CATCH_UP_MS): Promise<IndexState> => {
    const until = performance.now() + withinMs
    const goal = await reader.lastPosition()
    for (;;) {
      const now = await state()
      if (now.position >= goal || goal === 0n) return now
      if (performance.now() > until || isClosed) throw indexBehind()
      if (!(await inTurn(step))) return state()
    }
  }

  const override = async (standings: readonly ActivityStanding[], version: bigint): Promise<boolean> => {
    const from = await value(readModels.checkpoint(INDEX))
    const before = await readState()
    if (before === undefined) throw indexBehind()
    const rows = new Map<string, { readonly made: ActivityStanding; row: ActivityRow | undefined }>()
    for (const made of standings) rows.set(JSON.stringify([made.organization, made.activity]), { made, row: undefined })
    await eachOf([...rows.values()], ROWS_AT_ONCE, async (one) => {
      one.row = activityOf(await value(readModels.row(INDEX, one.made.organization, one.made.activity)))
    })
    for (const made of standings) {
      const one = rows.get(JSON.stringify([made.organization, made.activity]))
      if (one?.row !== undefined) one.row = restood(one.row, made)
    }
    const changes = [...rows.values()].flatMap(({ made, row }) =>
      row === undefined ? [] : putActivity(made.organization, made.activity, row),
    )
    const next = { ...before, standingsVersion: version }
    return move(from, from + 1n, [...changes, putState(next)])
  }

  /** Up to where the log went when it began: what comes meanwhile waits for the next time, so that appends are not held up. */
  const workOff = async (): Promise<void> => {
    const goal = wanted
    const shared = performance.now() < sharedUntil ? leases : undefined
    const lease = shared === undefined ? undefined : await value(shared.take(LEASE, LEASE_MS))
    if (shared !== undefined && lease === undefined) {
      if (goal === MAX || (await state()).position < goal) later(LOOK_AGAIN_MS)
      return
    }
    const isThere = async (): Promise<boolean> => goal < MAX && (await state()).position >= goal
    while (await inTurn(step)) {
      if (isClosed || (await isThere())) break
      if (lease !== undefined && shared !== undefined) await value(shared.renew(lease, LEASE_MS))
    }
    if (lease !== undefined && shared !== undefined) await value(shared.giveUp(lease))
    if (wanted > goal) later(REST_MS)
    else if (goal === MAX) wanted = 0n
  }

  const later = (afterMs: number): void => {
    if (timer !== undefined || isClosed || readOnly) return
    timer = setTimeout(() => {
      timer = undefined
      running = workOff()
        .catch(() => later(LOOK_AGAIN_MS))
        .finally(() => (running = undefined))
    }, afterMs)
    timer.unref()
  }

  const wake = (position: bigint): void => {
    if (position > wanted) wanted = position
    if (running === undefined) later(REST_MS)
  }

  return {
    state,
    catchUp,
    setStandings: async (standings, version) => {
      await catchUp()
      while (!(await inTurn(() => override(standings, version)))) if (isClosed) throw indexBehind()
    },
    startOver: () => inTurn(begin),
    wake,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await running
      await moving
    },
  }
}

const MAX = 2n ** 63n

/** The version that standings were replaced with last. */
export const stateVersion = async ({ state }: Pick<Indexer, 'state'>): Promise<bigint> =>
  (await state()).standingsVersion

/** The rows that change when these events are taken. */
const changesOf = async (readModels: IndexModels, events: readonly Found[]): Promise<readonly RowChange[]> => {
  const organizations = new Map<string, OrganizationRow>()
  const activities = new Map<
    string,
    { readonly organization: string; readonly activity: string; row: ActivityRow | undefined }
  >()
  const unknown = new Set<string>()
  for (const { organization, logged } of events) {
    if (logged === undefined) continue
    const { sequence, position, id, activity, revision } = logged
    organizations.set(organization, { sequence, position, id })
    const key = JSON.stringify([organization, activity])
    if (activities.has(key)) continue
    activities.set(key, { organization, activity, row: undefined })
    if (revision > 1n) unknown.add(key)
  }
  await eachOf([...unknown], ROWS_AT_ONCE, async (key) => {
    const one = activities.get(key)
    if (one !== undefined) one.row = activityOf(await value(readModels.row(INDEX, one.organization, one.activity)))
  })
  for (const { organization, logged } of events) {
    if (logged === undefined) continue
    const { sequence, position, activity, standing } = logged
    const one = activities.get(JSON.stringify([organization, activity]))
    if (one === undefined) continue
    const { row = { sequences: [], position, standing: undefined } } = one
    one.row = {
      sequences: [...row.sequences, sequence],
      position: row.position,
      standing: stood(row.standing, standing),
    }
  }
  return [
    ...[...organizations].map(([organization, row]) => putOrganization(organization, row)),
    ...[...activities.values()].flatMap(({ organization, activity, row }) =>
      row === undefined ? [] : putActivity(organization, activity, row),
    ),
  ]
}
