import { ask } from './command/ask.ts'
import type { CommandPorts } from './command/bus.ts'
import { isRoute, refusalOfRoute } from './command/command.ts'
import { personalPlaces } from './resources/erasure/personal-places.ts'
import { createOrganization } from './command/create-organization.ts'
import { erasing } from './command/erasing.ts'
import { ERASING } from './resources/erasure/erasing.ts'
import { closing, doorkeeper, type Doorkeeper } from './command/doorkeeper.ts'
import { effects, type Effects } from './command/effects.ts'
import { iterate } from './following/iterate.ts'
import { latch } from './collections/latch.ts'
import { ownCommits, type OwnCommits } from './following/own-commits.ts'
import { commandQueue } from './command/command-queue.ts'
import { guarded } from './command/guarded.ts'
import { operatorOf } from './telemetry/operator.ts'
import { observeStorage } from './command/observe-storage.ts'
import { resumeInterrupted } from './command/resume-interrupted.ts'
import { watchedStorage } from './telemetry/watched-storage.ts'
import { importedEffects, type ImportedEffects } from './command/imported-effects.ts'
import { interruptedEffects, type InterruptedEffects } from './command/interrupted-effects.ts'
import { isWithin } from './ports/is-within.ts'
import { lane } from './writing/lane.ts'
import { inspections } from './writing/inspections.ts'
import type { CellPorts } from './writing/cell.ts'
import { liveActivities, type LiveActivities } from './writing/live-activities.ts'
import { measured } from './telemetry/measured.ts'
import { organizations } from './writing/organizations.ts'
import { quietTelemetry } from './telemetry/quiet-telemetry.ts'
import { policyNotices } from './command/policy-notices.ts'
import { submit } from './command/submit.ts'
import { wentBack } from './command/went-back.ts'
import { CLOSE_WITHIN_MS } from './command/work.ts'
import type { PortsFor, Resource } from './definition/resource.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { knownBy, rulesBy } from './engine-rules.ts'
import { CountersignError } from './countersign-error.ts'
import { failure, type Failure } from './failure.ts'
import { leasing } from './leasing/leasing.ts'
import type { Event } from './log/event.ts'
import type { Catalogue } from './definition/catalogue.ts'
import { createOrganization as genesis } from './resources/organization/create-organization.ts'
import type { TellNotice } from './ports/notice.ts'
import type { Storage } from './ports/storage.ts'
import type { Telemetry } from './ports/telemetry.ts'
import { noTurns } from './ports/turns.ts'
import { E, TE } from './prelude.ts'
import { makeStandings } from './projection/standings.ts'
import { replayActivity, replayOrganization, replayProjection } from './projection/replay.ts'
import type { Runner } from './projection/runner.ts'
import { runners, type Runners } from './projection/runners.ts'
import { notOffered, publicQueries } from './resources/public-names.ts'

/**
 * Makes an engine. It starts without reading history: an organization is folded when a request first needs it, and projections go on
 * from their checkpoints.
 *
 * @throws CountersignError (the promise rejects with it) if the options are wrong or the store cannot be read
 */
export const createEngine = <const R extends readonly Resource[]>(
  options: Omit<EngineOptions, 'resources' | 'ports'> & { readonly resources: R } & PortsFor<R>,
): Promise<Engine> => engineOf(options)

const engineOf = async (options: EngineOptions): Promise<Engine> => {
  const known = knownBy(options)
  if (E.isLeft(known)) throw new CountersignError(known.left)
  const { clock, signatures, ids, ports: services = {} } = options
  const telemetry = options.telemetry && quietTelemetry(options.telemetry)
  const operator = operatorOf(clock, options.onNotice)
  const { notice, tell, failures, accidents, parkings, closings, losses } = operator
  const storage = watchedStorage({ clock, tell: notice }, options.store)
  const { store, readModels } = storage
  const imported = await opened({ ...options, store: storage }, notice)
  if (E.isLeft(imported)) throw new CountersignError(imported.left)
  const [commits, gate, ending] = [ownCommits(store.capabilities), doorkeeper(), latch()]
  const common = { storage, clock, commits, tell }
  const leased = leasing({ leases: storage.leases, clock }, options)
  const following = { ...common, leasing: leased, closeWithinMs: options.closeWithinMs, telemetry, parkings }
  const running = await runners(following, known.right.projections)
  if (E.isLeft(running)) throw new CountersignError(running.left)
  const projecting = running.right
  const [writer, inspect] = [lane({ store, clock, telemetry }), inspections({ clock }, options)]
  const live = liveActivities({ store, catalogue: known.right, inspect })
  const cells = organizations(
    {
      ...common,
      digest: signatures,
      ids,
      lane: writer,
      catalogue: known.right,
      closings,
      onWentBack: wentBack({ live, telemetry, losses, followers: () => ({ ...projecting, takeUp: seek }) }),
      onCaughtUp: live.passOn,
      onDurable: durableBy({ live, commits, telemetry, tellOfPolicies: policyNotices(known.right, notice) }),
      answersFromPendingState: options.answersFromPendingState === true,
    },
    options,
  )
  const deciding = { rules: rulesBy(options, known.right), clock, telemetry, tell, accidents }
  const base = { ...deciding, organizations: cells, activities: live, imported: imported.right }
  const own = erasingIn({ ...base, storage, digest: signatures }, projecting)
  const work = effects({ ...base, failures, leasing: leased, services: { ...services, ...own } }, options)
  const queue = commandQueue(options.commandsAtOnce ?? 64, clock)
  const ports: CommandPorts = { ...base, turns: options.turns ?? noTurns, queue, effects: work, inspect, signatures }
  const asking = { ...ports, storage, runnerOf: projecting.find, mustBeFresh: options.queriesMustBeFresh === true }
  const safely = guarded(tell)
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    ending.pass()
    await emptied(options, notice, gate, work)
    await writer.idle()
    await cells.snapshotAll()
    await interrupted.close()
    await stopObserving?.()
    await projecting.close() // gives its leases up, so before those that are left are not renewed any more
    leased.close()
    await readModels.close()
    await store.close()
    operator.close()
  }
  const stopObserving = telemetry && observeStorage(telemetry, common)
  const seek = (): void =>
    void resumeInterrupted({ clock, notice, gate }, safely('the search for interrupted effects', interrupted.takeUp))
  const interrupted = interruptedEffects({ ...base, ...common, effects: work, notice, parkings, onRewound: seek })
  seek()

  return {
    catalogue: known.right,
    queries: [...known.right.queries.values()],
    submit: (path, request, { signal, waitForTurnMaxMs, requestId } = {}) => {
      const submitted = safely(path, () => submit(ports)(path, request, waitForTurnMaxMs), requestId)
      return isRoute(known.right, path)
        ? gate.through(path, () => measured(telemetry, 'submit', path, submitted, requestId), signal)
        : TE.left(refusalOfRoute(path))
    },
    query: (path, request, { signal, requestId } = {}) => {
      const query = known.right.queries.get(path)
      if (query === undefined) return TE.left(refusalOfQuery(path))
      const asked = safely(path, () => ask(asking)(query, request), requestId)
      return gate.through(path, () => measured(telemetry, 'query', path, asked, requestId), signal)
    },
    createOrganization: (request) =>
      gate.through(
        genesis.path,
        safely(genesis.path, () => createOrganization(ports)(request)),
      ),
    ...historyOf(storage, known.right, safely),
    follow: (following) =>
      iterate({ store, commits, ending, guard: (task) => safely('what follows the log', task) }, following ?? {}),
    ...projectionsOf(projecting, gate, safely),
    ...importedOf(interrupted, safely),
    isReady: () => async () => {
      if (gate.isClosed()) return E.left(closing)
      const obstacle = storage.refusesWrites() ?? projecting.stuck()
      if (obstacle !== undefined) return E.left(obstacle)
      return E.map(() => undefined)(await store.lastPosition()())
    },
    close: () => (closed ??= close()),
  }
}

/** Brings what stands beside the log up to this version. */
const opened = async (
  { store: storage, storeIsCopy = false }: EngineOptions,
  notice: TellNotice,
): Promise<E.Either<Failure, ImportedEffects>> => {
  const imported = await importedEffects(storage, storeIsCopy)
  if (E.isLeft(imported)) return imported
  const standings = await makeStandings(storage.store, notice)
  return E.isLeft(standings) ? standings : imported
}

/** The engine's own services. */
const erasingIn = (ports: Omit<Parameters<typeof erasing>[0], 'places'>, projecting: Pick<Runners, 'find'>) => ({
  [ERASING]: erasing({ ...ports, places: () => projecting.find(personalPlaces.name) }),
})

type Safely = ReturnType<typeof guarded>

const historyOf = (
  { store }: Storage,
  operations: Catalogue,
  safely: Safely,
): Pick<Engine, 'firstOrganization' | 'lastPosition' | 'replay' | 'replayOrganization' | 'replayActivity'> => ({
  firstOrganization: () => TE.map((found: readonly string[]) => found[0])(store.organizations('', 1)),
  lastPosition: store.lastPosition,
  replay: (projection, replaying) =>
    safely(`a replay of ${projection.name}`, replayProjection(store, projection, replaying)),
  replayOrganization: (organizationId, replaying) =>
    safely('a replay', replayOrganization(store, operations, organizationId, replaying)),
  replayActivity: (organizationId, activityId, replaying) =>
    safely('a replay', replayActivity(store, organizationId, activityId, replaying)),
})

const importedOf = (
  interrupted: InterruptedEffects,
  safely: Safely,
): Pick<Engine, 'importedEffects' | 'resumeImported' | 'failImported'> => ({
  importedEffects: () => safely('a list of imported effects', interrupted.imported),
  resumeImported: (which) => safely('imported effects', () => interrupted.resumeImported(which)),
  failImported: (which) => safely('imported effects', () => interrupted.failImported(which)),
})

const projectionsOf = (
  projecting: Runners,
  gate: Doorkeeper,
  safely: Safely,
): Pick<Engine, 'subscribe' | 'parked' | 'retryParked' | 'whenProcessed'> => ({
  subscribe: (projection) => async () =>
    gate.isClosed()
      ? E.left(closing)
      : E.map(({ checkpoint, close }: Runner) => ({ checkpoint, close }))(await projecting.add(projection)),
  parked: (projection) => async () => E.map((found: Runner) => found.parked())(projecting.named(projection)),
  retryParked: (projection) =>
    safely(`what is parked of ${projection}`, async () => {
      const found = projecting.named(projection)
      return E.isLeft(found) ? found : found.right.retryParked()
    }),
  whenProcessed: (position, projection, signal) => async () => {
    const found = projecting.named(projection)
    return E.isLeft(found) ? found : found.right.passed(position, signal)
  },
})

/** Waits for running commands and work, for a bounded time, because the code of a host may never end. */
const emptied = async (
  { clock, closeWithinMs = CLOSE_WITHIN_MS }: EngineOptions,
  notice: TellNotice,
  gate: Doorkeeper,
  work: Effects,
): Promise<void> => {
  const empty = gate.close()
  const left = await work.close() // first: commands may be waiting for effects
  if (left.size > 0)
    notice({ level: 'warn', message: 'work that does not end was left behind', context: Object.fromEntries(left) })
  if (await isWithin(clock, closeWithinMs, empty)) return
  const context = Object.fromEntries(gate.inside())
  notice({ level: 'warn', message: 'requests that do not end were left behind', context })
}

/** What hears of events that became durable. */
type Hearers = {
  readonly live: LiveActivities
  readonly commits: OwnCommits
  readonly telemetry: Telemetry | undefined
  readonly tellOfPolicies: ReturnType<typeof policyNotices>
}

const durableBy =
  ({ live, commits, telemetry, tellOfPolicies }: Hearers): CellPorts['onDurable'] =>
  (cell, events, last, activity) => {
    live.keep(cell, activity)
    commits.offer(events, last)
    if (telemetry !== undefined) countDecisions(telemetry, events)
    tellOfPolicies(cell.state, events)
  }

const countDecisions = (telemetry: Telemetry, events: readonly Event[]): void => {
  for (const event of events) {
    if (event.type !== 'ActivityCreated' && event.type !== 'ActivityVoted') continue
    const { outcome, rule } = event.data.decision.verdict
    telemetry.count('countersign.decisions', 1, { outcome, rule })
  }
}

const refusalOfQuery = (path: string): Failure =>
  publicQueries.has(path) ? notOffered(path) : failure('ROUTE_NOT_FOUND', 'no such query')
