import { latch } from './collections/latch.ts'
import { vouching } from './command/attested.ts'
import { proving } from './command/app-proofs.ts'
import { ask, type AskPorts } from './command/ask.ts'
import { beginning } from './command/beginning.ts'
import { commandQueue } from './command/command-queue.ts'
import { isRoute, refusalOfQueryRoute, refusalOfRoute } from './command/command.ts'
import { createOrganization } from './command/create-organization.ts'
import { destroying } from './command/destroying.ts'
import { closing, doorkeeper, type Doorkeeper } from './command/doorkeeper.ts'
import { effects, type Effects } from './command/effects.ts'
import { erasing } from './command/erasing.ts'
import { firstOrganization } from './command/first-organization.ts'
import { guarded } from './command/guarded.ts'
import { tidyImports } from './command/import-leftovers.ts'
import { importedEffects, type ImportedEffects } from './command/imported-effects.ts'
import { interruptedEffects, type InterruptedEffects } from './command/interrupted-effects.ts'
import { observeStorage } from './command/observe-storage.ts'
import { submit } from './command/submit.ts'
import { CLOSE_WITHIN_MS } from './command/work.ts'
import { orThrow } from './countersign-error.ts'
import type { Services } from './definition/port.ts'
import { BEGINNING } from './definition/begins.ts'
import type { Catalogue } from './definition/catalogue.ts'
import type { PortsFor, Resource } from './definition/resource.ts'
import { knownBy, projectionsBy, rulesBy } from './engine-rules.ts'
import { writing } from './engine-writing.ts'
import type { Engine, EngineOptions, Tuning } from './engine.ts'
import type { Failure } from './failure.ts'
import type { FollowsLog } from './following/follower.ts'
import { iterate } from './following/iterate.ts'
import { ownCommits } from './following/own-commits.ts'
import { leasing } from './leasing/leasing.ts'
import { isWithin } from './ports/is-within.ts'
import { onceAnswered } from './ports/once-answered.ts'
import type { TellNotice } from './ports/notice.ts'
import type { Storage } from './ports/storage.ts'
import { noTurns } from './ports/turns.ts'
import { E, TE } from './prelude.ts'
import { replayActivity, replayOrganization, replayProjection } from './projection/replay.ts'
import type { Runner } from './projection/runner.ts'
import { runners, type Runners } from './projection/runners.ts'
import { makeStandings } from './projection/standings.ts'
import { ERASING } from './resources/erasure/erasing.ts'
import { personalPlaces } from './resources/erasure/personal-places.ts'
import { deployment, type Deployment } from './resources/deployment-key/deployment.ts'
import { publishedKeys } from './resources/deployment-key/deployment-keys.ts'
import { createOrganization as genesis } from './resources/organization/create-organization.ts'
import { DESTROYING } from './resources/wallet/destroying.ts'
import { deliveries } from './resources/webhook-endpoint/deliveries.ts'
import { measured } from './telemetry/measured.ts'
import { operatorOf } from './telemetry/operator.ts'
import { quietTelemetry } from './telemetry/quiet-telemetry.ts'
import { watchedStorage, type WatchedStorage } from './telemetry/watched-storage.ts'
import { ROWS } from './webhooks/rows.ts'
import { webhooks, type WebhookPorts, type Webhooks } from './webhooks/webhooks.ts'

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
  const catalogue = orThrow(knownBy(options))
  const { clock, signatures, tuning = {} } = options
  const telemetry = options.telemetry && quietTelemetry(options.telemetry)
  const operator = operatorOf(clock, options.onNotice)
  const { notice, tell, failures, accidents, parkings } = operator
  const storage = watchedStorage({ clock, tell: notice }, options.store)
  const { store, readModels } = storage
  const imported = orThrow(await opened({ ...options, store: storage }, notice))
  const { keyring, daySecrets, services, ...more } = orThrow(await deployment(options, storage.sealed, notice))
  const [commits, gate, ending] = [ownCommits(store.capabilities), doorkeeper(), latch()]
  const leased = leasing({ leases: storage.leases, clock }, tuning)
  const common = { storage, clock, commits, tell, telemetry, leasing: leased, parkings, notice }

  const projections = orThrow(await runners({ ...tuning, ...common }, projectionsBy(catalogue)))
  const { inspect, activities, lane, organizations } = writing({
    ...common,
    ...more,
    options,
    catalogue,
    operator,
    followers: () => followers,
  })
  const rules = rulesBy(options, catalogue, daySecrets)
  const base = { ...common, rules, organizations, activities, imported, accidents, failures, daySecrets }

  const served: Services = {
    ...options.ports,
    [ERASING]: erasing({ ...base, digest: signatures, places: () => projections.find(personalPlaces.name) }),
    [BEGINNING]: beginning(base),
    [DESTROYING]: destroying(storage.sealed),
    ...services,
  }
  const told = await telling(options, { ...base, keys: more.webhooks, importedTo: imported.position() })
  const work = effects({ ...base, services: served }, tuning)
  const interrupted = interruptedEffects({ ...base, digest: signatures, effects: work })

  /** All that follows the log. They close in this order. The projections give their leases up, so they come last. */
  const followers: readonly FollowsLog[] = [...(told ? [told] : []), interrupted, observeStorage(common), projections]

  const ports: AskPorts = {
    ...base,
    ...proving({ ...base, catalogue, digest: signatures, store, keyring }),
    signatures,
    ...vouching(more, served),
    turns: options.turns ?? noTurns,
    queue: commandQueue(tuning.commandsAtOnce ?? 64, clock),
    effects: work,
    inspect,
    runnerOf: (name) => (name === deliveries.name ? told?.runner : projections.find(name)),
    mustBeFresh: options.queriesMustBeFresh === true,
  }
  const [safely, tidied] = [guarded(tell), tidyImports({ storage, clock, notice, tell, isEnding: ending.isPast })]
  const close = async (): Promise<void> => {
    ending.pass()
    await emptied({ clock, ...tuning }, notice, gate, work)
    await lane.idle()
    await organizations.snapshotAll()
    for (const follower of followers) await follower.close()
    await tidied
    leased.close()
    await daySecrets?.close()
    await readModels.close()
    await store.close()
    operator.close()
  }
  let closed: Promise<void> | undefined
  return {
    catalogue,
    queries: [...catalogue.queries.values()],
    ...commandsOf(ports, gate, safely),
    ...historyOf(storage, catalogue, safely),
    ...keysOf({ keyring, ...more }, options),
    firstOrganization: () => safely('a look for organizations', () => firstOrganization(storage, organizations)),
    follow: (following) =>
      iterate({ store, commits, ending, guard: (task) => safely('what follows the log', task) }, following ?? {}),
    ...projectionsOf(projections, gate, safely),
    ...importedOf(interrupted, safely),
    isReady: () => readiness(storage, gate, followers),
    close: () => (closed ??= close()),
  }
}

const readiness =
  (
    { store, refusesWrites }: WatchedStorage,
    gate: Doorkeeper,
    followers: readonly FollowsLog[],
  ): TE.TaskEither<Failure, void> =>
  async () => {
    if (gate.isClosed()) return E.left(closing)
    const obstacle = refusesWrites() ?? stuckOf(followers)
    if (obstacle !== undefined) return E.left(obstacle)
    return E.map(() => undefined)(await store.lastPosition()())
  }

const stuckOf = (followers: readonly FollowsLog[]): Failure | undefined =>
  followers.map(({ stuck }) => stuck?.()).find((cause) => cause !== undefined)

/** Brings what stands beside the log up to this version. */
const opened = async (
  { store: storage, storeIsCopy = false }: EngineOptions,
  notice: TellNotice,
): Promise<E.Either<Failure, ImportedEffects>> => {
  // What waits to be told in a copy is dropped before the log counts as imported: else it would be told after a crash in between.
  const dropped = storeIsCopy ? await storage.readModels.drop(ROWS)() : E.right(undefined)
  if (E.isLeft(dropped)) return dropped
  const imported = await importedEffects(storage, storeIsCopy)
  if (E.isLeft(imported)) return imported
  const standings = await makeStandings(storage.store, notice)
  return E.isLeft(standings) ? standings : imported
}

type Safely = ReturnType<typeof guarded>

/** Everything that a caller sends goes through the gate. */
const commandsOf = (
  ports: AskPorts,
  gate: Doorkeeper,
  safely: Safely,
): Pick<Engine, 'submit' | 'query' | 'createOrganization'> => {
  const { rules, telemetry } = ports
  const { catalogue } = rules
  return {
    submit: (path, request, { signal, waitForTurnMaxMs, requestId } = {}) => {
      const submitted = safely(path, () => submit(ports)(path, request, waitForTurnMaxMs), requestId)
      return isRoute(catalogue, path)
        ? gate.through(path, () => measured(telemetry, 'submit', path, submitted, requestId), signal)
        : TE.left(refusalOfRoute(catalogue, path))
    },
    query: (path, request, { signal, requestId } = {}) => {
      const query = catalogue.queries.get(path)
      if (query === undefined) return TE.left(refusalOfQueryRoute(catalogue, path))
      const queried = safely(path, () => ask(ports)(query, request), requestId)
      return gate.through(path, () => measured(telemetry, 'query', path, queried, requestId), signal)
    },
    createOrganization: (request) =>
      gate.through(
        genesis.path,
        safely(genesis.path, () => createOrganization(ports)(request)),
      ),
  }
}

const telling = async (
  { webhooks: by }: EngineOptions,
  ports: Omit<WebhookPorts, 'outgoing'>,
): Promise<Webhooks | undefined> => by && orThrow(await webhooks({ ...ports, ...by }))

const keysOf = (
  { keyring, webhooks: keys }: Pick<Deployment, 'keyring' | 'webhooks'>,
  { clock, publicUrl }: Pick<EngineOptions, 'clock' | 'publicUrl'>,
): Pick<Engine, 'publicUrl' | 'deploymentKeys' | 'webhookKeys'> => {
  const ofDeployment = onceAnswered(keyring === undefined ? TE.right([]) : publishedKeys(keyring))
  return {
    publicUrl,
    deploymentKeys: () => ofDeployment,
    webhookKeys: () => keys?.published(clock.now()) ?? TE.right([]),
  }
}

const historyOf = (
  { store }: Storage,
  operations: Catalogue,
  safely: Safely,
): Pick<Engine, 'lastPosition' | 'replay' | 'replayOrganization' | 'replayActivity'> => ({
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
  { clock, closeWithinMs = CLOSE_WITHIN_MS }: Pick<EngineOptions, 'clock'> & Tuning,
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
