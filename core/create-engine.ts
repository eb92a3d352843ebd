import { ask, type AskPorts } from './command/ask.ts'
import type { CommandPorts } from './command/bus.ts'
import { isRoute, noRoute as noOperation } from './command/command.ts'
import { createOrganization } from './command/create-organization.ts'
import { effects } from './command/effects.ts'
import { fairQueue } from './command/fair-queue.ts'
import { lane } from './command/lane.ts'
import { measured } from './command/measured.ts'
import { liveActivities } from './command/live-activities.ts'
import { organizations } from './command/organizations.ts'
import { submit } from './command/submit.ts'
import type { Rules } from './command/turn.ts'
import { closing, doorkeeper } from './command/doorkeeper.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { failure, type Failure } from './failure.ts'
import { catalogue } from './operations/catalogue.ts'
import { defaultLimits } from './operations/limits.ts'
import { createOrganization as genesis } from './operations/organization/create-organization.ts'
import type { Event } from './log/event.ts'
import type { EventStore } from './ports/event-store.ts'
import type { Telemetry } from './ports/telemetry.ts'
import { E, TE } from './prelude.ts'
import { activities, EVERYWHERE, unfinished, UnfinishedRow } from './projection/activities.ts'
import { replayActivity, replayOrganization, replayProjection } from './projection/replay.ts'
import { runner, type Positioned, type Runner } from './projection/runner.ts'
import type { Parked } from './projection/parking.ts'
import { storedName, type Projection } from './projection/projection.ts'
import { publicQueries } from './query/public-queries.ts'

/**
 * Makes an engine. It starts without reading history: organizations are folded when they are first asked for, and
 * projections go on from their checkpoints.
 *
 * @throws a `Failure` (the promise rejects with it) where the options are wrong or the store cannot be read
 */
export const createEngine = async (options: EngineOptions): Promise<Engine> => {
  const known = catalogue(options.operations, [genesis])
  if (E.isLeft(known)) return rejecting(known.left)
  const { store: storage, clock, signatures, ids, telemetry } = options
  const { store, readModels } = storage
  const started = await startRunners(options)
  if (E.isLeft(started)) return rejecting(started.left)
  const runners = [...started.right]
  const rules: Rules = { digest: signatures, catalogue: known.right, limits: { ...defaultLimits, ...options.limits } }
  const writer = lane({ store, clock, telemetry })
  const live = liveActivities({ store, catalogue: known.right })
  const cells = organizations(
    {
      digest: signatures,
      ids,
      clock,
      lane: writer,
      catalogue: known.right,
      storage,
      onDurable: (cell, events, last, activity) => {
        live.keep(cell, activity)
        const first = last - BigInt(events.length) + 1n
        const positioned: readonly Positioned[] = events.map((event, index) => ({
          event,
          position: first + BigInt(index),
        }))
        for (const each of runners) each.offer(positioned)
        if (telemetry !== undefined) countDecisions(telemetry, events)
      },
      answersFromPendingState: options.answersFromPendingState === true,
    },
    options,
  )
  const base = { rules, organizations: cells, activities: live, clock, telemetry }
  const work = effects(base, options)
  const ports: CommandPorts = { ...base, effects: work, signatures, queue: fairQueue(options.commandsAtOnce ?? 64) }
  const runnerOf = (name: string): Runner | undefined => runners.find((each) => nameOf(each.name) === name)
  const asking: AskPorts = { ...ports, readModels, runnerOf, waitForProjectionMs: 5_000 }
  const queries = new Map((options.queries ?? publicQueries).map((query) => [query.path, query]))
  const namedRunner = (name: string): E.Either<Failure, Runner> =>
    E.fromNullable(failure('CONFIGURATION_INVALID', `no projection is called ${name}`))(runnerOf(name))
  const gate = doorkeeper()
  let closed: Promise<void> | undefined
  const close = async (): Promise<void> => {
    const emptied = gate.close()
    await work.close() // first: commands may be waiting for effects
    await emptied
    await writer.idle()
    await cells.snapshotAll()
    for (const each of runners) await each.close()
    await readModels.close()
    await store.close()
  }
  void resumeEffects(options, runnerOf, store, work)

  return {
    catalogue: known.right,
    queries: [...queries.values()],
    submit: (path, request, { signal } = {}) =>
      isRoute(known.right, path)
        ? gate.through(() => measured(telemetry, 'submit', path, () => submit(ports)(path, request)), signal)
        : TE.left(noOperation),
    query: (path, request, timestamps, { signal } = {}) => {
      const query = queries.get(path)
      return query === undefined
        ? TE.left(noRoute)
        : gate.through(() => measured(telemetry, 'query', path, () => ask(asking)(query, request, timestamps)), signal)
    },
    createOrganization: (request) => gate.through(() => createOrganization(ports)(request)),
    firstOrganization: () => TE.map((found: readonly string[]) => found[0])(store.organizations('', 1)),
    replay: (projection, replaying) => replayProjection(store, projection, replaying),
    replayOrganization: (organizationId, replaying) =>
      replayOrganization(store, known.right, organizationId, replaying),
    replayActivity: (organizationId, activityId, replaying) =>
      replayActivity(store, organizationId, activityId, replaying),
    subscribe: (projection) => async () => {
      if (gate.isClosed()) return E.left(closing)
      if (runnerOf(projection.name) !== undefined) return E.left(calledTwice(projection.name))
      const begun = await startRunner(options, projection)
      if (E.isLeft(begun)) return begun
      runners.push(begun.right)
      return E.right({
        checkpoint: begun.right.checkpoint,
        close: async () => {
          const index = runners.indexOf(begun.right)
          if (index >= 0) runners.splice(index, 1)
          await begun.right.close()
        },
      })
    },
    parked: (projection) => async () => E.map((found: Runner) => found.parked())(namedRunner(projection)),
    retryParked: (projection) => async () => {
      const found = namedRunner(projection)
      return E.isLeft(found) ? found : found.right.retryParked()
    },
    whenProcessed: (position, projection, signal) => async () => {
      const found = namedRunner(projection)
      return E.isLeft(found) ? found : found.right.passed(position, signal)
    },
    lastPosition: store.lastPosition,
    isReady: () => async () => {
      if (gate.isClosed()) return E.left(closing)
      const stuck = runners.map((each) => each.stuck()).find((cause) => cause !== undefined)
      if (stuck !== undefined) return E.left(stuck)
      return E.map(() => undefined)(await store.lastPosition()())
    },
    close: () => (closed ??= close()),
  }
}

const startRunners = async (options: EngineOptions): Promise<E.Either<Failure, readonly Runner[]>> => {
  const started: Runner[] = []
  for (const projection of [activities, unfinished, ...(options.projections ?? [])]) {
    if (started.some(({ name }) => nameOf(name) === projection.name)) {
      return E.left(calledTwice(projection.name))
    }
    const begun = await startRunner(options, projection)
    if (E.isLeft(begun)) return begun
    started.push(begun.right)
  }
  return E.right(started)
}

const countDecisions = (telemetry: Telemetry, events: readonly Event[]): void => {
  for (const event of events) {
    if (event.type !== 'ActivityCreated' && event.type !== 'ActivityVoted') continue
    const { outcome, rule } = event.data.decision.verdict
    telemetry.count('countersign.decisions', 1, { outcome, rule })
  }
}

const rejecting = (cause: Failure): never => {
  // oxlint-disable-next-line only-throw-error -- what is promised: hosts look at its code
  throw cause
}

const startRunner = (options: EngineOptions, projection: Projection): Promise<E.Either<Failure, Runner>> => {
  const { store: storage, clock, telemetry } = options
  return runner({ storage, clock, telemetry, onParked: noticeParked(options, projection) }, projection)
}

const noticeParked =
  ({ onNotice }: EngineOptions, { name }: Projection) =>
  ({ organization, sequence }: Parked): void =>
    onNotice?.({
      level: 'error',
      message: `the projection ${name} threw; the organization is parked`,
      context: { projection: name, organization, sequence: String(sequence) },
    })

const nameOf = (stored: string): string => stored.slice(0, stored.lastIndexOf('@'))

/** Takes up effects that another life of this process started: every activity whose start has no end. */
const resumeEffects = async (
  { store: { readModels }, onNotice }: EngineOptions,
  runnerOf: (name: string) => Runner | undefined,
  store: EventStore,
  work: ReturnType<typeof effects>,
): Promise<void> => {
  const position = await store.lastPosition()()
  const passed = E.isRight(position) ? await runnerOf(unfinished.name)?.passed(position.right) : position
  if (passed === undefined || E.isLeft(passed)) return
  let after: bigint | undefined
  for (;;) {
    const rows = await readModels.rows(storedName(unfinished), EVERYWHERE, {
      limit: 100,
      ascending: true,
      ...(after === undefined ? {} : { after }),
    })()
    if (E.isLeft(rows))
      return onNotice?.({ level: 'error', message: `cannot look for interrupted effects: ${rows.left.message}` })
    for (const { order, value } of rows.right) {
      after = order
      if (UnfinishedRow.is(value)) void work.resume(value.organization, value.activity)
    }
    if (rows.right.length < 100) return
  }
}

const calledTwice = (name: string): Failure => failure('CONFIGURATION_INVALID', `two projections are called ${name}`)
const noRoute = failure('ROUTE_NOT_FOUND', 'no such query')
