import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Failure } from '../../../core/failure.ts'
import { encodeEvent, instant, type Event, type EventPayload } from '../../../core/log/event.ts'
import type { NewEvent } from '../../../core/ports/event-store.ts'
import type { RowChange } from '../../../core/ports/read-models.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E, type TE } from '../../../core/prelude.ts'
import { follow } from '../../../core/following/follow.ts'
import type { Follower, FollowerOptions, FollowPorts } from '../../../core/following/follower.ts'
import type { Positioned } from '../../../core/following/feed.ts'
import { leasing } from '../../../core/leasing/leasing.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import { right, testClock } from '../world/world.ts'

/** Where something comes from: the organization, and its sequence there. */
export const placeOf = ({ organization, sequence }: Event): string => `${organization}${sequence}`

/** A row for each event, in the space of all. */
export const rowOf = (event: Event, position: bigint): readonly RowChange[] => [
  { _tag: 'put', organization: '*', key: placeOf(event), order: position, facets: {}, value: null },
]

/** Some event of an organization, and its record. */
export const anyEvent = (
  organization: string,
  sequence: number,
): { readonly event: Event; readonly record: NewEvent } => {
  const payload: EventPayload =
    sequence % 2 === 0
      ? { type: 'ActivityFailed', data: { failure: { code: 'INTERNAL', message: 'any' }, revision: 1 } }
      : { type: 'ActivityStarted', data: { attempt: sequence, resumeAt: instant(0), revision: 1 } }
  const event: Event = {
    organization,
    sequence: BigInt(sequence),
    activity: `${organization} ${sequence}`,
    revision: 1n,
    version: 1,
    id: `${organization} event ${sequence}`,
    at: instant(0),
    previous: '',
    parts: {},
    ...payload,
  }
  const { id, activity, revision } = event
  return { event, record: { id, activity, revision, line: encodeEvent(event), parts: [] } }
}

type View = {
  /** Reads are refused, or wait. */
  reads?: Failure
  held?: Promise<void>
  moves?: Failure
  /** Whether the process hears of events and moves of others, as that of a shared store does. */
  isShared?: boolean
  /** Whether its store tells of moved checkpoints; default: it does. */
  tellsOfMoves?: boolean
  /** Called before the checkpoint is read. */
  onCheckpointRead?: () => Promise<unknown>
  /** How often the checkpoint was read. */
  looks?: number
  /** Called when the list of what is parked was read, and is not given yet. */
  onParkedRead?: () => Promise<unknown>
  /** How often a page was asked for. */
  pages: number
}

/** A store of events of some organizations, and processes that follow it. */
export const stage = () => {
  const clock = testClock()
  const real = memoryStore({ now: clock.now })
  const all: Positioned[] = []
  const sequences = new Map<string, number>()

  const append = async (organization: string, line?: Uint8Array): Promise<Positioned> => {
    const sequence = (sequences.get(organization) ?? 0) + 1
    sequences.set(organization, sequence)
    const { event, record } = anyEvent(organization, sequence)
    const events = [line === undefined ? record : { ...record, line }]
    right(await real.store.append([{ organization, expected: 'any', events, checks: [] }])())
    const positioned = { event, position: BigInt(all.length + 1) }
    all.push(positioned)
    return positioned
  }

  /** The store as one process sees it. Nobody tells it of what comes, unless it is offered. */
  const view = (faults: View = { pages: 0 }): { readonly storage: Storage; readonly faults: View } => {
    const refusing =
      <A>(fault: () => Failure | undefined, task: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
      async () => {
        await faults.held
        const refusal = fault()
        return refusal === undefined ? task() : E.left(refusal)
      }
    const storage: Storage = {
      store: {
        ...real.store,
        capabilities: { ...real.store.capabilities, soleWriter: faults.isShared !== true },
        readAll: (...asked) => {
          faults.pages += 1
          return refusing(() => faults.reads, real.store.readAll(...asked))
        },
      },
      readModels: {
        ...real.readModels,
        watch: faults.tellsOfMoves === false ? undefined : real.readModels.watch,
        checkpoint: (...asked) => {
          faults.looks = (faults.looks ?? 0) + 1
          return async () => {
            await faults.onCheckpointRead?.()
            return refusing(() => faults.reads, real.readModels.checkpoint(...asked))()
          }
        },
        move: (...asked) => refusing(() => faults.moves, real.readModels.move(...asked)),
        rows:
          (...asked) =>
          async () => {
            const rows = await real.readModels.rows(...asked)()
            if (asked[1] === '!parked') await faults.onParkedRead?.()
            return rows
          },
      },
      leases: real.leases,
    }
    return { storage, faults }
  }

  /** A process of a shared store, which follows under a lease until it is told to die or to stand still. */
  const process = (more: Partial<View> = {}) => {
    const faults: View = { pages: 0, isShared: true, ...more }
    const timers = { isStopped: false }
    const own: Clock = {
      now: clock.now,
      after: (delayMs, wake) => clock.after(delayMs, () => (timers.isStopped ? undefined : wake())),
    }
    const leased = leasing({ leases: real.leases, clock: own })
    return {
      faults,
      /** It does nothing any more, and gives nothing up. */
      die: () => {
        timers.isStopped = true
        faults.held = new Promise(() => undefined)
      },
      follow: async (options: FollowerOptions): Promise<Follower> =>
        right(await follow({ storage: view(faults).storage, clock: own, leasing: leased }, 'follower', options)),
    }
  }

  return {
    clock,
    process,
    all,
    append,
    view,
    readModels: real.readModels,
    /** Lets somebody else have the lease, as if it had ended. */
    loseLease: async () => {
      const first = 1n
      const given = await real.leases?.giveUp({ name: 'follower follower', fence: first })()
      return given ?? E.right(undefined)
    },
    follow: async (options: FollowerOptions, ports: Partial<FollowPorts> = {}): Promise<Follower> =>
      right(await follow({ storage: view().storage, clock, ...ports }, 'follower', options)),
    rows: async (name = 'follower'): Promise<readonly string[]> =>
      right(await real.readModels.rows(name, '*', { limit: 10_000, ascending: true })()).map(({ key }) => key),
    stored: async (name = 'follower'): Promise<bigint> => right(await real.readModels.checkpoint(name)()),
  }
}

/** Something that is closed until it is opened. */
export const gate = (): { readonly closed: Promise<void>; readonly open: () => void } => {
  let open = (): void => undefined
  const closed = new Promise<void>((resolve) => (open = resolve))
  return { closed, open: () => open() }
}
