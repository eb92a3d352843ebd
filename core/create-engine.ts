import { ask, type AskPorts } from './command/ask.ts'
import type { CommandPorts } from './command/bus.ts'
import { isRoute, noRoute as noOperation } from './command/command.ts'
import { createOrganization } from './command/create-organization.ts'
import { closing, doorkeeper, type Doorkeeper } from './command/doorkeeper.ts'
import { effects, type Effects } from './command/effects.ts'
import { fairQueue } from './command/fair-queue.ts'
import { guarded, quietly, tellThrown } from './command/guarded.ts'
import { importedEffects } from './command/imported-effects.ts'
import { interruptedEffects } from './command/interrupted-effects.ts'
import { isWithin } from './command/is-within.ts'
import { lane } from './command/lane.ts'
import { liveActivities } from './command/live-activities.ts'
import { measured } from './command/measured.ts'
import { organizations } from './command/organizations.ts'
import { quietTelemetry } from './command/quiet-telemetry.ts'
import { submit } from './command/submit.ts'
import type { Rules } from './command/turn.ts'
import { CLOSE_WITHIN_MS } from './command/work.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { failure, type Failure } from './failure.ts'
import type { Event } from './log/event.ts'
import { catalogue, type Catalogue } from './operations/catalogue.ts'
import { defaultLimits } from './operations/limits.ts'
import { createOrganization as genesis } from './operations/organization/create-organization.ts'
import type { TellNotice } from './ports/notice.ts'
import type { Storage } from './ports/storage.ts'
import type { Telemetry } from './ports/telemetry.ts'
import { noTurns } from './ports/turns.ts'
import { E, TE } from './prelude.ts'
import { activities, unfinished } from './projection/activities.ts'
import { replayActivity, replayOrganization, replayProjection } from './projection/replay.ts'
import type { Runner } from './projection/runner.ts'
import { runners, type Runners } from './projection/runners.ts'
import { publicQueries } from './query/public-queries.ts'

/**
 * Makes an engine. It starts without reading history: organizations are folded when they are first asked for, and
 * projections go on from their checkpoints.
 *
 * @throws a `Failure` (the promise rejects with it) where the options are wrong or the store cannot be read
 */
export const createEngine = async (options: EngineOptions): Promise<Engine> => {
  const known = E.flatMap(() => catalogue(options.operations, [genesis]))(checkNumbers(options))
  if (E.isLeft(known)) return rejecting(known.left)
  const { store: storage, clock, signatures, ids } = options
  const telemetry = options.telemetry && quietTelemetry(options.telemetry)
  const { store, readModels } = storage
  const notice = quietly(options.onNotice)
  const imported = await importedEffects(storage, options.storeIsCopy === true)
  if (E.isLeft(imported)) return rejecting(imported.left)
  const projections = [activities, unfinished, ...(options.projections ?? [])]
  const running = await runners({ storage, clock, telemetry, notice }, projections)
  if (E.isLeft(running)) return rejecting(running.left)
  const projecting = running.right
  const rules = rulesBy(options, known.right)
  const writer = lane({ store, clock, telemetry })
  const live = liveActivities({ store, catalogue: known.right })
  const [tell, gate] = [tellThrown(notice), doorkeeper()]
  const cells = organizations(
    {
      digest: signatures,
      ids,
      clock,
      lane: writer,
      catalogue: known.right,
      storage,
      tell,
      onDurable: (cell, events, last, activity) => {
        live.keep(cell, activity)
        projecting.offer(events, last)
        if (telemetry !== undefined) countDecisions(telemetry, events)
      },
      answersFromPendingState: options.answersFromPendingState === true,
    },
    options,
  )
  const base = { rules, organizations: cells, activities: live, clock, telemetry, tell, imported: imported.right }
  const work = effects(base, options)
  const { turns = noTurns, commandsAtOnce = 64 } = options
  const ports: CommandPorts = { ...base, effects: work, signatures, turns, queue: fairQueue(commandsAtOnce) }
  const mustBeFresh = options.queriesMustBeFresh === true
  const asking: AskPorts = { ...ports, readModels, runnerOf: projecting.find, waitForProjectionMs: 5_000, mustBeFresh }
  const queries = new Map((options.queries ?? publicQueries).map((query) => [query.path, query]))
  const safely = guarded(tell)
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await emptied(options, notice, gate, work)
    await writer.idle()
    await cells.snapshotAll()
    await projecting.close()
    await readModels.close()
    await store.close()
  }
  const parts = { storage, runners: projecting, effects: work, imported: imported.right, notice }
  const interrupted = interruptedEffects(parts)
  void resumeInterrupted(options, notice, gate, safely('the search for interrupted effects', interrupted.takeUp))

  return {
    catalogue: known.right,
    queries: [...queries.values()],
    submit: (path, request, { signal } = {}) => {
      const submitted = safely(path, () => submit(ports)(path, request))
      return isRoute(known.right, path)
        ? gate.through(path, () => measured(telemetry, 'submit', path, submitted), signal)
        : TE.left(noOperation)
    },
    query: (path, request, timestamps, { signal } = {}) => {
      const query = queries.get(path)
      if (query === undefined) return TE.left(noRoute)
      const asked = safely(path, () => ask(asking)(query, request, timestamps))
      return gate.through(path, () => measured(telemetry, 'query', path, asked), signal)
    },
    createOrganization: (request) =>
      gate.through(
        genesis.path,
        safely(genesis.path, () => createOrganization(ports)(request)),
      ),
    firstOrganization: () => TE.map((found: readonly string[]) => found[0])(store.organizations('', 1)),
    ...historyOf(storage, known.right, safely),
    ...projectionsOf(projecting, gate, safely),
    importedEffects: () => safely('a list of imported effects', interrupted.imported),
    resumeImported: (which) => safely('imported effects', () => interrupted.resumeImported(which)),
    failImported: (which) => safely('imported effects', () => interrupted.failImported(which)),
    lastPosition: store.lastPosition,
    isReady: () => async () => {
      if (gate.isClosed()) return E.left(closing)
      const stuck = projecting.stuck()
      if (stuck !== undefined) return E.left(stuck)
      return E.map(() => undefined)(await store.lastPosition()())
    },
    close: () => (closed ??= close()),
  }
}

const rulesBy = (
  { signatures, limits, waitingActivitiesMax = 10_000 }: EngineOptions,
  catalogue: Catalogue,
): Rules => ({
  digest: signatures,
  catalogue,
  limits: { ...defaultLimits, ...limits },
  waitingMax: waitingActivitiesMax,
})

type Safely = ReturnType<typeof guarded>

const historyOf = (
  { store }: Storage,
  operations: Catalogue,
  safely: Safely,
): Pick<Engine, 'replay' | 'replayOrganization' | 'replayActivity'> => ({
  replay: (projection, replaying) =>
    safely(`a replay of ${projection.name}`, replayProjection(store, projection, replaying)),
  replayOrganization: (organizationId, replaying) =>
    safely('a replay', replayOrganization(store, operations, organizationId, replaying)),
  replayActivity: (organizationId, activityId, replaying) =>
    safely('a replay', replayActivity(store, organizationId, activityId, replaying)),
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

/** Waits for all that is inside, bounded: the code of a host may never end. */
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

/** Looks until it has seen all of them: a store that does not answer at the start must not let them wait for ever. */
const resumeInterrupted = async (
  { clock }: EngineOptions,
  notice: TellNotice,
  gate: Doorkeeper,
  takeUp: TE.TaskEither<Failure, void>,
): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const taken = await takeUp()
    if (E.isRight(taken) || gate.isClosed()) return
    if (tries === 1)
      notice({ level: 'error', message: `cannot look for interrupted effects yet: ${taken.left.message}` })
    await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_AFTER_MS, resolve))
  }
}

const LOOK_AGAIN_AFTER_MS = 1_000

const countDecisions = (telemetry: Telemetry, events: readonly Event[]): void => {
  for (const event of events) {
    if (event.type !== 'ActivityCreated' && event.type !== 'ActivityVoted') continue
    const { outcome, rule } = event.data.decision.verdict
    telemetry.count('countersign.decisions', 1, { outcome, rule })
  }
}

/** What is counted in whole numbers, and the least that each may be: with less, nothing would ever be done. */
const LEAST = {
  organizationsMax: 1,
  snapshotEvery: 1,
  commandsAtOnce: 1,
  effectsAtOnce: 1,
  effectsAtOncePerOrganization: 1,
  waitForEffectsMs: 0,
  waitForEffectsMax: 1,
  closeWithinMs: 0,
} as const

const checkNumbers = (options: EngineOptions): E.Either<Failure, void> => {
  for (const [name, least] of Object.entries(LEAST)) {
    const value = options[name as keyof typeof LEAST] ?? least // its own names
    if (!Number.isSafeInteger(value) || value < least)
      return E.left(failure('CONFIGURATION_INVALID', `${name}: expected a whole number from ${least} on`))
  }
  return E.right(undefined)
}

const rejecting = (cause: Failure): never => {
  // oxlint-disable-next-line only-throw-error -- what is promised: hosts look at its code
  throw cause
}

const noRoute = failure('ROUTE_NOT_FOUND', 'no such query')
